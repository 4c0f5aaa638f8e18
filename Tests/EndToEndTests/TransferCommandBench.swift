import Foundation
import Glibc
import TermindTestSupport
import Testing

/// What tests of `termind cp`, `get`, `put` and `mirror` have in common: hosts, a folder, and a shell in it.
protocol TransferCommandBench {
  var home: TerminalHome { get }
  var folder: TemporaryFolder { get }
}

extension TransferCommandBench {
  /// A server whose key is known, saved as a host.
  func server(_ name: String = "box", _ options: String...) async throws -> OpenSSHServer {
    let server = try await OpenSSHServer(options)
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    let known = home.folder.file(".ssh/known_hosts")
    let before = (try? TemporaryFolder.read(known)) ?? ""
    try home.write(knownHosts: before + "[127.0.0.1]:\(server.port) \(key)\n")
    try await home.run(
      "host",
      "add",
      "--name",
      name,
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey
    )
    return server
  }

  /// Runs a line of the shell in the folder of the test, with `termind` as `$T`.
  @discardableResult
  func shell(_ line: String, _ status: Int32 = 0) async throws -> String {
    let program = try TestProgram(
      "/bin/sh",
      ["-c", "cd '\(folder.path)'; T='\(home.program)'; \(line)"],
      environment: home.variables
    )
    let found = try await program.waitForExit()
    #expect(found == status, "\(line): \(program.text)")
    return program.text
  }

  func make(_ directories: String...) {
    for name in directories { mkdir(folder.file(name), 0o755) }
  }

  func exists(_ name: String) -> Bool {
    var status = stat()
    return lstat(folder.file(name), &status) == 0
  }

  func waitFor(_ what: String, _ condition: () -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while !condition() {
      guard clock.now < deadline else { throw TestFailure("\(what) did not come") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func names(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file(directory)).sorted()
  }

  func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  func partialSize(_ directory: String) -> Int {
    var status = stat()
    let name = (try? names(directory))?.first { $0.hasPrefix(".large") && $0.hasSuffix(".part") }
    guard let name, stat(folder.file("\(directory)/\(name)"), &status) == 0 else { return 0 }
    return Int(status.st_size)
  }
}
