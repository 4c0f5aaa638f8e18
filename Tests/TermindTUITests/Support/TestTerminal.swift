import FoundationEssentials
import Glibc
import TermindDomain
import Testing

@testable import TermindInfrastructure

/// A pseudo-terminal on which a test starts the built `termind`, and what appeared on it.
///
/// The other side stays open here too, as a shell would keep it, so its settings can be looked at
/// after the client has gone.
final class TestTerminal: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var waiters: [(part: String, continuation: CheckedContinuation<Bool, Never>)] = []
    var watch: DescriptorWatch?
    var isPaused = false
    var started: [SpawnedProcess] = []
  }

  /// The program under test, which lies beside the tests.
  static var program: String {
    let own = ProcessEnvironment.executablePath()
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/termind"
  }

  let loop: EventLoop
  let pseudo: PseudoTerminal
  let other: TerminalDevice
  let before: TerminalModes
  private let state = Locked(State())
  /// Takes what is shown, and gives what the terminal answers to it.
  private let answer: @Sendable ([UInt8]) -> [UInt8]

  init(
    rows: Int = 24,
    columns: Int = 80,
    answer: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [] }
  ) throws {
    self.answer = answer
    loop = try EventLoop(name: "terminal")
    pseudo = try PseudoTerminal(size: TerminalDimensions(rows: rows, columns: columns))
    let number = Glibc.open(pseudo.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    other = try TerminalDevice(OwnedDescriptor(adopting: number))
    before = try other.modes()
    let watch = try loop.watch(pseudo.descriptor.number, for: [.readable]) { [weak self] _ in
      self?.read()
    }
    state.withLock { $0.watch = watch }
  }

  deinit {
    let started = state.withLock { state in
      state.watch?.cancel()
      return state.started
    }
    loop.shutdown()
    // What ended and was not asked for would stay a zombie, and keep the harness's own wait for its
    // children busy for ever.
    for process in started where process.collect() == nil { ProgramSpawn.abandon(process.number) }
  }

  /// Starts the program, or another one, with this as its controlling terminal.
  func start(_ arguments: [String] = [], home: String, program: String? = nil) throws
    -> SpawnedProcess
  {
    var environment = ProcessEnvironment.all()
    environment["TERMIND_HOME"] = home
    environment["TERM"] = "xterm-256color"
    environment["TERMIND"] = Self.program
    let name = program ?? Self.program
    let process = try ProgramSpawn(
      program: name,
      arguments: [name] + arguments,
      environment: environment,
      directory: "/",
      descriptors: Array(repeating: .terminal(path: pseudo.path), count: 3)
    ).start()
    state.withLock { $0.started.append(process) }
    return process
  }

  /// Waits for the end of a program that was started here.
  func end(of process: SpawnedProcess) async throws -> SpawnedProcess.End? {
    try await loop.readable(process.descriptor.number)
    return process.collect()
  }

  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  /// Whether the settings are those from before the program came.
  var isRestored: Bool { (try? other.modes()) == before }

  var isRaw: Bool { (try? other.modes().isRaw) == true }

  func type(_ text: String) { _ = pseudo.write(Array(text.utf8)[...]) }

  /// Waits until the text contains a part; false when it did not appear within the time.
  @discardableResult func shows(_ part: String, within time: Duration = .seconds(60)) async -> Bool
  {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if String(decoding: state.bytes, as: UTF8.self).contains(part) { return true }
        state.waiters.append((part, continuation))
        return false
      }
      if isThere { return continuation.resume(returning: true) }
      loop.schedule(after: time) { [weak self] in self?.giveUp(on: part) }
    }
  }

  /// Forgets what was shown so far.
  func clear() { state.withLock { $0.bytes = [] } }

  /// Stops or goes on reading, as a terminal that hangs.
  func setReading(_ isReading: Bool) {
    state.withLock { state in
      state.isPaused = !isReading
      state.watch?.setInterest(isReading ? [.readable] : [])
    }
  }

  private func giveUp(on part: String) {
    let overdue = state.withLock { state in
      let overdue = state.waiters.filter { $0.part == part }.map(\.continuation)
      state.waiters.removeAll { $0.part == part }
      return overdue
    }
    for continuation in overdue { continuation.resume(returning: false) }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ pseudo.read(into: $0) }) else {
      return
    }
    let reply = answer(Array(buffer[..<count]))
    if !reply.isEmpty { _ = pseudo.write(reply[...]) }
    let met = state.withLock { state in
      state.bytes += buffer[..<count]
      let text = String(decoding: state.bytes, as: UTF8.self)
      let met = state.waiters.filter { text.contains($0.part) }.map(\.continuation)
      state.waiters.removeAll { text.contains($0.part) }
      return met
    }
    for continuation in met { continuation.resume(returning: true) }
  }
}

/// A data directory of one test, and the real server that may run in it.
final class TestHome: Sendable {
  let path: String

  init() throws {
    path = "/tmp/termind-test-\(UUID().uuidString.prefix(13).lowercased())"
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  var paths: TermindPaths {
    TermindPaths(
      environment: ["TERMIND_HOME": path],
      user: geteuid(),
      homeDirectory: "/",
      currentDirectory: "/"
    )
  }

  /// The process number that the running server wrote into its lock.
  var serverProcess: Int32? {
    guard let data = try? Data(contentsOf: URL(filePath: paths.serverLock)) else { return nil }
    let words = String(decoding: data, as: UTF8.self).split { " ,".contains($0) }
    return words.count > 1 ? Int32(words[1]) : nil
  }

  var log: String {
    (try? Data(contentsOf: URL(filePath: paths.log))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  func killServer() {
    if let number = serverProcess, number != getpid() { _ = kill(number, SIGKILL) }
  }

  deinit {
    killServer()
    try? FileManager.default.removeItem(atPath: path)
  }
}
