import Foundation
import TermindTestSupport
import Testing

@Suite("What ends, and what does not", .serialized) struct EndingTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  /// The process of a pane's shell.
  private func process(_ pane: Int) async throws -> pid_t {
    try await home.enter(pane, "echo process-$$-")
    try await home.wait(pane, for: "process-[0-9]+-")
    let text = try await home.verb("capture", "--pane", "\(pane)")
    let number = text.components(separatedBy: "process-").dropFirst()
      .compactMap { pid_t($0.prefix { $0.isNumber }) }.last
    return try #require(number)
  }

  private func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

  private func waitForEnd(of process: pid_t) async throws {
    _ = try await home.poll("the end of \(process)", { _ in isRunning(process) }) { !$0 }
  }

  @Test("closing a pane, a workspace and a window ends what runs in them, and nothing else")
  func closing() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    let other = try await TmuxTerminal.withShell(home)
    let shells = try await home.panes()
    let mine = try #require(shells.first { $0.window == 1 }?.id)
    let theirs = try #require(shells.first { $0.window == 2 }?.id)
    let kept = try await process(theirs)
    let first = try await process(mine)
    try await terminal.leader("|")
    _ = try await home.poll("the split", { try await $0.panes() }) { $0.count == 3 }
    let split = try #require(
      try await home.panes().first { $0.window == 1 && $0.id != mine }?.id
    )
    try await home.wait(split, for: TerminalHome.prompt)
    let second = try await process(split)
    try await home.verb("close-pane", "--pane", "\(split)")
    try await waitForEnd(of: second)
    #expect(isRunning(first))
    try await terminal.leader("c")
    _ = try await home.poll("a workspace", { try await $0.panes() }) { $0.count == 3 }
    let third = try #require(
      try await home.panes().first { $0.window == 1 && $0.id != mine }
    )
    try await home.wait(third.id, for: TerminalHome.prompt)
    let its = try await process(third.id)
    try await home.verb("close-workspace", "--workspace", "\(third.workspace)", "--force")
    try await waitForEnd(of: its)
    #expect(isRunning(first))
    try await home.verb("close-window", "--window", "1", "--force")
    try await waitForEnd(of: first)
    #expect(isRunning(kept))
    try await home.verb("quit", "--force")
    try await waitForEnd(of: kept)
    try await other.wait(for: "[exit 0]")
  }

  @Test("a remote pane that is closed ends its program there")
  func remote() async throws {
    let server = try await OpenSSHServer()
    _ = try await TmuxTerminal.connected(home, to: server)
    let shell = try await process(1)
    #expect(isRunning(shell))
    try await home.verb("close-pane", "--pane", "1")
    try await waitForEnd(of: shell)
  }

  @Test("a connected workspace that moves to another window is not authenticated again")
  func moving() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    let shell = try await process(1)
    let logins = server.log.components(separatedBy: "Accepted publickey").count
    let other = try await TmuxTerminal(home)
    try await other.wait(for: "connect to a host")
    try await home.verb("move-workspace", "--workspace", "1", "--to", "2")
    try await home.verb("focus", "--workspace", "1")
    try await other.waitForConnection()
    try await terminal.wait(for: "connect to a host")
    #expect(try await process(1) == shell)
    #expect(server.log.components(separatedBy: "Accepted publickey").count == logins)
  }

  @Test("a key that was trusted once is asked about again, and no recovery lives on it")
  func trustedOnce() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal(home, TmuxTerminal.words(server))
    let rows = try await terminal.wait(for: "SHA256:")
    #expect(rows.contains("nly this time") || rows.contains("nce"))
    try await terminal.press("Tab", "Tab", "Enter")
    try await terminal.waitForConnection()
    #expect(try await home.run("known-host", "list").contains("127.0.0.1") == false)
    // Connecting saves no host and no identity either.
    #expect(try await home.run("host", "list").contains("127.0.0.1") == false)
    #expect(try await home.run("identity", "list").contains(OpenSSHServer.user) == false)
    try await terminal.type("sleep 0.1; kill -9 $PPID\n")
    _ = try await home.poll("the end", { try await $0.panes() }) { $0.first?.state == "ended" }
    try await terminal.wait(for: "ress r")
    try await terminal.press("r")
    try await terminal.wait(for: "SHA256:")
  }
}
