import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("termind cp, get, put and mirror that are interrupted or ask", .serialized)
struct TransferCommandFaultTests: TransferCommandBench {
  let home: TerminalHome
  let folder: TemporaryFolder

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  @Test("what only a person can answer is asked at the terminal, and refused in words without one")
  func asks() async throws {
    try folder.write("file", "text")
    let server = try await OpenSSHServer()
    try home.install(key: server.userKey)
    let key = home.folder.file(".ssh/id_ed25519")
    chmod(key, 0o600)
    try await TestProgram.run("/usr/bin/ssh-keygen", ["-q", "-p", "-N", "wide open", "-f", key])
    let place = "[\(OpenSSHServer.user)@127.0.0.1:\(server.port)]:\(folder.path)"
    let refusal = try await shell("$T cp file '\(place)/copy'", 18)
    #expect(refusal.contains("only you can answer") && refusal.contains("at a terminal"))
    let terminal = try await TmuxTerminal(home, ["cp", "\(folder.path)/file", "\(place)/copy"])
    try await terminal.wait(for: "Trust it?")
    #expect(try await terminal.screen().contains("SHA256:"))
    try await terminal.type("y\n")
    try await terminal.wait(for: "Passphrase")
    try await terminal.type("wide open\n")
    let rows = try await terminal.wait(for: "[exit 0]")
    #expect(rows.contains("1 file (4) copied.") && !rows.contains("wide open"))
    #expect(try TemporaryFolder.read(folder.file("copy")) == "text")
    withExtendedLifetime(server) {}
  }

  @Test("who gives up at a question ends the command")
  func givesUp() async throws {
    try folder.write("file", "text")
    let server = try await OpenSSHServer()
    try home.install(key: server.userKey)
    let place = "[\(OpenSSHServer.user)@127.0.0.1:\(server.port)]:\(folder.path)"
    let terminal = try await TmuxTerminal(home, ["cp", "\(folder.path)/file", "\(place)/copy"])
    try await terminal.wait(for: "Trust it?")
    try await terminal.type("\n")
    let rows = try await terminal.wait(for: "[exit 17]")
    #expect(rows.contains("is not trusted") && !exists("copy"))
    // Ctrl-C is an interrupt there as well.
    let again = try await TmuxTerminal(home, ["cp", "\(folder.path)/file", "\(place)/copy"])
    try await again.wait(for: "Trust it?")
    try await again.press("C-c")
    let end = try await again.wait(for: "[exit 130]")
    #expect(end.contains("Stopped at a question") && !exists("copy"))
    withExtendedLifetime(server) {}
  }

  @Test("an interrupt stops it and leaves nothing half behind")
  func interrupts() async throws {
    make("there")
    try await shell("truncate -s 60G large")
    let server = try await server()
    let program = try TestProgram(
      home.program,
      ["put", "--json", folder.file("large"), "box:\(folder.path)/there"],
      environment: home.variables
    )
    try await program.wait(for: "\"planned\":true")
    try await waitFor("the temporary file") {
      (try? names("there"))?.first?.hasSuffix(".part") == true
    }
    program.signal(SIGINT)
    #expect(try await program.waitForExit() == 130)
    let end = try #require(try lines(program.text).last)
    #expect(end["event"] as? String == "end" && end["cancelled"] as? Bool == true)
    #expect(end["status"] as? Int == 130 && end["files"] as? Int == 0)
    #expect(try names("there") == [])
    withExtendedLifetime(server) {}
  }

  @Test("a lost connection is brought back without a question, and the copy goes on where it was")
  func recovers() async throws {
    make("there", "here")
    try home.write(configuration: "transfer-bandwidth = 4M\n")
    try await shell("head -c 40000000 /dev/urandom > there/large")
    try folder.write("there/small", "small")
    let server = try await server()
    let program = try TestProgram(
      home.program,
      ["get", "-r", "--json", "box:\(folder.path)/there", folder.file("here")],
      environment: home.variables
    )
    // The first place that can be proved lies at 8 MB.
    try await waitFor("the first bytes") { partialSize("here/there") > 9_000_000 }
    try server.signalSessions(SIGKILL)
    #expect(try await program.waitForExit() == 0)
    let found = try lines(program.text)
    // One loss, one attempt: told once.
    #expect(found.count { ($0["message"] as? String)?.contains("It is tried again") == true } == 1)
    #expect(found.last?["files"] as? Int == 2 && found.last?["failed"] as? Int == 0)
    try await shell("diff -r there here/there")
    withExtendedLifetime(server) {}
  }

  @Test("a connection that does not come back fails the command, which says so")
  func lost() async throws {
    make("there", "here")
    try home.write(configuration: "transfer-bandwidth = 2M\n")
    try await shell("head -c 40000000 /dev/urandom > there/large")
    for number in 0..<200 { try folder.write("there/small-\(number)", "small") }
    let server = try await server()
    let program = try TestProgram(
      home.program,
      ["get", "-r", "--json", "box:\(folder.path)/there", folder.file("here")],
      environment: home.variables
    )
    try await waitFor("the first bytes") { partialSize("here/there") > 100_000 }
    // A server that knows the key no more lets nobody in.
    try server.folder.write("user_key.pub", "")
    try server.signalSessions(SIGKILL)
    #expect(try await program.waitForExit() == 8)
    let found = try lines(program.text)
    let failures = found.filter { $0["event"] as? String == "failed" }
    #expect(failures.contains { $0["code"] as? String == "lost" })
    #expect(
      failures.contains {
        ($0["message"] as? String)?.contains("Not everything was copied") == true
      }
    )
    #expect(!exists("here/there/large"))
    withExtendedLifetime(server) {}
  }

  @Test("it shares the server of the windows, and quitting names it")
  func shared() async throws {
    make("there")
    try await shell("truncate -s 60G large")
    let server = try await server()
    let terminal = try await TmuxTerminal.withShell(home)
    let program = try TestProgram(
      home.program,
      ["put", "--json", folder.file("large"), "box:\(folder.path)/there"],
      environment: home.variables
    )
    try await program.wait(for: "\"planned\":true")
    #expect(try await shell("$T quit", 5).contains("1 termind command stopped"))
    try await shell("$T quit --force")
    #expect(try await program.waitForExit() == 8)
    #expect(program.text.contains("The server was ended"))
    #expect(try names("there") == [])
    withExtendedLifetime((server, terminal)) {}
  }

  @Test(
    "after a kill of the server the next one knows what commands copied, and ends or removes it"
  )
  func killed() async throws {
    make("there", "here", "site")
    try home.write(configuration: "transfer-bandwidth = 2M\n")
    try await shell("head -c 30000000 /dev/urandom > there/large; cp there/large site/large")
    let server = try await server()
    func start(_ words: String...) throws -> TestProgram {
      try TestProgram(home.program, words, environment: home.variables)
    }
    let get = try start(
      "get",
      "--json",
      "box:\(folder.path)/there/large",
      folder.file("here/other")
    )
    let mirror = try start("mirror", "--json", folder.file("site"), "box:\(folder.path)/mirrored")
    func partials(_ directory: String) -> [String] {
      ((try? names(directory)) ?? []).filter { $0.hasSuffix(".part") }
    }
    func record() -> String {
      (try? TemporaryFolder.read(home.folder.file("home/state/transfers.json"))) ?? ""
    }
    try await waitFor("both temporary files") {
      !partials("here").isEmpty && !partials("mirrored").isEmpty
    }
    try await waitFor("the record of both") {
      record().components(separatedBy: "\"wasCutOff\":true").count == 3
        && !record().contains("\"begun\":[]")
    }
    kill(try home.serverProcess(), SIGKILL)
    for program in [get, mirror] { #expect(try await program.waitForExit() == 8) }
    #expect(partials("here").count == 1 && partials("mirrored").count == 1)
    try home.write(configuration: "")
    let next = try await TmuxTerminal(home, columns: 140, rows: 30)
    try await next.wait(for: "2 transfers of the last time wait")
    try await next.leader("t")
    // All that waits goes on.
    try await next.press("P")
    try await waitFor("both copies") { exists("here/other") && exists("mirrored/large") }
    try await shell("cmp there/large here/other && cmp site/large mirrored/large")
    try await waitFor("the end of the record") { record().isEmpty }
    #expect(try names("here") == ["other"] && names("mirrored") == ["large"])
    withExtendedLifetime((server, next)) {}
  }
}
