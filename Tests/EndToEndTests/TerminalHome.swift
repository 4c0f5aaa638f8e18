import Foundation
import Glibc
import TermindTestSupport

/// A data directory of its own for one test, with the server that runs in it.
final class TerminalHome: Sendable {
  /// What shells of the tests print before a command.
  static let prompt = "ready>"

  let folder: TemporaryFolder

  /// Makes the directory.
  ///
  /// - Throws: A `TestFailure` when it cannot be made.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(".profile", "PS1='\(Self.prompt) '\nexport PS1\n")
  }

  deinit {
    // Nothing may outlive a test, also when it failed half-way.
    if let server = try? serverProcess() { kill(server, SIGTERM) }
  }

  /// The built program, beside the test bundle.
  var program: String {
    let bundle = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    let beside = bundle.appending(path: "termind").path
    if FileManager.default.isExecutableFile(atPath: beside) { return beside }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.appending(path: ".build/debug/termind").path
  }

  /// What the program is started with: nothing of the person who runs the tests.
  var variables: [String: String] {
    [
      "TERMIND_HOME": folder.file("home"), "HOME": folder.path, "SHELL": "/bin/sh",
      "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "ENV": "",
      "TERM": "tmux-256color",
    ]
  }

  var environment: [String] { ["-i"] + variables.map { "\($0.key)=\($0.value)" } }

  /// Runs `termind` with arguments and gives its output; throws unless it exits with zero.
  @discardableResult
  func run(_ arguments: String...) async throws -> String {
    try await TestProgram.run(program, arguments, environment: variables)
  }

  /// Writes an executable script into the home and gives its path.
  func script(_ name: String, _ text: String) throws -> String {
    try folder.write(name, "#!/bin/sh\n\(text)\n", mode: 0o700)
  }

  /// Writes the person's configuration file.
  func write(configuration text: String) throws {
    for name in ["home", "home/config"] { mkdir(folder.file(name), 0o700) }
    try folder.write("home/config/config", text)
  }

  /// Makes a key the usual one of the person.
  func install(key: String) throws {
    mkdir(folder.file(".ssh"), 0o700)
    try folder.write(".ssh/id_ed25519", try TemporaryFolder.read(key))
  }

  /// Writes the person's known hosts.
  func write(knownHosts text: String) throws {
    mkdir(folder.file(".ssh"), 0o700)
    try folder.write(".ssh/known_hosts", text)
  }

  /// The number of the server's process, from its lock file.
  func serverProcess() throws -> Int32 {
    let note = try TemporaryFolder.read(folder.file("home") + "/data/server.lock")
    let digits = note.split(separator: " ").dropFirst().first?.prefix { $0.isNumber }
    guard let digits, let number = Int32(digits) else {
      throw TestFailure("the lock names no process: \(note)")
    }
    return number
  }
}
