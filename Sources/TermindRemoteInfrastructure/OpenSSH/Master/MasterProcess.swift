internal import Glibc
internal import TermindInfrastructure

/// A running `ssh` in master mode, with the two pipes on which it and its helpers talk.
///
/// Everything happens on the loop that started it, which is also the thread whose end ends the process.
final class MasterProcess: Sendable {
  /// What is heard from it.
  enum Event: Sendable {
    /// A line of its log.
    case log(String)
    /// What others wrote: banners of the server, words of a proxy command.
    case foreign([UInt8])
    /// It has ended, and everything that it said was told.
    case ended(SpawnedProcess.End)
  }

  private struct State {
    var log = LineSplitter(limit: MasterLog.maximumLineCount)
    var watches: [DescriptorWatch] = []
    var killTimer: LoopTimer?
    var hasEnded = false
    var byteCount = 0
  }

  /// Most bytes read in one turn of the loop.
  private static let readSize = 16_384
  /// Most bytes still read once it has ended.
  private static let finalLimit = 1_048_576

  private let process: SpawnedProcess
  private let logPipe: OwnedDescriptor
  private let foreignPipe: OwnedDescriptor
  private let loop: EventLoop
  private let handler: @Sendable (Event) -> Void
  private let state = Locked(State())

  /// The process number.
  var number: Int32 { process.number }

  /// Starts it; must be called on the loop.
  ///
  /// - Parameters:
  ///   - program: Our own program, which becomes `ssh` once it has tied its life to this thread's.
  ///   - ssh: The path of `ssh`.
  ///   - arguments: Its arguments, its own name first.
  ///   - environment: Its variables.
  ///   - loop: The loop.
  ///   - orphaned: Called instead of the handler's `ended` when the loop was shut down before.
  ///   - handler: Called on the loop.
  /// - Throws: Why it cannot be started.
  init(
    program: String,
    ssh: String,
    arguments: [String],
    environment: [String: String],
    on loop: EventLoop,
    orphaned: @escaping @Sendable () async -> Void,
    handler: @escaping @Sendable (Event) -> Void
  ) throws(LocalProgramError) {
    loop.checkIsolated()
    guard let log = DescriptorPipe(), let foreign = DescriptorPipe() else {
      throw .failed(program: ssh, diagnostic: "pipe: \(systemText(errno))")
    }
    process = try ProgramSpawn(
      program: program,
      arguments: [
        program, OpenSSHHelper.holderWord, "\(ProcessEnvironment.processNumber)", ssh,
      ] + arguments.dropFirst(),
      environment: environment,
      directory: nil,
      descriptors: [.null, .copy(log.writing), .copy(foreign.writing)]
    ).start()
    logPipe = log.reading
    foreignPipe = foreign.reading
    self.loop = loop
    self.handler = handler
    do throws(EventLoopError) {
      let watches = [
        try loop.watch(logPipe.number, for: .readable) { [self] _ in readLog() },
        try loop.watch(foreignPipe.number, for: .readable) { [self] _ in readForeign() },
        try loop.watch(process.descriptor.number, for: .readable) { [self] _ in exited() },
      ]
      state.withLock { $0.watches = watches }
    } catch {
      process.signalGroup(SIGKILL)
      _ = process.collect()
      throw .failed(program: ssh, diagnostic: "watch: \(error)")
    }
    Task { [process] in
      if await process.endWithLoop(loop) { await orphaned() }
    }
  }

  /// How many bytes it and its helpers have written.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Reads now what it has said so far; a prompt comes after what was logged before it.
  func catchUp() {
    readForeign()
    readLog()
  }

  /// Ends it, by force when it is still there after the grace time.
  func stop(grace: Duration) {
    let isRunning = state.withLock { state in
      guard !state.hasEnded, state.killTimer == nil else { return false }
      return true
    }
    guard isRunning else { return }
    process.signalGroup(SIGTERM)
    let timer = loop.schedule(after: grace) { [self] in kill() }
    state.withLock { $0.killTimer = timer }
  }

  /// Ends it at once.
  func kill() {
    if state.withLock({ !$0.hasEnded }) { process.signalGroup(SIGKILL) }
  }

  // MARK: On the loop

  private func readLog() { _ = readLog(limit: Self.readSize) }

  private func readForeign() { _ = readForeign(limit: Self.readSize) }

  private func readLog(limit: Int) -> Bool {
    guard let bytes = DescriptorPipe.read(logPipe, limit: limit) else {
      stopWatching(0)
      return false
    }
    let lines = state.withLock { state in
      state.byteCount += bytes.count
      return state.log.take(bytes)
    }
    for line in lines { handler(.log(line)) }
    return !bytes.isEmpty
  }

  private func readForeign(limit: Int) -> Bool {
    guard let bytes = DescriptorPipe.read(foreignPipe, limit: limit) else {
      stopWatching(1)
      return false
    }
    guard !bytes.isEmpty else { return false }
    state.withLock { $0.byteCount += bytes.count }
    handler(.foreign(bytes))
    return true
  }

  /// A pipe at its end would be reported in every turn.
  private func stopWatching(_ index: Int) {
    state.withLock { state in
      if state.watches.indices.contains(index) { state.watches[index].cancel() }
    }
  }

  private func exited() {
    guard let end = process.collect() else { return }
    var left = Self.finalLimit
    while left > 0, readForeign(limit: Self.readSize) { left -= Self.readSize }
    left = Self.finalLimit
    while left > 0, readLog(limit: Self.readSize) { left -= Self.readSize }
    let rest = state.withLock { state in
      state.hasEnded = true
      for watch in state.watches { watch.cancel() }
      state.watches = []
      state.killTimer?.cancel()
      return state.log.takeRest()
    }
    if let rest { handler(.log(rest)) }
    handler(.ended(end))
  }
}
