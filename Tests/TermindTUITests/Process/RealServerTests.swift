import Glibc
import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

/// The built program as client and as server.
@Suite("Server process", .timeLimit(.minutes(10))) struct RealServerTests {
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

  @Test("a server that was asked to quit is gone when the command returns, and the next one starts")
  func quitAndStart() async throws {
    let home = try TestHome()
    let run = try CommandRun(home: home)
    for round in 1...6 {
      let terminal = try TestTerminal()
      let process = try terminal.start(home: home.path)
      #expect(await terminal.shows("\u{1B}["), "\(round)")
      let server = try #require(home.serverProcess)
      #expect(try await run("ctl", "quit").status == 0)
      // It holds its lock no more.
      _ = try FileLock(path: home.paths.serverLock, note: "test")
      #expect(try await terminal.end(of: process) == .exited(status: 0))
      #expect(terminal.isRestored)
      #expect(server != home.serverProcess)
    }
  }

  @Test("a client that comes while the server says goodbye gets a new one")
  func startWhileEnding() async throws {
    let home = try TestHome()
    let first = try TestTerminal()
    let ended = try first.start(home: home.path)
    #expect(await first.shows("\u{1B}["))
    let frozen = try TestTerminal()
    let stopped = try frozen.start(home: home.path)
    #expect(await frozen.shows("\u{1B}["))
    let old = try #require(home.serverProcess)
    // The server waits for this one's answer for as long as it may take.
    kill(stopped.number, SIGSTOP)
    kill(old, SIGTERM)
    #expect(try await first.end(of: ended) == .exited(status: 0))
    let next = try TestTerminal()
    _ = try next.start(home: home.path)
    #expect(await next.shows("\u{1B}[", within: .seconds(30)))
    #expect(home.serverProcess != old)
    kill(stopped.number, SIGKILL)
    _ = try await frozen.end(of: stopped)
  }

  @Test("clients that come in the very moment of the end are served by one server or the next")
  func startBesideQuit() async throws {
    let home = try TestHome()
    let run = try CommandRun(home: home)
    for round in 1...6 {
      let first = try TestTerminal()
      _ = try first.start(home: home.path)
      #expect(await first.shows("\u{1B}["), "\(round)")
      let late = try (0..<3).map { _ in try TestTerminal() }
      var processes: [SpawnedProcess] = []
      let command = try TestTerminal()
      let quit = try command.start(["ctl", "quit", "--force"], home: home.path)
      for terminal in late { processes.append(try terminal.start(home: home.path)) }
      #expect(try await command.end(of: quit) == .exited(status: 0))
      for (terminal, process) in zip(late, processes) {
        #expect(await terminal.shows("\u{1B}[", within: .seconds(30)), "\(terminal.text)")
        // Those whom the old server had served have ended with it, in order.
        if let end = process.collect() { #expect(end == .exited(status: 0), "\(terminal.text)") }
      }
      _ = try await run("ctl", "quit", "--force")
      for (terminal, process) in zip(late, processes) {
        #expect(try await terminal.end(of: process) == .exited(status: 0), "\(terminal.text)")
      }
    }
  }
}
