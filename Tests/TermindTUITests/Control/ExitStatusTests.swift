import FoundationEssentials
import Glibc
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// Every documented exit status, brought about with the built program.
@Suite("Exit statuses", .timeLimit(.minutes(10))) @MainActor struct ExitStatusTests {
  private struct Failure: Decodable { var error: ControlError }

  private func expect(
    _ found: CommandRun.Outcome,
    _ code: ControlErrorCode,
    _ what: Comment? = nil
  ) throws {
    #expect(found.status == Int(code.exitStatus), what)
    let failure = try JSONDecoder().decode(Failure.self, from: Data(found.errors.utf8))
    #expect(failure.error.code == code, what)
    #expect(failure.error.message.hasSuffix("."), "a sentence: \(failure.error.message)")
  }

  @Test("the pages name each code with the status that the program gives it, and no other")
  func documented() throws {
    var documented: [String: Int] = [:]
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    for page in ["Control", "CommandLine"] {
      let data = try Data(contentsOf: root.appending(path: "Docs/\(page).md"))
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
          String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard cells.count == 5, let status = Int(cells[1]), cells[2].hasPrefix("`") else {
          continue
        }
        let code = cells[2].filter { $0 != "`" }
        #expect(documented[code] ?? status == status, "\(code) has two statuses")
        documented[code] = status
      }
    }
    let real = ControlErrorCode.allCases.map { ($0.rawValue, Int($0.exitStatus)) }
    #expect(documented == Dictionary(uniqueKeysWithValues: real))
    #expect(Set(documented.values).count == documented.count)
  }

  @Test("commands without a server: 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16")
  func withoutServer() async throws {
    let termind = try CommandRun(home: TestHome())
    func run(_ words: String..., secrets: [String] = []) async throws -> CommandRun.Outcome {
      try await termind.run(words + ["--json"], secrets: secrets)
    }
    func make(_ words: String...) async throws {
      #expect(try await termind.run(words).status == 0, "\(words)")
    }
    try await make("host", "add", "web", "--address", "a.example")
    try expect(try await termind.run(["host", "list", "--json"], output: "/dev/full"), .failed)
    try expect(try await run("ctl", "frob"), .usage)
    try expect(try await run("host", "list", "--frob"), .usage)
    try expect(try await run("ctl", "panes"), .noServer)
    try expect(try await run("host", "show", "nobody"), .notFound)
    try await make("template", "add", "all", "--host", "web")
    try expect(try await run("host", "rm", "web"), .needsForce)
    for text in ["one", "two"] { try await make("snippet", "add", "same", "--text", text) }
    try expect(try await run("snippet", "rm", "same"), .ambiguous)
    try expect(try await run("host", "edit", "web", "--port", "0"), .invalid)
    // Not an error: the preview is the answer, and the status says that nothing was done.
    let file = try termind.write("Host other\n  HostName b.example\n", to: "ssh.conf")
    let shown = try await run("import", "ssh-config", file)
    #expect(shown.status == Int(ControlErrorCode.unconfirmed.exitStatus))
    #expect(shown.errors.isEmpty && shown.output.contains("\"count\":1"))
    try expect(try await run("host", "add", "web", "--address", "b"), .conflict)
    try await make("identity", "add", "me", "--user", "root")
    try expect(
      try await run("identity", "edit", "me", "--password-fd", "3", secrets: ["hunter2\n"]),
      .locked
    )
    let lock = try FileLock(path: termind.home.paths.serverLock, note: "process 1, starting")
    try expect(try await run("host", "list"), .busy)
    withExtendedLifetime(lock) {}
    let broken = try CommandRun(home: TestHome())
    try broken.home.paths.prepareAll()
    try Data("no database at all, but long enough to be looked at".utf8)
      .write(to: URL(filePath: "\(broken.home.paths.data)/termind.sqlite"))
    try expect(try await broken("host", "list", "--json"), .store)
  }

  @Test("commands on a running server: 0, 4, 5, 6, 9")
  func withServer() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    let terminal = try TestTerminal()
    _ = try terminal.start(["run", "--", "cat"], home: home.path)
    try #require(await terminal.shows("cat"))
    #expect(try await termind("ctl", "wait", "--state", "up", "--timeout", "60").status == 0)
    try expect(try await termind("ctl", "capture", "--pane", "99"), .notFound)
    try expect(try await termind("ctl", "close-window"), .needsForce)
    try expect(try await termind("ctl", "quit"), .needsForce)
    try expect(try await termind("ctl", "wait", "--text", "x", "--timeout", "0.1"), .timedOut)
    try expect(try await termind("ctl", "focus", "--left"), .notPossible)
    #expect(try await termind("ctl", "quit", "--force").status == 0)
  }

  @Test("a server of another build is 7")
  func otherBuild() async throws {
    let server = try TestServer(build: BuildVersion(text: "9.9", protocolNumber: 7))
    let termind = try CommandRun(home: server.home)
    try expect(try await termind("ctl", "panes"), .otherVersion)
    try expect(try await termind("host", "list", "--json"), .otherVersion)
  }

  @Test("a server that goes away before it answers is 8")
  func lost() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    try home.paths.prepareAll()
    let listener = try LocalSocket.listen(at: home.paths.socket)
    let loop = try EventLoop(name: "lost")
    defer { loop.shutdown() }
    async let found = termind("ctl", "panes")
    try await loop.readable(listener.descriptor.number)
    let taken = try #require(try listener.accept())
    // The request is read before the end, which is then nothing but an end.
    try await loop.readable(taken.descriptor.number)
    taken.setNonblocking()
    while let input = try taken.receive(), !input.bytes.isEmpty {}
    _ = consume taken
    try expect(try await found, .lost)
  }

  @Test("the program itself: 0, 1 and 2; the others stand in the tests of signals and of builds")
  func program() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    #expect(try await termind("--version").status == 0)
    #expect(try await termind("--frob").status == 2)
    // It needs a terminal, which it has not here.
    #expect(try await termind().status == 1)
    let terminal = try TestTerminal()
    let process = try terminal.start(["run", "--", "cat"], home: home.path)
    try #require(await terminal.shows("cat"))
    #expect(try await termind("ctl", "detach").status == 0)
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    let attached = try TestTerminal()
    let second = try attached.start(["attach"], home: home.path)
    try #require(await attached.shows("cat"))
    home.killServer()
    #expect(try await attached.end(of: second) == .exited(status: 1))
  }
}
