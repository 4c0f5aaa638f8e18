import FoundationEssentials
import TermindDomain
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence

/// The built `termind` with a data directory of its own; its server is ended with the object.
final class TermindInstance {
  private let program: String
  private let root: String
  private let environment: [String: String]
  private let scratch: ScratchFolder

  /// Finds the program that was built beside this one; its server starts with the first window.
  ///
  /// - Parameters:
  ///   - scratch: Where its data lie.
  ///   - home: The home directory, for known hosts.
  ///   - name: Tells instances of one case apart.
  /// - Throws: `.notBuilt` when there is no such program.
  init(scratch: ScratchFolder, home: String, name: String = "termind") throws(BenchError) {
    program = try Self.program()
    root = scratch.file(name)
    var environment = BenchEnvironment.variables(home: home)
    environment["TERMIND_HOME"] = root
    self.environment = environment
    self.scratch = scratch
  }

  /// The `termind` beside this program.
  static func program() throws(BenchError) -> String {
    let own = ProcessEnvironment.executablePath()
    let program = "\(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])/termind"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw .notBuilt(path: program)
    }
    return program
  }

  deinit {
    // It may not run any more, which is what is wanted.
    try? end()
  }

  /// Opens a terminal in which `termind` runs with these words.
  func open(
    _ words: [String],
    rows: Int = 50,
    columns: Int = 160,
    isRecording: Bool = false
  ) throws(BenchError) -> DrivenTerminal {
    try DrivenTerminal(
      [program] + words,
      environment: environment,
      rows: rows,
      columns: columns,
      isRecording: isRecording
    )
  }

  /// Writes the settings that its server reads when it starts.
  func configure(_ text: String) throws(BenchError) {
    let folder = "\(root)/config"
    do {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      try text.write(toFile: "\(folder)/config", atomically: true, encoding: .utf8)
    } catch {
      throw .failed(step: "write the settings", diagnostic: "\(error)")
    }
  }

  /// Runs `termind` with these words, without a terminal, and gives what it prints.
  @discardableResult
  func run(_ words: [String]) throws(BenchError) -> String {
    try FinishedProgram.output([program] + words, environment: environment, scratch: scratch)
  }

  /// Saves records into the store; only while no server runs.
  func save(_ batch: VaultBatch) throws {
    let data = "\(root)/data"
    try FileManager.default.createDirectory(
      atPath: data,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try Waiting.result {
      let store = try await SQLiteStore.open(at: "\(data)/termind.sqlite")
      try await store.save(batch, policy: .neverOverwrite)
      await store.close()
    }
  }

  /// Runs `termind ctl` and gives what it prints.
  @discardableResult
  func control(_ words: String...) throws(BenchError) -> String {
    try FinishedProgram.output(
      [program, "ctl"] + words,
      environment: environment,
      scratch: scratch
    )
  }

  /// Blocks until a window has no terminal, so that `attach` finds one.
  func waitForDetachedWindow() throws(BenchError) {
    for _ in 0..<50 {
      if try control("windows", "--json").contains("\"attached\":false") { return }
      _ = DescriptorWait.readable([], milliseconds: 50)
    }
    throw .timeout(awaited: "a detached window", screen: "")
  }

  /// The process number of the server, which its lock file tells.
  func serverNumber() throws(BenchError) -> Int32 {
    let note = ScratchFolder.text(of: "\(root)/data/server.lock")
    let words = note.split { $0 == " " || $0 == "," }
    guard words.count > 1, words[0] == "process", let number = Int32(words[1]) else {
      throw .failed(step: "find the server", diagnostic: "its lock says '\(note)'")
    }
    return number
  }

  /// Ends the server with everything in it, and returns when it has gone.
  func end() throws(BenchError) {
    let number = try serverNumber()
    guard ProcessFigures.isAlive(number) else { return }
    try control("quit", "--force")
    try ProcessEnd.wait(for: number)
  }
}
