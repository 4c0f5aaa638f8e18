import FoundationEssentials
import Glibc
import TermindTestSupport
import Testing

@Suite("Snippets in several places", .serialized) struct SnippetRunTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func save(_ name: String, _ server: OpenSSHServer, port: UInt16? = nil) async throws {
    try await home.run(
      "host",
      "add",
      "--name",
      name,
      "--address",
      "127.0.0.1",
      "--port",
      "\(port ?? server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey,
      "--tag",
      "fleet"
    )
  }

  private func trust(_ server: OpenSSHServer) throws {
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
  }

  @Test("outputs and statuses of hosts stand side by side, and a dead host says why")
  func hosts() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server)
    try await save("web2", server)
    try await save("gone", server, port: 1)
    try await home.run(
      "snippet",
      "add",
      "--name",
      "check",
      "--text",
      "echo out-$((40+2)) {{what:one|two}} {{where}}; exit 3"
    )
    let terminal = try await TmuxTerminal.withShell(home, columns: 160, rows: 40)
    try await terminal.leader("e", "h")
    try await terminal.wait(for: "Run a snippet")
    try await terminal.press("Enter")
    // A choice is turned, not typed; what belongs to no choice changes nothing.
    try await terminal.wait("the first choice") { rows in
      rows.contains { $0.contains("what") && $0.contains("one") && $0.contains("1/2 ‹ ›") }
    }
    try await terminal.type("x")
    try await terminal.press("Right")
    try await terminal.wait("the second choice") { rows in
      rows.contains { $0.contains("what") && $0.contains("two") && $0.contains("2/2 ‹ ›") }
    }
    try await terminal.press("Enter", "Enter")
    try await terminal.wait(for: "where is to be filled in.")
    try await terminal.type("here")
    try await terminal.press("Enter")
    try await terminal.type("#none")
    try await terminal.press("Enter")
    try await terminal.wait(for: "No host has the tag #none.")
    try await terminal.press("C-u")
    try await terminal.type("#fleet")
    try await terminal.press("Enter")
    let rows = try await terminal.wait(for: "3 of 3 ended, 0 well")
    let heads = try #require(
      rows.first { $0.contains("web1") && $0.contains("web2") && $0.contains("gone") }
    )
    #expect(heads.components(separatedBy: "✗ 3").count == 3)
    #expect(heads.contains("✗ refused"))
    #expect(rows.contains { $0.components(separatedBy: "out-42 two here").count == 3 })
    try await terminal.press("Escape")
    try await terminal.wait(without: "3 of 3 ended")
  }

  @Test("a cancelled run ends on its hosts, with everything that it started")
  func cancel() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server)
    let mark = server.folder.file("numbers")
    try await home.run(
      "snippet",
      "add",
      "--name",
      "long",
      "--text",
      "sleep 600 & echo $$ $! > \(mark); echo begun; wait; echo went on"
    )
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("e", "h")
    try await terminal.wait(for: "Run a snippet")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Hosts")
    try await terminal.type("web1")
    try await terminal.press("Enter")
    try await terminal.wait(for: "begun")
    let numbers = try TemporaryFolder.read(mark).split { !$0.isNumber }.compactMap { pid_t($0) }
    #expect(numbers.count == 2 && numbers.allSatisfy { kill($0, 0) == 0 })
    try await terminal.type("c")
    try await terminal.wait(for: "✗ cancelled")
    try await ended(numbers)
    #expect(try await !terminal.screen().contains { $0.contains("went on") })
  }

  private func ended(_ numbers: [pid_t]) async throws {
    _ = try await home.poll(
      "the end of \(numbers)",
      { _ in numbers.filter { kill($0, 0) == 0 } }
    ) { $0.isEmpty }
  }

  @Test("a command that does not want to end is given up, which is said, also behind the sheet")
  func stubborn() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server)
    let mark = server.folder.file("number")
    try await home.run(
      "snippet",
      "add",
      "--name",
      "deaf",
      "--text",
      "trap '' TERM; echo $$ > \(mark); echo begun; while :; do sleep 1; done"
    )
    let terminal = try await TmuxTerminal.withShell(home)
    func begin() async throws -> pid_t {
      try await terminal.leader("e", "h")
      try await terminal.wait(for: "Run a snippet")
      try await terminal.press("Enter")
      try await terminal.wait(for: "Hosts")
      try await terminal.type("web1")
      try await terminal.press("Enter")
      try await terminal.wait(for: "begun")
      return try #require(pid_t(TemporaryFolder.read(mark).filter(\.isNumber)))
    }
    let first = try await begin()
    defer { kill(first, SIGKILL) }
    try await terminal.type("c")
    try await terminal.wait(for: "… stopping")
    try await terminal.wait(for: "✗ given up; it may go on there")
    #expect(kill(first, 0) == 0)
    try await terminal.press("Escape")
    try await terminal.wait(without: "given up")
    let second = try await begin()
    defer { kill(second, SIGKILL) }
    try await terminal.press("Escape")
    try await terminal.wait(for: "deaf was given up and may go on: web1.")
  }

  @Test("a host whose shell is to be left alone gets the text as it is")
  func dispatcher() async throws {
    // It knows one command only, as a switch or a chrooted account does.
    let server = try await OpenSSHServer([
      "ForceCommand case \"$SSH_ORIGINAL_COMMAND\" in 'show version') echo v-$((40+2));; *) echo unknown; exit 1;; esac"
    ])
    try trust(server)
    try await save("switch", server)
    try await home.run("host", "edit", "switch", "--shell-integration", "disable")
    try await home.run("snippet", "add", "--name", "v", "--text", "show version")
    let told = try await termind("snippet", "run", "v", "--on", "switch", "--json")
    let row = try #require(try rows(told.text).first)
    #expect(row.status == 0 && row.output == "v-42\n")
  }

  @Test("a host whose shell is to be left alone gets the text as it is")
  func untouched() async throws {
    let server = try await OpenSSHServer(["ForceCommand printf %s \"$SSH_ORIGINAL_COMMAND\""])
    try trust(server)
    try await save("router", server)
    try await home.run("snippet", "add", "--name", "v", "--text", "show version")
    try await home.run("host", "edit", "router", "--shell-integration", "disable")
    let told = try await termind("snippet", "run", "v", "--on", "router", "--json")
    #expect(try rows(told.text).map(\.output) == ["show version"])
  }

  private struct Row: Decodable {
    var host: String
    var status: Int?
    var error: String?
    var output: String
    var truncated: Bool?
  }

  /// Runs `termind` to its end, also one that fails; what it printed and its status.
  private func termind(_ words: String...) async throws -> (status: Int32, text: String) {
    let program = try TestProgram(home.program, words, environment: home.variables)
    return (try await program.waitForExit(), program.text)
  }

  private func rows(_ text: String) throws -> [Row] {
    try text.split(separator: "\n")
      .map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
      .sorted { $0.host < $1.host }
  }

  @Test(
    "the command line runs one on hosts and tags without a window, and tells each with its status"
  )
  func commandLine() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    try await save("web1", server)
    try await save("web2", server)
    try await save("gone", server, port: 1)
    try await home.run(
      "snippet",
      "add",
      "--name",
      "check",
      "--text",
      "echo out-{{what:one|two}}-{{where}}; echo bad >&2; exit {{status=0}}"
    )
    let refused = try await termind("snippet", "run", "check", "--on", "web1")
    #expect(refused.status == 11 && refused.text.contains("--set where=…"))
    let wrong = try await termind(
      "snippet",
      "run",
      "check",
      "--on",
      "web1",
      "--set",
      "where=x",
      "--set",
      "what=three"
    )
    #expect(wrong.status == 11 && wrong.text.contains("what is one of: one, two"))
    let nobody = try await termind("snippet", "run", "check", "--tag", "none", "--set", "where=x")
    #expect(nobody.status == 4 && nobody.text.contains("No host has the tag none"))
    let well = try await termind(
      "snippet",
      "run",
      "check",
      "--on",
      "web1",
      "web2",
      "--set",
      "what=two",
      "--set=where=here"
    )
    #expect(well.status == 0)
    for name in ["web1", "web2"] { #expect(well.text.contains("== \(name): exit 0\n")) }
    #expect(well.text.components(separatedBy: "out-two-here\n").count == 3)
    let some = try await termind(
      "snippet",
      "run",
      "check",
      "--tag",
      "fleet",
      "--json",
      "--set",
      "where=x",
      "--set",
      "status=3"
    )
    #expect(some.status == 1)
    let all = try rows(some.text)
    #expect(all.map(\.host) == ["gone", "web1", "web2"])
    #expect(all.map(\.status) == [nil, 3, 3])
    #expect(all[0].error == "refused" && all[1].error == nil)
    #expect(all[1].output.contains("out-one-x\n") && all[1].output.contains("bad\n"))
  }

  @Test("an output without end is cut, and says so; Ctrl-C ends a run and tells every host")
  func interrupted() async throws {
    let server = try await OpenSSHServer()
    try trust(server)
    // More than are at work at once.
    for number in 1...10 { try await save("web\(number)", server) }
    try await home.run("snippet", "add", "--name", "much", "--text", "yes | head -c 1000000")
    let much = try await termind("snippet", "run", "much", "--on", "web1", "--json")
    let row = try #require(try rows(much.text).first)
    #expect(row.status == 0 && row.truncated == true && row.output.utf8.count > 255 << 10)
    #expect(row.output.utf8.count <= 256 << 10 && row.output.hasSuffix("y\ny\n"))
    let mark = server.folder.file("begun")
    try await home.run(
      "snippet",
      "add",
      "--name",
      "long",
      "--text",
      "echo begun; echo $$ >> \(mark); exec sleep 600"
    )
    let program = try TestProgram(
      home.program,
      ["snippet", "run", "long", "--tag", "fleet", "--json"],
      environment: home.variables
    )
    _ = try await home.poll("eight at work", { _ in (try? TemporaryFolder.read(mark)) ?? "" }) {
      $0.count(where: \.isNewline) == 8
    }
    program.signal(SIGINT)
    #expect(try await program.waitForExit() == 130)
    let all = try rows(program.text)
    #expect(all.count == 10 && all.allSatisfy { $0.status == nil })
    #expect(all.allSatisfy { $0.error == "cancelled" })
    let numbers = try TemporaryFolder.read(mark).split { !$0.isNumber }.compactMap { pid_t($0) }
    #expect(numbers.count == 8)
    try await ended(numbers)
    // Two of them had not begun.
    #expect(all.allSatisfy { $0.output == "begun\n" || $0.output.isEmpty })
    #expect(all.count { $0.output.isEmpty } >= 2)
  }

  @Test("panes of a broadcast get it all, have one size where that is wanted, and go by tag")
  func panes() async throws {
    try await home.run("snippet", "add", "--name", "size", "--text", "stty size")
    let terminal = try await TmuxTerminal.withShell(home, columns: 121)
    try await terminal.leader("|")
    try await terminal.wait("two prompts") { rows in
      rows.joined().components(separatedBy: TerminalHome.prompt).count == 3
    }
    try await terminal.leader("-")
    _ = try await home.poll("three panes", { try await $0.panes() }) { $0.count == 3 }
    try await terminal.leader("e", "w")
    try await terminal.leader("e", "z")
    let even = try await home.poll("one size", { try await $0.panes() }) { panes in
      Set(panes.map { "\($0.rows) \($0.columns)" }).count == 1
    }
    try await terminal.leader("e", "s")
    try await terminal.wait(for: "Run a snippet")
    try await terminal.press("Enter")
    let size = "\(even[0].rows) \(even[0].columns)"
    try await terminal.wait("the size in each pane") { rows in
      rows.joined(separator: "\n").components(separatedBy: size).count == 4
    }
    try await terminal.leader("e", "t")
    try await terminal.wait(for: "has a tag")
    try await terminal.leader("e", "z")
    _ = try await home.poll("their own sizes", { try await $0.panes() }) { panes in
      Set(panes.map { "\($0.rows) \($0.columns)" }).count > 1
    }
  }
}
