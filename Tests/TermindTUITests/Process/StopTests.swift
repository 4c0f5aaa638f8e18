import FoundationEssentials
import Glibc
import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

/// Stops and continuations, under a shell with job control.
@Suite("Stopped clients", .timeLimit(.minutes(3))) @MainActor struct StopTests {
  private static let script = """
    set -m
    $TERMIND; echo "first $?"; stty -a | grep -o ' -*icanon'
    echo again; fg >/dev/null; echo "second $?"
    """

  private func underShell(_ server: TestServer) async throws
    -> (terminal: TestTerminal, process: SpawnedProcess)
  {
    let terminal = try TestTerminal()
    let process = try terminal.start(
      ["-c", Self.script],
      home: server.home.path,
      program: "/bin/bash"
    )
    await terminal.shows(StubWindows.enter)
    return (terminal, process)
  }

  @Test("the stop key gives the terminal to the shell, and fg draws the window again")
  func stopKey() async throws {
    let server = try TestServer()
    let (terminal, process) = try await underShell(server)
    server.windows.terminals[0].stop()
    #expect(await terminal.shows("first 148"))
    #expect(await terminal.shows(" icanon"))
    await server.windows.wait(for: "resumed")
    #expect(terminal.isRaw)
    terminal.type("k")
    await server.windows.wait(for: "typed k")
    server.windows.terminals[0].close(text: "end")
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    #expect(await terminal.shows("second 0"))
    let text = terminal.text
    #expect(text.contains("<enter><leave>"))
    #expect(text.contains("<enter><leave>end"))
  }

  @Test("a stop from outside gives the terminal back first")
  func stopSignal() async throws {
    let server = try TestServer()
    let (terminal, _) = try await underShell(server)
    let client = Int32(clamping: server.windows.terminals[0].request.clientProcess)
    kill(client, SIGTSTP)
    #expect(await terminal.shows("first 148"))
    #expect(await terminal.shows(" icanon"))
    await server.windows.wait(for: "resumed")
  }

  @Test("where no shell watches, a stop comes back at once")
  func orphan() async throws {
    let server = try TestServer()
    let (terminal, _) = try await server.client()
    server.windows.terminals[0].stop()
    await server.windows.wait(for: "resumed")
    #expect(terminal.isRaw)
  }

  @Test("a client that was frozen draws again when it goes on")
  func frozen() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    kill(process.number, SIGSTOP)
    try terminal.other.set(terminal.before)
    kill(process.number, SIGCONT)
    await server.windows.wait(for: "resumed")
    #expect(terminal.isRaw)
  }

  @Test("a client that dies while it is stopped leaves the terminal alone")
  func killedWhileStopped() async throws {
    let server = try TestServer()
    let (terminal, _) = try await underShell(server)
    let client = Int32(clamping: server.windows.terminals[0].request.clientProcess)
    server.windows.terminals[0].stop()
    await terminal.shows("first 148")
    kill(client, SIGKILL)
    await server.windows.wait(for: "ended clientVanished")
    #expect(terminal.text.components(separatedBy: "<leave>").count <= 3)
  }
}
