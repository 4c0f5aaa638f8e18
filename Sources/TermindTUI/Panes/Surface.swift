import Dispatch
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTerminal

/// The emulated screen behind a terminal pane, shared between the loop that feeds it and the renderer.
///
/// The channel's event loop writes it, the main actor reads it; both hold one short lock. It survives
/// its channel, so that a reconnect continues under the old text.
nonisolated final class Surface: Sendable {
  private struct State {
    let terminal: Terminal
    /// Counts the programs; output of an earlier one is dropped.
    var generation = 0
    var channel: (any TerminalChannel)?
    /// Guesses what is echoed, on lines where that may be slow.
    var predictor: EchoPredictor?
    /// Writes down what comes, if that is wanted.
    var recorder: SessionRecorder?
    /// Whether the owner knows of the program; an end that comes earlier waits until then.
    var isAttached = false
    /// What the program printed before that, for a recording that begins with it.
    var early: [UInt8] = []
    var end: TerminalChannelEnd?
    /// What ends the last program's screen, once another one is there.
    var mark: String?
    var isNotified = false
  }

  /// Carries the output of one program to the surface, as long as it is the newest.
  private final class Feed: TerminalOutputReceiving {
    private let surface: Surface
    private let generation: Int

    init(_ surface: Surface, generation: Int) {
      self.surface = surface
      self.generation = generation
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
      unsafe surface.received(bytes, generation: generation)
    }

    func ended(_ end: TerminalChannelEnd) { surface.ended(end, generation: generation) }
  }

  /// The most that is kept for such a recording.
  private static let mostEarly = 65_536

  private let state: Locked<State>
  /// Runs on the main queue after the screen changed or the channel ended; coalesced.
  private let notify: @MainActor @Sendable () -> Void

  init(
    size: TerminalSize,
    configuration: TerminalConfiguration,
    notify: @escaping @MainActor @Sendable () -> Void
  ) {
    state = Locked(State(terminal: Terminal(size: size, configuration: configuration)))
    self.notify = notify
  }

  // MARK: The channel's side

  private func received(_ bytes: UnsafeRawBufferPointer, generation: Int) {
    let (replies, channel, mustNotify) = state.withLock { state in
      guard state.generation == generation else {
        return ([UInt8](), nil as (any TerminalChannel)?, false)
      }
      Self.tidy(&state)
      unsafe state.terminal.feed(bytes)
      if var predictor = state.predictor.take() {
        predictor.printed(on: state.terminal, at: .now)
        state.predictor = predictor
      }
      unsafe state.recorder?.output(bytes)
      if !state.isAttached, state.early.count + bytes.count <= Self.mostEarly {
        unsafe state.early.append(contentsOf: bytes)
      }
      let mustNotify = !state.isNotified
      state.isNotified = true
      // Without a channel they wait in the emulator's own bounded queue.
      let replies = state.channel == nil ? [] : state.terminal.takeReplies()
      return (replies, state.channel, mustNotify)
    }
    if !replies.isEmpty { channel?.send(replies) }
    if mustNotify { scheduleNotification() }
  }

  private func ended(_ end: TerminalChannelEnd, generation: Int) {
    let mustNotify = state.withLock { state in
      guard state.generation == generation else { return false }
      state.end = end
      state.channel = nil
      let mustNotify = !state.isNotified
      state.isNotified = true
      return mustNotify
    }
    if mustNotify { scheduleNotification() }
  }

  /// Clears up after the last program, whose screen was kept until now: its modes go, and a mark says where it ended.
  private static func tidy(_ state: inout State) {
    guard let mark = state.mark.take() else { return }
    state.terminal.resetProgramModes()
    state.terminal.writeNotice(mark)
  }

  private func scheduleNotification() {
    let notify = notify
    DispatchQueue.main.async { MainActor.assumeIsolated { notify() } }
  }

  // MARK: The owner's side

  /// The program has ended: its last screen stays until another one is there, which begins under a mark.
  func leave(_ mark: String) { state.withLock { $0.mark = mark } }

  /// Takes the output of a new program from now on, and drops what an earlier one still sends.
  func feedOfNextProgram() -> any TerminalOutputReceiving {
    let generation = state.withLock { state in
      state.generation += 1
      // What an earlier program asked is no answer for the next one.
      _ = state.terminal.takeReplies()
      state.channel = nil
      state.end = nil
      state.isAttached = false
      state.early = []
      return state.generation
    }
    return Feed(self, generation: generation)
  }

  /// Sends what is typed to the program from now on, and tells its end, also when it came before.
  ///
  /// Replies that the emulator made before are sent first.
  func attach(_ channel: any TerminalChannel) {
    let (replies, hasEnded) = state.withLock { state in
      state.isAttached = true
      state.early = []
      Self.tidy(&state)
      if state.end == nil { state.channel = channel }
      return (state.terminal.takeReplies(), state.end != nil)
    }
    if !replies.isEmpty { channel.send(replies) }
    if hasEnded { scheduleNotification() }
  }

  /// What happened since the last call: events of the program and, once, its end.
  func takeChanges() -> (events: [TerminalEvent], end: TerminalChannelEnd?) {
    state.withLock { state in
      state.isNotified = false
      guard state.isAttached else { return (state.terminal.takeEvents(), nil) }
      return (state.terminal.takeEvents(), state.end.take())
    }
  }

  /// Reads or changes the emulator under the lock; keep it short.
  func withTerminal<Result: Sendable>(_ body: (Terminal) -> Result) -> Result {
    state.withLock { state in body(state.terminal) }
  }

  /// Reads the emulator and what is guessed to be echoed under the lock; keep it short.
  func withGuess<Result: Sendable>(
    _ body: (Terminal, EchoPredictor.Guess?) -> Result
  ) -> Result {
    state.withLock { state in
      body(state.terminal, state.predictor?.guess(on: state.terminal))
    }
  }

  /// Guesses echoes from now on, or no longer.
  func predict(_ mode: EchoPredictor.Mode) {
    state.withLock { $0.predictor = mode == .off ? nil : EchoPredictor(mode: mode) }
  }

  /// Keys are about to be sent.
  ///
  /// - Returns: How long what is guessed may be shown; nil where nothing is.
  func guess(_ bytes: [UInt8]) -> Duration? {
    state.withLock { state in
      guard var predictor = state.predictor.take() else { return nil }
      predictor.typed(bytes, on: state.terminal, at: .now)
      state.predictor = predictor
      return predictor.guess(on: state.terminal) == nil ? nil : predictor.patience
    }
  }

  /// Gives up guesses that did not come true in time; whether there were some.
  func expireGuesses() -> Bool { state.withLock { $0.predictor?.expire(at: .now) ?? false } }

  /// Changes the emulator under the lock, and sends the program what it has to hear of that.
  func change(_ body: (Terminal) -> Void) {
    let (replies, channel) = state.withLock { state in
      body(state.terminal)
      return (state.channel == nil ? [] : state.terminal.takeReplies(), state.channel)
    }
    if !replies.isEmpty { channel?.send(replies) }
  }

  /// Sends typed bytes to the program, if one runs.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    guard let channel = state.withLock({ $0.channel }) else { return false }
    return channel.send(bytes)
  }

  /// Writes down what programs write from now on, and what one has written that is not attached yet; nil stops.
  func record(to recorder: SessionRecorder?) {
    state.withLock { state in
      state.recorder = recorder
      unsafe state.early.withUnsafeBytes { unsafe recorder?.output($0) }
    }
  }

  /// Gives the screen and the program a new size.
  func resize(to size: TerminalSize, dimensions: TerminalDimensions) {
    let (channel, replies) = state.withLock { state in
      state.terminal.resize(to: size)
      state.recorder?.resized(columns: size.columns, rows: size.rows)
      return (state.channel, state.channel == nil ? [] : state.terminal.takeReplies())
    }
    channel?.resize(to: dimensions)
    if !replies.isEmpty { channel?.send(replies) }
  }
}
