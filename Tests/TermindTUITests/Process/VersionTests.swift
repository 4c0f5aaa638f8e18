import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

/// A server of another build than its client.
@Suite("Builds that differ", .timeLimit(.minutes(3))) @MainActor struct VersionTests {
  private let other = BuildVersion(text: "9.9.9", protocolNumber: 77)

  @Test("the person is told and asked, and no leaves everything as it is")
  func declined() async throws {
    let server = try TestServer(build: other)
    let terminal = try TestTerminal()
    let process = try terminal.start(home: server.home.path)
    #expect(await terminal.shows("[y/N]"))
    #expect(terminal.text.contains("The running server is termind 9.9.9, this is termind "))
    #expect(terminal.isRestored)
    terminal.type("\n")
    #expect(try await terminal.end(of: process) == .exited(status: 7))
    #expect(server.windows.events.isEmpty)
  }

  @Test("an interrupt while it asks means no")
  func interrupted() async throws {
    let server = try TestServer(build: other)
    let terminal = try TestTerminal()
    let process = try terminal.start(home: server.home.path)
    #expect(await terminal.shows("[y/N]"))
    terminal.type("\u{3}")
    #expect(try await terminal.end(of: process) == .exited(status: 7))
    #expect(server.windows.events.isEmpty)
  }

  @Test("yes ends the old server and starts a new one")
  func accepted() async throws {
    let home = try TestHome()
    var server: TestServer? = try TestServer(home: home, build: other)
    let windows = try #require(server?.windows)
    let terminal = try TestTerminal()
    _ = try terminal.start(home: home.path)
    await terminal.shows("[y/N]")
    terminal.clear()
    terminal.type("y\n")
    await windows.wait(for: "end true")
    await windows.wait(for: "stopped")
    // The lock goes with the server, as it would with its process.
    server = nil
    #expect(await terminal.shows("\u{1B}["))
    #expect(terminal.isRaw)
  }

  @Test("the same version with another form of messages is another build, too")
  func sameVersion() async throws {
    let build = BuildVersion(text: BuildVersion.current.text, protocolNumber: 77)
    let server = try TestServer(build: build)
    let terminal = try TestTerminal()
    _ = try terminal.start(home: server.home.path)
    #expect(await terminal.shows("[y/N]"))
  }
}
