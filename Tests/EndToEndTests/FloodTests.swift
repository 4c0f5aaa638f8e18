import TermindTestSupport
import Testing

@Suite("Floods of output", .serialized) struct FloodTests {
  /// Resident memory of a process in MiB.
  private func memory(of process: Int32) throws -> Int {
    let status = try TemporaryFolder.read("/proc/\(process)/status")
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
  }

  @Test(
    "keys in one pane act while another one floods, and Ctrl-C ends the flood",
    arguments: ["yes $(seq 1 30)", "cat /dev/urandom"]
  )
  func local(command: String) async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) { $0.count == 2 }
    try await home.enter(1, command)
    for round in 1...5 {
      try await terminal.type("echo live-$((\(round)*111))\n")
      try await terminal.wait(for: "live-\(round * 111)")
    }
    // A hidden flood is no different.
    try await terminal.leader("z")
    try await terminal.type("echo alone-$((2+2))\n")
    try await terminal.wait(for: "alone-4")
    try await terminal.leader("z")
    try await terminal.leader("h")
    _ = try await home.poll("focus", { try await $0.focus() }) { $0 == 1 }
    try await terminal.press("C-c")
    // What random bytes have set stays set until it is reset.
    try await terminal.type("\nstty sane; printf '\\030\\033c'; echo over-$((3+3))\n")
    try await home.wait(1, for: "over-6")
    #expect(try memory(of: home.serverProcess()) < 400)
  }

  @Test("a flood that nobody sees costs the terminal nothing, and is all there afterwards")
  func hidden() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await home.enter(1, "read go; seq 1 100000; echo flood-$((1+1))")
    try await terminal.leader("c")
    _ = try await home.poll("two workspaces", { try await $0.workspaces() }) { $0.count == 2 }
    try await terminal.wait(for: TerminalHome.prompt)
    let log = try await terminal.record()
    try await home.verb("send-text", "--pane", "1", "--text", "\n")
    try await home.wait(1, for: "^flood-2$")
    try await terminal.wait("the mark of the first tab") { $0[0].contains("●") }
    // The mark, and the clock when it goes on: nothing for each of 120 frames a second.
    #expect(try TemporaryFolder.read(log).utf8.count < 4_000)
    try await terminal.leader("1")
    try await terminal.wait("its end") { $0.contains("100000") && $0.contains("flood-2") }
  }

  @Test("a flood over a connection leaves the other panes and the switch between them quick")
  func remote() async throws {
    let home = try TerminalHome()
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.type("while :; do echo an endless loop of lines; done\n")
    try await terminal.wait(for: "an endless loop of lines")
    try await terminal.leader("c")
    try await terminal.wait(for: TerminalHome.prompt)
    try await terminal.type("echo here-$((2+2))\n")
    try await terminal.wait(for: "here-4")
    try await terminal.leader("1")
    try await terminal.wait("the other workspace") { !$0.contains("here-4") }
    try await terminal.press("C-c")
    try await terminal.type("echo over-$((3+3))\n")
    try await terminal.wait(for: "over-6")
  }
}
