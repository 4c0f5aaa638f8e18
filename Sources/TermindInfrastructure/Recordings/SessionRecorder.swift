internal import Glibc
public import TermindDomain

/// Writes down what a session shows, without ever holding the session up.
///
/// Output is only copied on the thread that brings it; one thread for all recordings formats and writes it. When a
/// file cannot be written, or the disk falls behind by more than the bound, the recording ends with the reason
/// and the session goes on.
public final class SessionRecorder: Sendable {
  private enum Event {
    case output([UInt8], Duration)
    case resize(columns: Int, rows: Int, Duration)
  }

  private struct State {
    var events: [Event] = []
    var waiting = 0
    var isScheduled = false
    var isStopped = false
    var problem: RecordingProblem?
    var path: String
    var columns: Int
    var rows: Int
  }

  /// What is written to; only the writing thread waits for it.
  private struct Sink {
    let file: RecordingFile
    var transcript = LineTranscript()
    var cast = AsciicastText()
    /// When the present file began; times of an asciicast count from there.
    var start = Duration.zero
    var hasEnded = false
  }

  /// Output that comes closer together than this is one event.
  private static let merged = Duration.milliseconds(2)
  private let request: RecordingRequest
  private let limits: RecordingLimits
  private let now: @Sendable () -> Int64
  private let started = ContinuousClock.now
  private let state: Locked<State>
  private let sink: Locked<Sink>
  private let whenEnded: @Sendable (RecordingProblem?) -> Void

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - request: What, how and where to.
  ///   - limits: Its bounds.
  ///   - now: Seconds since 1970.
  ///   - whenEnded: Called once, on the writing thread, when everything is written or nothing more can be.
  /// - Throws: Why the first file cannot be made.
  public init(
    _ request: RecordingRequest,
    limits: RecordingLimits = RecordingLimits(),
    now: @escaping @Sendable () -> Int64,
    whenEnded: @escaping @Sendable (RecordingProblem?) -> Void
  ) throws(RecordingProblem) {
    self.request = request
    self.limits = limits
    self.now = now
    self.whenEnded = whenEnded
    let file = try RecordingFile(request, limits: limits, now: now())
    state = Locked(State(path: file.path, columns: request.columns, rows: request.rows))
    if request.format == .asciicast {
      try file.write(Self.header(request, at: now()))
    }
    sink = Locked(Sink(file: file))
  }

  /// How it is written down.
  public var format: RecordingFormat { request.format }
  /// The file that is being written.
  public var path: String { state.withLock { $0.path } }

  /// Takes output; the bytes are copied.
  public func output(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe !bytes.isEmpty else { return }
    let time = started.duration(to: .now)
    schedule { state in
      guard state.waiting + bytes.count <= limits.waiting else {
        state.problem = .tooSlow(path: state.path)
        return
      }
      state.waiting += bytes.count
      if case .output(var earlier, let start)? = state.events.last, time - start < Self.merged {
        state.events.removeLast()
        unsafe earlier.append(contentsOf: bytes)
        state.events.append(.output(earlier, start))
      } else {
        unsafe state.events.append(.output([UInt8](bytes), time))
      }
    }
  }

  /// Notes a new size, in cells.
  public func resized(columns: Int, rows: Int) {
    let time = started.duration(to: .now)
    schedule { state in
      guard (state.columns, state.rows) != (columns, rows) else { return }
      (state.columns, state.rows) = (columns, rows)
      state.events.append(.resize(columns: columns, rows: rows, time))
    }
  }

  /// Ends the recording once what has come is written.
  public func stop() { schedule { $0.isStopped = true } }

  /// Suspends until everything that any recording was given is written, or until the disk has had that long.
  public static func settle(within limit: Duration) async {
    await BoundedWait.run(within: limit) { finish in RecordingThread.shared.reach(finish) }
  }

  private func schedule(_ change: (inout State) -> Void) {
    let mustSchedule = state.withLock { state in
      guard !state.isStopped, state.problem == nil else { return false }
      change(&state)
      guard !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    if mustSchedule { RecordingThread.shared.drain(self) }
  }

  // MARK: The writing thread

  /// Writes what has come; called by the writing thread only.
  func drain() {
    let taken = state.withLock { state in
      let taken = state
      state.events = []
      state.waiting = 0
      state.isScheduled = false
      return taken
    }
    let end = sink.withLock { sink -> RecordingProblem?? in
      guard !sink.hasEnded else { return nil }
      var end = taken.problem
      do throws(RecordingProblem) {
        try write(taken, to: &sink)
      } catch {
        end = error
        state.withLock { $0.problem = error }
      }
      guard taken.isStopped || end != nil else { return nil }
      sink.hasEnded = true
      return .some(end)
    }
    if let end { whenEnded(end) }
  }

  private func write(_ taken: State, to sink: inout Sink) throws(RecordingProblem) {
    for event in taken.events { try write(event, to: &sink) }
    if taken.isStopped || taken.problem != nil {
      guard format == .text else { return }
      sink.transcript.finish()
      try sink.file.write(sink.transcript.takeLines())
    } else if sink.file.isFull {
      try sink.file.rotate(now: now())
      sink.start = started.duration(to: .now)
      if format == .asciicast {
        var request = request
        (request.columns, request.rows) = (taken.columns, taken.rows)
        try sink.file.write(Self.header(request, at: now()))
      }
      let path = sink.file.path
      state.withLock { $0.path = path }
    }
  }

  private func write(_ event: Event, to sink: inout Sink) throws(RecordingProblem) {
    switch (event, format) {
    case (.output(let bytes, _), .text):
      unsafe bytes.withUnsafeBytes { unsafe sink.transcript.feed($0) }
      try sink.file.write(sink.transcript.takeLines())
    case (.output(let bytes, let time), .asciicast):
      try sink.file.write(sink.cast.output(bytes, after: max(.zero, time - sink.start)))
    case (.resize, .text): break
    case (.resize(let columns, let rows, let time), .asciicast):
      let time = max(.zero, time - sink.start)
      try sink.file.write(AsciicastText.resize(columns: columns, rows: rows, after: time))
    }
  }

  private static func header(_ request: RecordingRequest, at time: Int64) -> String {
    AsciicastText.header(
      columns: request.columns,
      rows: request.rows,
      startedAt: time,
      title: request.title,
      terminalType: request.terminalType
    )
  }
}

/// The one thread that writes all recordings; it sleeps while nothing is recorded.
private final class RecordingThread: Sendable {
  static let shared = RecordingThread()
  private let queue = BlockingQueue<@Sendable () -> Void>()
  private let isRunning: Bool

  private init() {
    let queue = queue
    do throws(EventLoopError) {
      try NamedThread.start(name: "termind-record") {
        while true { queue.take()() }
      }
      isRunning = true
    } catch {
      isRunning = false
    }
  }

  /// Drains a recorder soon; at once when the system had no thread to give.
  func drain(_ recorder: SessionRecorder) { reach { recorder.drain() } }

  /// Runs `body` after what was asked for before.
  func reach(_ body: @escaping @Sendable () -> Void) {
    if isRunning { queue.put(body) } else { body() }
  }
}
