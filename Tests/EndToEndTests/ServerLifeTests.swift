import Foundation
import TermindTestSupport
import Testing

@Suite("What outlives the windows, and for how long", .serialized) struct ServerLifeTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test("a transfer outlives its window; without window and work the server ends by itself")
  func lastWindow() async throws {
    try home.write(configuration: "transfer-bandwidth = 500K\n")
    let folder = try TemporaryFolder()
    let text = String(repeating: "0123456789abcdef", count: 200_000)
    try folder.write("big", text)
    let server = try await OpenSSHServer(["ForceCommand internal-sftp -d \(folder.path)"])
    try home.install(key: server.userKey)
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: 140
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.leader("F")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.kind) == ["sftp", "files"] && $0.last?.directory != nil
    }
    try await terminal.leader("h")
    try await terminal.wait(for: "big")
    try await terminal.press("*", "F5")
    try await terminal.wait("bytes that arrive") { $0.contains("/s") }
    let process = try home.serverProcess()
    try await terminal.leader("q")
    // The question says what is kept.
    let question = try await terminal.wait(for: "Close this window?")
    #expect(question.contains("Kept: 1 transfer"))
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "[window closed]")
    #expect(try await home.windows().isEmpty)
    try await waitUntil("the whole file") {
      (try? TemporaryFolder.read(home.folder.file("big"))) == text
    }
    #expect(kill(process, 0) == 0)
    // Nothing is left to do: a minute later it is gone.
    try await waitUntil("the end of the server", seconds: 150) { kill(process, 0) != 0 }
    withExtendedLifetime(server) {}
  }

  @Test("a server whose only client was refused ends by itself; a detached window keeps it")
  func refusedClient() async throws {
    let detached = try TerminalHome()
    let kept = try await TmuxTerminal.withShell(detached)
    try await kept.leader("d")
    try await kept.wait(for: "[exit 0]")
    let living = try detached.serverProcess()
    let refused = try await TmuxTerminal(home, ["open", "nosuchhost.invalid", "--template", "no"])
    _ = try await refused.wait("a refusal") { $0.contains("[exit") }
    let other = try await TmuxTerminal(home, ["open", "--template", "nosuch"])
    #expect(try await other.wait(for: "[exit 1]").contains("nosuch"))
    let process = try home.serverProcess()
    try await waitUntil("the end of the server", seconds: 150) { kill(process, 0) != 0 }
    #expect(kill(living, 0) == 0)
    let again = try await TmuxTerminal(detached, ["attach"])
    try await again.wait(for: TerminalHome.prompt)
  }
}
