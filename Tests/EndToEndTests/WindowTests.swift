import Glibc
import TermindTestSupport
import Testing

@Suite("Windows in a real terminal") struct WindowTests {
  @Test("starts at Welcome and opens a local shell beside another one")
  func splits() async throws {
    let terminal = try await TmuxTerminal(try TerminalHome(), columns: 100, rows: 30)
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: "$")
    try await terminal.type("echo one-$((1+1))\n")
    try await terminal.wait(for: "one-2")
    try await terminal.press("C-Space", "|")
    try await terminal.wait("a second pane") { rows in rows.contains { $0.contains("┬") } }
    try await terminal.type("echo two-$((2+2))\n")
    let rows = try await terminal.wait(for: "two-4")
    let line = try #require(rows.first { $0.contains("two-4") && !$0.contains("echo") })
    let border = try #require(line.split(separator: "│", omittingEmptySubsequences: false).last)
    #expect(border.contains("two-4"))
  }

  @Test("keeps a detached window's shell and brings it back")
  func detachAndAttach() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: "$")
    try await terminal.type("echo kept-$((3+4))\n")
    try await terminal.wait(for: "kept-7")
    try await terminal.press("C-Space", "d")
    let rows = try await terminal.wait(for: "[exit 0]")
    #expect(rows.contains { $0.contains("detached from window 1") })
    let again = try await TmuxTerminal(home, ["attach"])
    try await again.wait(for: "kept-7")
  }

  @Test("a terminal that is killed detaches its window")
  func killedTerminal() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: "$")
    try await terminal.type("echo alive-$((5+5))\n")
    try await terminal.wait(for: "alive-10")
    try await terminal.kill()
    let again = try await TmuxTerminal(home, ["attach"])
    try await again.wait(for: "alive-10")
  }

  @Test("two terminals show two windows of one server")
  func twoWindows() async throws {
    let home = try TerminalHome()
    let first = try await TmuxTerminal(home)
    try await first.wait(for: "connect to a host")
    let second = try await TmuxTerminal(home)
    try await second.wait(for: "connect to a host")
    let listing = try await home.run("ls")
    #expect(listing.split(separator: "\n").count == 2)
  }

  @Test("asks before a window with a workspace closes, and Escape keeps it")
  func closeConfirmation() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: "$")
    try await terminal.press("C-Space", "q")
    try await terminal.wait(for: "Close this window?")
    try await terminal.press("Escape")
    try await terminal.wait("the question to go") { rows in
      !rows.contains { $0.contains("Close this window?") }
    }
    try await terminal.press("C-Space", "q")
    try await terminal.wait(for: "Close this window?")
    try await terminal.press("Tab")
    try await terminal.press("Enter")
    let rows = try await terminal.wait(for: "[exit 0]")
    #expect(rows.contains { $0.contains("window closed") })
  }

  @Test("a server that dies gives the terminal back and says so")
  func serverKilled() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "connect to a host")
    let server = try home.serverProcess()
    kill(server, SIGKILL)
    let rows = try await terminal.wait("the shell's line") { rows in
      rows.contains { $0.contains("[exit ") && !$0.contains("[exit 0]") }
    }
    #expect(rows.contains { $0.contains("server") })
    try await terminal.type("typed")
    try await terminal.wait(for: "typed")
  }

  @Test("survives a storm of sizes and ends at the last one", arguments: [(80, 24), (200, 50)])
  func resizeStorm(columns: Int, rows: Int) async throws {
    let terminal = try await TmuxTerminal(try TerminalHome(), columns: columns, rows: rows)
    try await terminal.wait(for: "connect to a host")
    try await terminal.press("C-t")
    try await terminal.wait(for: "$")
    for step in 0..<20 {
      try await terminal.resize(columns: 20 + step * 7, rows: 3 + step * 2)
    }
    try await terminal.resize(columns: columns, rows: rows)
    try await terminal.type("stty size\n")
    let shown = try await terminal.wait("the final size") { lines in
      lines.contains { line in
        let words = line.split(whereSeparator: { $0 == " " || $0 == "│" })
        return words.count >= 2 && words.suffix(2).allSatisfy { Int($0) != nil }
          && Int(words[words.count - 2]).map { $0 > rows - 6 && $0 < rows } == true
      }
    }
    #expect(shown.count >= rows - 1)
  }
}
