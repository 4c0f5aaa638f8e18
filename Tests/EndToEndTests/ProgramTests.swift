import TermindTestSupport
import Testing

@Suite("Full-screen programs, here and on a server", .serialized) struct ProgramTests {
  /// Where a program runs.
  enum Place: CaseIterable { case here, remote }

  /// A terminal with a shell at the place, and whatever has to live as long.
  private func shell(_ place: Place) async throws -> (TmuxTerminal, TerminalHome, OpenSSHServer?) {
    let home = try TerminalHome()
    guard place == .remote else { return (try await TmuxTerminal.withShell(home), home, nil) }
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    return (terminal, home, server)
  }

  @Test(
    "vim draws, edits, follows a new size, and leaves the screen as it was",
    arguments: Place.allCases
  )
  func vim(place: Place) async throws {
    let (terminal, home, server) = try await shell(place)
    let file = home.folder.file("notes.txt")
    try await terminal.type("cd /tmp; echo before-$((1+1)); vim -u NONE -N \(file)\n")
    try await terminal.wait(for: "~")
    try await terminal.type("iwritten by hand")
    try await terminal.wait(for: "written by hand")
    try await terminal.resize(columns: 70, rows: 20)
    try await terminal.wait("the picture at its new size") { rows in
      rows.count == 20 && rows[18].contains("-- INSERT --")
    }
    try await terminal.press("Escape")
    try await terminal.wait(without: "-- INSERT --")
    try await terminal.type(":set columns? lines?\n")
    try await terminal.wait(for: "columns=")
    try await terminal.press("Enter")
    try await terminal.type(":wq\n")
    try await terminal.wait(for: "before-2")
    try await terminal.wait(without: "~  ")
    #expect(try TemporaryFolder.read(file) == "written by hand\n")
    withExtendedLifetime(server) {}
  }

  @Test("less pages, searches and ends", arguments: Place.allCases)
  func less(place: Place) async throws {
    let (terminal, home, server) = try await shell(place)
    let file = try home.folder.write(
      "lines",
      (1...500).map { "line \($0) of a long text\n" }.joined()
    )
    try await terminal.type("less \(file)\n")
    try await terminal.wait(for: "line 1 of")
    // The wheel is the arrow keys for a program that fills the screen and wants no mouse.
    try await terminal.mouse(.wheelDown(row: 10, column: 40))
    try await terminal.wait(without: "line 1 of")
    try await terminal.mouse(.wheelUp(row: 10, column: 40))
    try await terminal.wait(for: "line 1 of")
    try await terminal.press("Space")
    try await terminal.wait(without: "line 1 of")
    try await terminal.type("/line 333\n")
    try await terminal.wait(for: "line 333 of")
    try await terminal.press("G")
    try await terminal.wait(for: "line 500 of")
    try await terminal.press("q")
    try await terminal.type("echo left-$((1+1))\n")
    try await terminal.wait(for: "left-2")
    withExtendedLifetime(server) {}
  }

  @Test("htop draws, takes keys and the mouse, and ends", arguments: Place.allCases)
  func htop(place: Place) async throws {
    let (terminal, home, server) = try await shell(place)
    try await terminal.type("htop\n")
    let rows = try await terminal.wait("its lowest line") {
      $0.contains("F10") || $0.contains("Quit")
    }
    let quit = try #require(rows.place(of: "Quit"))
    try await terminal.press("F2")
    try await terminal.wait(for: "Categories")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Categories")
    let now = try await terminal.wait(for: "Quit")
    let place = now.place(of: "Quit") ?? quit
    try await terminal.mouse(
      .press(row: place.row, column: place.column + 1),
      .release(row: place.row, column: place.column + 1)
    )
    try await terminal.wait(without: "F10")
    try await terminal.type("echo left-$((1+1))\n")
    try await terminal.wait(for: "left-2")
    withExtendedLifetime((home, server)) {}
  }

  @Test("raw bytes in one pane never appear in the other")
  func binaryPager() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("|")
    let rows = try await terminal.wait("two panes") { $0[1].contains("┬") }
    let border = try #require(rows.columns(of: "┬", row: 1).first)
    let left = try #require(rows.columns(of: "│", row: 2).first)
    try await home.enter(1, "clear")
    // Raw control characters and wide characters, as many as a screen and more.
    try await terminal.type("head -c 200000 /dev/urandom > raw; less -f -r raw\n")
    try await home.wait(for: ".")
    for _ in 0..<5 {
      try await terminal.press("Space")
      let shown = try await terminal.screen()
      for row in shown[2..<29] {
        let cells = Array(row)
        guard cells.count > border else { continue }
        let inside = String(cells[(left + 1)..<border])
        #expect(inside.allSatisfy { $0 == " " } || inside.contains(TerminalHome.prompt), "\(row)")
      }
    }
    #expect(try await home.verb("capture", "--pane", "1").split(separator: "\n").count <= 1)
  }
}
