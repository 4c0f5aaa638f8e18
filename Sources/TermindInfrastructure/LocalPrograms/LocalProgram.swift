internal import Glibc
public import TermindApplication
public import TermindDomain

/// A shell or command in a pseudo-terminal of this machine.
///
/// Output is read on the event loop, at most 64 KiB a turn. Input that the terminal does not take at
/// once waits in a queue of 16 MiB. The program's end is reported after everything that it wrote.
public final class LocalProgram: TerminalChannel {
  private struct State {
    var queue = InputQueue()
    var wantedSize: TerminalDimensions?
    var watch: DescriptorWatch?
    var exitWatch: DescriptorWatch?
    var killTimer: LoopTimer?
    var isClosing = false
    var hasEnded = false
    var hasOutputEnded = false
  }

  /// Most bytes of input that wait.
  public static let inputLimit = 16 * 1024 * 1024
  /// Most bytes read in one turn of the loop.
  private static let turnLimit = 65_536
  /// Most bytes still read once the program has ended: what it started may write for ever.
  private static let finalLimit = 4 * 1024 * 1024

  /// The process number of the shell or command.
  public let processNumber: Int32
  /// The program's name as it was asked for.
  public let name: String
  let terminal: PseudoTerminal
  private let process: SpawnedProcess
  private let loop: EventLoop
  private let output: any TerminalOutputReceiving
  private let grace: Duration
  private let state = Locked(State())

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - request: What to run.
  ///   - version: The version that the program sees in `TERM_PROGRAM_VERSION`.
  ///   - loop: The loop that reads the output and calls `output`.
  ///   - output: Takes the output and the end; kept until the end.
  ///   - grace: How long a program may live on after `close`.
  /// - Throws: Why the program could not be started; nothing is left behind then.
  public init(
    _ request: LocalProgramRequest,
    version: String,
    on loop: EventLoop,
    output: any TerminalOutputReceiving,
    grace: Duration = .seconds(3)
  ) throws(LocalProgramError) {
    let (spawn, name) = Self.spawn(for: request, version: version)
    do throws(TerminalDeviceError) {
      terminal = try PseudoTerminal(size: request.size)
    } catch { throw .failed(program: spawn.program, diagnostic: "\(error)") }
    var started = spawn
    started.descriptors = Array(repeating: .terminal(path: terminal.path), count: 3)
    process = try started.start()
    processNumber = process.number
    self.name = name
    self.loop = loop
    self.output = output
    self.grace = grace
    do throws(EventLoopError) {
      let watch = try loop.watch(terminal.descriptor.number, for: [.readable]) { [self] events in
        ready(events)
      }
      state.withLock { $0.watch = watch }
      let exitWatch = try loop.watch(process.descriptor.number, for: [.readable]) { [self] _ in
        exited()
      }
      state.withLock { $0.exitWatch = exitWatch }
    } catch {
      state.withLock { $0.watch?.cancel() }
      ProgramSpawn.abandon(process.number)
      throw .failed(program: spawn.program, diagnostic: "watch: \(error)")
    }
    Task { [process] in _ = await process.endWithLoop(loop) }
  }

  private static func spawn(
    for request: LocalProgramRequest,
    version: String
  ) -> (spawn: ProgramSpawn, name: String) {
    let server = ProcessEnvironment.all()
    let account = UserAccount.current()
    let shell = LocalProgramSurroundings.shell(variable: server["SHELL"], account: account)
    let directory = LocalProgramSurroundings.directory([
      request.directory, server["HOME"], account?.home,
    ])
    var program = shell
    var arguments = ["-" + (shell.split(separator: "/").last.map(String.init) ?? "sh")]
    if case .command(let words) = request.program, let first = words.first {
      program = first
      arguments = words
    }
    let name = program
    if request.isIntegrated, case .loginShell = request.program,
      let script = LoginShellStart.localScript(for: shell)
    {
      program = "/bin/sh"
      arguments = ["sh", "-c", script]
    }
    let spawn = ProgramSpawn(
      program: program,
      arguments: arguments,
      environment: LocalProgramSurroundings.environment(
        of: request,
        server: server,
        version: version,
        directory: directory,
        account: account,
        shell: shell
      ),
      directory: directory,
      descriptors: []
    )
    return (spawn, name)
  }

  // MARK: What callers ask for

  /// Writes at once what the terminal takes, and queues the rest.
  @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    return state.withLock { state in
      guard !state.hasEnded, state.queue.count + bytes.count <= Self.inputLimit else {
        return false
      }
      let wasEmpty = state.queue.isEmpty
      state.queue.append(bytes)
      if wasEmpty { flush(&state) }
      return true
    }
  }

  /// Applies the newest size on the loop's next turn.
  public func resize(to size: TerminalDimensions) {
    let isFirst = state.withLock { state in
      defer { state.wantedSize = size }
      return state.wantedSize == nil
    }
    guard isFirst else { return }
    loop.run { [self] in
      if let size = state.withLock({ $0.wantedSize.take() }) { terminal.resize(to: size) }
    }
  }

  /// Hangs the program up, and kills it when it is still there after the grace time.
  public func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosing = true }
      return !state.isClosing && !state.hasEnded
    }
    guard isFirst else { return }
    process.signalGroup(SIGHUP)
    process.signalGroup(SIGCONT)
    let timer = loop.schedule(after: grace) { [self] in
      if state.withLock({ !$0.hasEnded }) { process.signalGroup(SIGKILL) }
    }
    state.withLock { $0.killTimer = timer }
  }

  /// The program in the foreground: the shell itself, or what runs in it.
  public func foreground() -> ForegroundProcess? {
    guard state.withLock({ !$0.hasEnded }) else { return nil }
    if let group = terminal.foregroundGroup(), let found = ForegroundProcess(number: group) {
      return found
    }
    return ForegroundProcess(number: processNumber)
  }

  /// Whether something else than the shell itself has the terminal.
  public var hasForegroundJob: Bool {
    guard state.withLock({ !$0.hasEnded }), let group = terminal.foregroundGroup() else {
      return false
    }
    return group != processNumber
  }

  // MARK: On the loop

  private func ready(_ events: DescriptorEvents) {
    if events.contains(.writable) { state.withLock { flush(&$0) } }
    if events.contains(.readable) { read(limit: Self.turnLimit) }
  }

  private func read(limit: Int) {
    var left = limit
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.turnLimit, alignment: 16) { buffer in
      while left > 0 {
        switch unsafe terminal.read(into: buffer) {
        case .bytes(let count):
          unsafe output.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          left -= count
        case .empty: return
        case .ended:
          // Every program closed it; the end itself comes from the process.
          state.withLock { state in
            state.hasOutputEnded = true
            state.watch?.cancel()
            state.watch = nil
          }
          return
        }
      }
    }
  }

  private func exited() {
    guard let end = process.collect() else { return }
    if state.withLock({ !$0.hasOutputEnded }) { read(limit: Self.finalLimit) }
    let wasClosing = state.withLock { state in
      state.hasEnded = true
      state.watch?.cancel()
      state.exitWatch?.cancel()
      state.killTimer?.cancel()
      state.watch = nil
      state.exitWatch = nil
      state.queue = InputQueue()
      return state.isClosing
    }
    switch end {
    case _ where wasClosing: output.ended(.closed)
    case .exited(let status): output.ended(.exited(status: status))
    case .signalled(let name): output.ended(.signalled(name: name))
    }
  }

  /// Writes until the terminal takes no more, and watches for room only while something waits.
  private func flush(_ state: inout State) {
    while let next = state.queue.next {
      guard let count = terminal.write(next) else {
        state.queue = InputQueue()
        break
      }
      if count == 0 { break }
      state.queue.drop(count)
    }
    state.watch?.setInterest(state.queue.isEmpty ? [.readable] : [.readable, .writable])
  }
}
