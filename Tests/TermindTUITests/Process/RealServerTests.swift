import Glibc
import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

/// The built program as client and as server.
@Suite("Server process", .timeLimit(.minutes(2))) struct RealServerTests {
  @Test("the first client starts the server, which outlives it")
  func coldStart() async throws {
    let home = try TestHome()
    let terminal = try TestTerminal()
    let process = try terminal.start(home: home.path)
    #expect(await terminal.shows("\u{1B}["))
    #expect(terminal.isRaw)
    let server = try #require(home.serverProcess)
    #expect(server != process.number)
    #expect(getsid(server) == server)
    kill(process.number, SIGKILL)
    _ = try await terminal.end(of: process)
    let second = try TestTerminal()
    _ = try second.start(home: home.path)
    #expect(await second.shows("\u{1B}["))
    #expect(home.serverProcess == server)
  }

  @Test("clients that start at once share one server")
  func race() async throws {
    let home = try TestHome()
    let terminals = try (0..<6).map { _ in try TestTerminal() }
    for terminal in terminals { _ = try terminal.start(home: home.path) }
    for terminal in terminals { #expect(await terminal.shows("\u{1B}[")) }
    #expect(home.log.split(separator: "\n").filter { $0.contains("serving at") }.count == 1)
  }

  @Test("a killed server takes no terminal with it, and the next client starts anew")
  func killedServer() async throws {
    let home = try TestHome()
    var clients: [(TestTerminal, SpawnedProcess)] = []
    for _ in 0..<2 {
      let terminal = try TestTerminal()
      clients.append((terminal, try terminal.start(home: home.path)))
      #expect(await terminal.shows("\u{1B}["))
    }
    home.killServer()
    for (terminal, process) in clients {
      #expect(try await terminal.end(of: process) == .exited(status: 1))
      #expect(await terminal.shows("termind: the server ended unexpectedly"))
      #expect(terminal.isRestored)
    }
    let next = try TestTerminal()
    _ = try next.start(home: home.path)
    #expect(await next.shows("\u{1B}["))
  }

  @Test("a client without a terminal refuses to start")
  func noTerminal() async throws {
    let home = try TestHome()
    let terminal = try TestTerminal()
    let process = try ProgramSpawn(
      program: TestTerminal.program,
      arguments: ["termind"],
      environment: ["TERMIND_HOME": home.path],
      directory: "/",
      descriptors: [.null, .null, .terminal(path: terminal.pseudo.path)]
    ).start()
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("it needs a terminal"))
    #expect(home.serverProcess == nil)
  }

  @Test("a socket directory that others may use is refused with the remedy")
  func openDirectory() async throws {
    let home = try TestHome()
    let run = home.paths.runtime
    #expect(mkdir(run, 0o700) == 0)
    #expect(chmod(run, 0o777) == 0)
    let terminal = try TestTerminal()
    let process = try terminal.start(home: home.path)
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("run: chmod 700 \(run)"))
    #expect(terminal.isRestored)
  }

  @Test("SIGTERM ends the server in order")
  func terminate() async throws {
    let home = try TestHome()
    let terminal = try TestTerminal()
    let process = try terminal.start(home: home.path)
    await terminal.shows("\u{1B}[")
    kill(try #require(home.serverProcess), SIGTERM)
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    #expect(terminal.isRestored)
  }
}
