import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// The built `termind ctl` against a server in this process.
@Suite("ctl and its server", .timeLimit(.minutes(3))) @MainActor struct ControlClientTests {
  private func run(_ arguments: [String], home: TestHome) async throws -> (
    text: String, end: SpawnedProcess.End?
  ) {
    let terminal = try TestTerminal()
    let process = try terminal.start(arguments, home: home.path)
    let end = try await terminal.end(of: process)
    // Every answer here is a line, which may reach the test later than the end does.
    #expect(await terminal.shows("\r\n"))
    return (terminal.text, end)
  }

  @Test("a request reaches the server as it was meant, and its answer is printed")
  func answered() async throws {
    let server = try TestServer()
    server.windows.reply = .text("line\n")
    let found = try await run(["ctl", "capture", "--pane", "3", "--ansi"], home: server.home)
    #expect(found.text == "line\r\n")
    #expect(found.end == .exited(status: 0))
    let request = ControlRequest(
      .capture(scrollback: false, ansi: true),
      target: .pane(PaneID(rawValue: 3))
    )
    #expect(server.windows.events == ["control \(request)"])
  }

  @Test("an error is JSON with its exit status")
  func failed() async throws {
    let server = try TestServer()
    server.windows.reply = .failed(ControlError(.needsForce, "A program runs."))
    let found = try await run(["ctl", "close-pane"], home: server.home)
    #expect(
      found.text == "{\"error\":{\"code\":\"needs-force\",\"message\":\"A program runs.\"}}\r\n"
    )
    #expect(found.end == .exited(status: 5))
  }

  @Test("a very large answer arrives whole")
  func large() async throws {
    let server = try TestServer()
    server.windows.reply = .text(String(repeating: "0123456789abcdef", count: 500_000))
    let reply = await Task { @concurrent [paths = server.home.paths] in
      await LinkProbe.ask(.capture(scrollback: true, ansi: false), paths)
    }.value
    #expect(reply == server.windows.reply)
  }

  @Test("a client that goes away cancels what it waits for")
  func cancelled() async throws {
    let server = try TestServer()
    let terminal = try TestTerminal()
    let process = try terminal.start(["ctl", "wait", "--text", "x"], home: server.home.path)
    try await waitUntil("the request") { !server.windows.events.isEmpty }
    process.signalGroup(9)
    await server.windows.wait(for: "control cancelled")
  }

  @Test("without a server nothing is started")
  func noServer() async throws {
    let home = try TestHome()
    let found = try await run(["ls"], home: home)
    #expect(
      found.text == "{\"error\":{\"code\":\"no-server\",\"message\":\"No server is running.\"}}\r\n"
    )
    #expect(found.end == .exited(status: 3))
    #expect(home.serverProcess == nil)
  }

  @Test("a server of another build is an error with its version")
  func otherVersion() async throws {
    let server = try TestServer(build: BuildVersion(text: "9.9", protocolNumber: 7))
    let found = try await run(["ctl", "panes"], home: server.home)
    #expect(found.end == .exited(status: 7))
    #expect(found.text.contains("termind 9.9"))
    #expect(server.windows.events.isEmpty)
  }

  @Test("a command line that cannot be understood is JSON, too")
  func usage() async throws {
    let home = try TestHome()
    let found = try await run(["ctl", "frob"], home: home)
    #expect(found.end == .exited(status: 2))
    #expect(found.text.hasPrefix("{\"error\":{\"code\":\"usage\""))
  }
}

/// Asks a server from a thread that may block.
enum LinkProbe {
  nonisolated static func ask(_ command: ControlCommand, _ paths: TermindPaths) async
    -> ControlReply?
  {
    do {
      let socket = try LocalSocket.connect(to: paths.socket)
      let json = Array(try JSONEncoder().encode(ControlRequest(command)))
      let bytes =
        ClientMessage.hello(
          protocolNumber: BuildVersion.current.protocolNumber,
          build: BuildVersion.current.text
        ).frame + ClientMessage.control(json).frame
      _ = try socket.send(bytes[...])
      var buffer = FrameBuffer(limit: ServerMessage.limit)
      while let part = try socket.receive(), !part.bytes.isEmpty {
        buffer.append(part.bytes)
        guard let frame = try buffer.next() else { continue }
        guard case .reply(let reply) = try ServerMessage(frame) else { return nil }
        return try JSONDecoder().decode(ControlReply.self, from: Data(reply))
      }
    } catch { Issue.record("\(error)") }
    return nil
  }
}
