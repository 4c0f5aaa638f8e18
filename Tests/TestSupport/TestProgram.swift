import CLinux
import Glibc
import TermindInfrastructure

/// A program started by a test: its output is collected, and it is stopped by its process id at the end.
public final class TestProgram: Sendable {
  private struct Output {
    var text = ""
    var isOver = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The process id.
  public let pid: Int32
  private let output = Locked(Output())
  private let input: Int32
  private let isReaped = Locked(false)

  /// Starts a program; standard output and error are collected together.
  ///
  /// - Parameters:
  ///   - path: The program's absolute path.
  ///   - arguments: Without the name.
  ///   - environment: Replaces the inherited one; nil keeps that.
  /// - Throws: A `TestFailure` when it cannot be started.
  public init(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws {
    var outputPipe: [Int32] = [0, 0]
    var inputPipe: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &outputPipe) == 0,
      socketpair(AF_UNIX, kind, 0, &inputPipe) == 0
    else { throw TestFailure("socketpair: \(errno)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputPipe[0], 0)
    posix_spawn_file_actions_adddup2(&actions, outputPipe[1], 1)
    posix_spawn_file_actions_adddup2(&actions, outputPipe[1], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    // Whoever runs the tests may ignore signals, SIGHUP above all; the program must not inherit that.
    var everySignal = sigset_t()
    sigfillset(&everySignal)
    posix_spawnattr_setsigdefault(&attributes, &everySignal)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    )
    let words = [path] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var envp: [UnsafeMutablePointer<CChar>?] =
      (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in envp { free(word) } }
    var pid: pid_t = 0
    let status =
      environment == nil
      ? posix_spawn(&pid, path, &actions, &attributes, &argv, environ)
      : posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
    close(inputPipe[0])
    close(outputPipe[1])
    guard status == 0 else {
      close(inputPipe[1])
      close(outputPipe[0])
      throw TestFailure("\(path): \(systemMessage(status))")
    }
    self.pid = pid
    input = inputPipe[1]
    let reader = outputPipe[0]
    let output = output
    try NamedThread.start(name: "test-output") {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(reader, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        let waiters = output.withLock { output in
          if count > 0 {
            output.text += String(decoding: buffer[..<count], as: UTF8.self)
          } else {
            output.isOver = true
          }
          defer { output.waiters = [] }
          return output.waiters
        }
        for waiter in waiters { waiter.resume() }
        guard count > 0 else { break }
      }
      close(reader)
    }
  }

  /// What it has written so far.
  public var text: String { output.withLock { $0.text } }

  /// Suspends until its output contains a text; throws when it ends without.
  public func wait(for part: String) async throws {
    try await withDeadline("\(part) from process \(pid)") { [self] in
      while !text.contains(part) {
        if output.withLock({ $0.isOver && !$0.text.contains(part) }) {
          throw TestFailure("process \(pid) ended without '\(part)': \(text)")
        }
        await waitForMore { $0.isOver || $0.text.contains(part) }
        try Task.checkCancellation()
      }
    }
  }

  /// Suspends until something was written or the task is cancelled, unless that is so already.
  private func waitForMore(unless isReady: @Sendable (Output) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = output.withLock { output in
          if isReady(output) || Task.isCancelled { return true }
          output.waiters.append(continuation)
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let waiters = output.withLock { output in
        defer { output.waiters = [] }
        return output.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Suspends until it has closed its output, and returns its exit status.
  public func waitForExit() async throws -> Int32 {
    try await withDeadline("the end of process \(pid)") { [self] in
      while !output.withLock({ $0.isOver }) {
        await withCheckedContinuation { continuation in
          let isReady = output.withLock { output in
            if output.isOver { return true }
            output.waiters.append(continuation)
            return false
          }
          if isReady { continuation.resume() }
        }
      }
    }
    return reap()
  }

  /// Gives it bytes to read; throws when it takes none any more.
  public func write(_ bytes: [UInt8]) throws {
    guard send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw TestFailure("process \(pid) takes no input: \(systemMessage(errno))")
    }
  }

  /// Lets it see the end of its input.
  public func endInput() { shutdown(input, Int32(SHUT_WR)) }

  /// Sends a signal.
  public func signal(_ number: Int32) { kill(pid, number) }

  /// Ends it, by force if it does not go by itself, and waits for that.
  public func stop() {
    guard !isReaped.withLock({ $0 }) else { return }
    kill(pid, SIGTERM)
    for _ in 0..<200 {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) != 0 {
        isReaped.withLock { $0 = true }
        return
      }
      usleep(5_000)
    }
    kill(pid, SIGKILL)
    _ = reap()
  }

  @discardableResult private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isReaped.withLock { $0 = true }
    return (status >> 8) & 0xFF
  }

  deinit {
    stop()
    close(input)
  }

  /// Runs a program to its end and returns its output; throws unless it exits with zero.
  @discardableResult
  public static func run(
    _ path: String,
    _ arguments: [String],
    environment: [String: String]? = nil
  )
    async throws -> String
  {
    let program = try TestProgram(path, arguments, environment: environment)
    let status = try await program.waitForExit()
    guard status == 0 else { throw TestFailure("\(path) exited with \(status): \(program.text)") }
    return program.text
  }
}

func systemMessage(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}
