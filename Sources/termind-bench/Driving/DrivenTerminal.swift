import TermindDomain
import TermindInfrastructure
import TermindTerminal

/// A person's terminal: a program in a pseudo-terminal, its screen, and keys that are typed.
///
/// The screen is kept by our emulator on both sides of every comparison, and answers the queries that
/// programs send, as a terminal does.
final class DrivenTerminal {
  /// What the terminal shows now.
  let screen: Terminal
  /// The program.
  let process: BenchProcess
  /// When the program was about to be started.
  let started: ContinuousClock.Instant
  /// When bytes came last.
  private(set) var lastInput: ContinuousClock.Instant
  /// How many bytes came since it has its size.
  private(set) var byteCount = 0
  /// Everything that came with its time, while that is asked for.
  private(set) var recording: [(time: ContinuousClock.Instant, bytes: [UInt8])] = []
  private var isRecording: Bool
  private let device: PseudoTerminal
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - environment: Its whole environment.
  ///   - rows: Rows of the terminal.
  ///   - columns: Columns of the terminal.
  ///   - discardsOutput: Whether its standard output goes to `/dev/null` and not to the terminal.
  ///   - isRecording: Whether the output is kept with its times.
  /// - Throws: `.failed` when there is no pseudo-terminal, or the program cannot be started.
  init(
    _ arguments: [String],
    environment: [String: String],
    rows: Int = 50,
    columns: Int = 160,
    discardsOutput: Bool = false,
    isRecording: Bool = false
  ) throws(BenchError) {
    do throws(TerminalDeviceError) {
      device = try PseudoTerminal(size: TerminalDimensions(rows: rows, columns: columns))
    } catch {
      throw .failed(step: "open a pseudo-terminal", diagnostic: "\(error)")
    }
    screen = Terminal(
      size: TerminalSize(rows: rows, columns: columns),
      configuration: TerminalConfiguration(scrollbackLines: 0)
    )
    self.isRecording = isRecording
    started = .now
    lastInput = started
    let terminal = ProgramSpawn.Source.terminal(path: device.path)
    process = try BenchProcess(
      arguments,
      environment: environment,
      descriptors: [terminal, discardsOutput ? .null : terminal, terminal]
    )
  }

  /// Types text; control characters are keys.
  func type(_ text: String) throws(BenchError) { try send(Array(text.utf8)) }

  private func send(_ bytes: [UInt8]) throws(BenchError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = device.write(rest) else {
        throw .failed(step: "type", diagnostic: "the terminal has no program any more")
      }
      rest = rest.dropFirst(count)
      if count == 0 { _ = DescriptorWait.writable(device.descriptor, milliseconds: 1000) }
    }
  }

  /// Gives the terminal another size, as a person who drags its border.
  ///
  /// - Returns: When.
  func resize(rows: Int, columns: Int) -> ContinuousClock.Instant {
    recording = []
    byteCount = 0
    screen.resize(to: TerminalSize(rows: rows, columns: columns))
    let now = ContinuousClock.now
    device.resize(to: TerminalDimensions(rows: rows, columns: columns))
    return now
  }

  /// Takes what comes within a time; whether something came.
  func pump(milliseconds: Int) throws(BenchError) -> Bool {
    try Interruption.check()
    guard DescriptorWait.readable([device.descriptor], milliseconds: milliseconds)[0] else {
      return false
    }
    let read = unsafe buffer.withUnsafeMutableBytes { unsafe device.read(into: $0) }
    guard case .bytes(let count) = read else { return false }
    lastInput = .now
    byteCount += count
    unsafe buffer.withUnsafeBytes {
      unsafe screen.feed(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    if isRecording { recording.append((lastInput, Array(buffer[..<count]))) }
    let replies = screen.takeReplies()
    if !replies.isEmpty, process.ended == nil { try send(replies) }
    return true
  }

  /// Waits until the screen shows something.
  ///
  /// - Parameters:
  ///   - awaited: What is waited for, in words.
  ///   - seconds: How long at most.
  ///   - condition: Looks at the screen.
  /// - Returns: When the bytes came that made it true.
  /// - Throws: `.timeout` with the screen, or `.failed` when the program has ended.
  @discardableResult
  func wait(
    for awaited: String,
    seconds: Double = 30,
    until condition: (Terminal) -> Bool
  ) throws(BenchError) -> ContinuousClock.Instant {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition(screen) {
      guard ContinuousClock.now < deadline else {
        throw .timeout(awaited: awaited, screen: text)
      }
      if try !pump(milliseconds: 100), process.ended != nil {
        throw .failed(step: "wait for \(awaited)", diagnostic: "the program has ended\n\(text)")
      }
    }
    return lastInput
  }

  /// Waits until a text is somewhere on the screen.
  @discardableResult
  func wait(forText part: String, seconds: Double = 30) throws(BenchError)
    -> ContinuousClock.Instant
  {
    try wait(for: "'\(part)'", seconds: seconds) { screen in
      screen.screenText().contains { $0.contains(part) }
    }
  }

  /// Takes what comes until nothing has come for a time; at least something has to come first.
  func settle(milliseconds: Int = 250, seconds: Double = 15) throws(BenchError) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if try !pump(milliseconds: milliseconds), byteCount > 0 { return }
      guard process.ended == nil else {
        throw .failed(step: "wait for a quiet screen", diagnostic: "the program ended\n\(text)")
      }
    }
    throw .timeout(awaited: "a quiet screen", screen: text)
  }

  /// The screen's rows that are not empty.
  var text: String {
    screen.screenText().filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// From the start of the program to the first moment at which the screen showed what it shows now.
  ///
  /// Asks for a recording terminal that has settled. Only the text counts: colours that follow from what the
  /// terminal answered may come later.
  func timeToFinalScreen() -> Duration { timeToFinalScreen(since: started) }

  /// The same from a moment on at which a program began to draw the whole screen anew.
  func timeToFinalScreen(since start: ContinuousClock.Instant) -> Duration {
    let whole = Terminal(size: screen.size)
    for part in recording { whole.feed(part.bytes) }
    let final = whole.screenText()
    let replay = Terminal(size: screen.size)
    for part in recording {
      replay.feed(part.bytes)
      if replay.screenText() == final { return part.time - start }
    }
    return lastInput - start
  }
}
