import TermindTestSupport
import Testing

@Suite("Panes and workspaces in a real terminal", .serialized) struct PaneTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home)
  }

  /// Splits by a key and waits for the new pane, which has the focus.
  private func split(_ key: String) async throws -> Int {
    let before = try await home.panes().count
    try await terminal.leader(key)
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == before + 1 }
    let made = try await home.focus()
    // What is typed before the shell asks for it is echoed in its own place.
    try await home.wait(made, for: TerminalHome.prompt)
    return made
  }

  @Test("splits right and down, and text stays inside its pane")
  func splits() async throws {
    let right = try await split("|")
    let rows = try await terminal.wait("two panes") { $0[1].contains("┬") }
    let border = try #require(rows.columns(of: "│", row: 5).last)
    try await home.wait(right, for: TerminalHome.prompt)
    try await terminal.type("echo right-$((2+2))\n")
    let line = try await terminal.wait("the text right of the border") { rows in
      rows.contains { $0.contains("right-4") && !$0.contains("echo") }
    }
    #expect(line.place(of: "right-4").map { $0.column } == border + 1)
    let low = try await split("-")
    let panes = try await home.panes()
    #expect(panes.first { $0.id == low }?.rows ?? 0 < panes.first { $0.id == 1 }?.rows ?? 0)
    #expect(panes.first { $0.id == right }?.columns == panes.first { $0.id == low }?.columns)
  }

  @Test("a new pane starts in the directory of the focused one")
  func directory() async throws {
    try await home.enter(1, "cd /usr/lib; echo there-$((1+1))")
    try await home.wait(1, for: "there-2")
    let made = try await split("|")
    try await home.enter(made, "pwd")
    try await home.wait(made, for: "^/usr/lib$")
  }

  @Test("moves the focus by direction, in order, and to the last used pane")
  func focus() async throws {
    let right = try await split("|")
    let low = try await split("-")
    for (key, expected) in [
      ("h", 1), ("l", low), ("k", right), ("Tab", low), ("o", 1), ("o", right), ("Left", 1),
    ] {
      try await terminal.leader(key)
      _ = try await home.poll("focus by \(key)", { try await $0.focus() }) { $0 == expected }
    }
  }

  @Test("zoom fills the workspace and comes back")
  func zoom() async throws {
    let right = try await split("|")
    try await terminal.leader("z")
    try await terminal.wait("one pane alone") { $0[1].contains("Z") && !$0[1].contains("┬") }
    try await home.enter(right, "clear; stty size")
    let size = try #require(try await home.panes().first { $0.id == right })
    try await home.wait(right, for: "^\(size.rows) \(size.columns)$")
    #expect(size.columns > 80)
    try await terminal.leader("z")
    try await terminal.wait("both panes") { $0[1].contains("┬") }
  }

  @Test("a border moves by repeated keys after one leader")
  func resizeByKeys() async throws {
    _ = try await split("|")
    let before = try #require(try await terminal.screen().columns(of: "┬", row: 1).first)
    try await terminal.leader("H", "H", "H")
    try await terminal.wait("the border six columns left") { rows in
      rows.columns(of: "┬", row: 1) == [before - 6]
    }
    // Another key ends the repetition and reaches the program.
    try await terminal.type("echo H-$((1+2))\n")
    try await terminal.wait(for: "H-3")
  }

  @Test("a border follows the mouse, and only from the border")
  func dragBorder() async throws {
    _ = try await split("|")
    let rows = try await terminal.wait("two panes") { $0[1].contains("┬") }
    let border = try #require(rows.columns(of: "┬", row: 1).first)
    try await terminal.mouse(
      .press(row: 10, column: border),
      .drag(row: 10, column: border - 5),
      .drag(row: 10, column: border - 12),
      .release(row: 10, column: border - 12)
    )
    try await terminal.wait("the border where it was dropped") { rows in
      rows.columns(of: "┬", row: 1) == [border - 12]
    }
    // A drag that begins inside a pane and crosses the border moves nothing.
    try await terminal.mouse(
      .press(row: 10, column: border - 20),
      .drag(row: 10, column: border - 12),
      .drag(row: 10, column: border),
      .release(row: 10, column: border)
    )
    _ = try await home.poll("focus by the click", { try await $0.focus() }) { $0 == 1 }
    #expect(try await terminal.screen().columns(of: "┬", row: 1) == [border - 12])
    let sizes = try await home.panes().map { ($0.rows, $0.columns) }
    try await home.enter(1, "clear; stty size")
    try await home.wait(1, for: "^\(sizes[0].0) \(sizes[0].1)$")
  }

  @Test("arranges, swaps and rotates without losing a program")
  func arrange() async throws {
    let right = try await split("|")
    let low = try await split("-")
    for pane in [1, right, low] { try await home.enter(pane, "echo mine-\(pane)-$((1+1))") }
    try await terminal.leader("a", "c")
    try await terminal.wait("three columns") { $0.columns(of: "┬", row: 1).count == 2 }
    try await terminal.leader("a", "r")
    try await terminal.wait("three rows") { $0.columns(of: "┬", row: 1).isEmpty }
    try await terminal.leader("x", "r")
    try await terminal.leader("a", "t")
    try await terminal.leader("=")
    for pane in [1, right, low] { try await home.wait(pane, for: "^mine-\(pane)-2") }
    #expect(try await home.panes().allSatisfy { $0.state == "up" })
  }

  @Test("closing the last pane closes its workspace, and the window stays")
  func closePanes() async throws {
    _ = try await split("|")
    try await terminal.leader("w")
    _ = try await home.poll("one pane", { try await $0.panes() }) { $0.map(\.id) == [1] }
    #expect(try await home.focus() == 1)
    try await terminal.leader("w")
    try await terminal.wait(for: "connect to a host")
    #expect(try await home.workspaces().isEmpty)
    #expect(try await home.windows().count == 1)
  }

  @Test("workspaces are made, named, switched, and closed after a question")
  func workspaces() async throws {
    try await terminal.leader(".")
    try await terminal.wait(for: "Rename workspace")
    try await terminal.press("C-u")
    try await terminal.type("alpha\n")
    try await terminal.wait("the name") { $0[0].contains("alpha") }
    try await terminal.leader("c")
    _ = try await home.poll("two workspaces", { try await $0.workspaces() }) { $0.count == 2 }
    try await terminal.wait(for: TerminalHome.prompt)
    try await terminal.type("echo beta-$((1+1))\n")
    try await terminal.wait(for: "beta-2")
    try await terminal.leader("1")
    try await terminal.wait(without: "beta-2")
    try await terminal.leader("`")
    try await terminal.wait(for: "beta-2")
    try await terminal.leader("W")
    try await terminal.wait(for: "Close this workspace?")
    try await terminal.press("Tab", "Enter")
    _ = try await home.poll("one workspace", { try await $0.workspaces() }) {
      $0.map(\.name) == ["alpha"]
    }
  }

  @Test("a click on a tab shows its workspace")
  func tabs() async throws {
    try await terminal.type("echo first-$((1+1))\n")
    try await terminal.wait(for: "first-2")
    try await terminal.leader("c")
    try await terminal.wait(without: "first-2")
    try await terminal.mouse(.press(row: 0, column: 1), .release(row: 0, column: 1))
    try await terminal.wait(for: "first-2")
  }

  @Test("a pane gets a name of its own, shown as it is typed")
  func renamePane() async throws {
    try await terminal.leader(",")
    try await terminal.wait(for: "Rename pane")
    try await terminal.type("builds 構築\n")
    try await terminal.wait("the name in the frame") { $0[1].contains("builds 構築") }
    #expect(try await home.panes().first?.title == "builds 構築")
  }

  @Test("a pane moves to a new workspace and back with its program")
  func movePane() async throws {
    let right = try await split("|")
    try await home.enter(right, "kept=yes; echo moved-$((2+3))")
    try await home.wait(right, for: "moved-5")
    try await terminal.leader("!")
    _ = try await home.poll("its own workspace", { try await $0.workspaces() }) { $0.count == 2 }
    try await terminal.wait(for: "moved-5")
    try await terminal.leader("m")
    try await terminal.wait(for: "Move the pane to")
    try await terminal.press("Enter")
    _ = try await home.poll("one workspace", { try await $0.workspaces() }) { $0.count == 1 }
    try await home.enter(right, "echo still-$kept")
    try await home.wait(right, for: "still-yes")
  }

  @Test("a workspace moves to another window with its programs")
  func moveWorkspace() async throws {
    try await home.enter(1, "kept=yes; echo before-$((2+3))")
    try await home.wait(1, for: "before-5")
    let other = try await TmuxTerminal(home)
    try await other.wait(for: "connect to a host")
    try await terminal.leader("M")
    try await terminal.wait(for: "Move the workspace to")
    try await terminal.press("Enter")
    try await terminal.wait(for: "connect to a host")
    _ = try await home.poll("the move", { try await $0.workspaces() }) { $0.map(\.window) == [2] }
    try await home.verb("focus", "--workspace", "1")
    try await other.wait(for: "before-5")
    try await home.enter(1, "echo still-$kept")
    try await other.wait(for: "still-yes")
    #expect(try await home.panes().map(\.id) == [1])
  }

  @Test("scrolls back by keys and by the wheel, and comes back by typing")
  func scroll() async throws {
    try await terminal.type("seq 1 200 | sed s/^/line-/\n")
    try await terminal.wait(for: "line-200")
    try await terminal.leader("Home")
    try await terminal.wait("the oldest line") { rows in rows.contains { $0.hasSuffix("line-1") } }
    try await terminal.leader("End")
    try await terminal.wait(for: "line-200")
    try await terminal.mouse(.wheelUp(row: 10, column: 30), .wheelUp(row: 10, column: 30))
    try await terminal.wait(without: "line-200")
    try await terminal.type("echo typed-$((5+6))\n")
    try await terminal.wait(for: "typed-11")
  }

  @Test("a program that asks gets the mouse, and Shift keeps it from the program")
  func mouseForPrograms() async throws {
    try await terminal.type("printf '\\033[?1000h\\033[?1006h'; stty -echo -icanon; cat -v\n")
    try await terminal.wait("the program") { $0.contains("cat -v") }
    let rows = try await terminal.screen()
    let left = try #require(rows.columns(of: "│", row: 5).first) + 1
    // Row 4 and column 7 of the program are one further in its report.
    try await terminal.mouse(
      .press(row: 2 + 4, column: left + 7, shift: true),
      .release(row: 2 + 4, column: left + 7),
      .press(row: 2 + 4, column: left + 7),
      .release(row: 2 + 4, column: left + 7)
    )
    let shown = try await terminal.wait(for: "m")
    try await terminal.wait(for: "^[[<0;8;5M^[[<0;8;5m")
    #expect(!shown.contains("^[[<4;"))
    try await terminal.mouse(
      .press(row: 2, column: left),
      .release(row: 2, column: left)
    )
    try await terminal.wait(for: "^[[<0;1;1M^[[<0;1;1m")
  }

  @Test("a pane too small to be split says so")
  func noRoom() async throws {
    try await terminal.resize(columns: 60, rows: 4)
    try await terminal.wait("the small screen") { $0.count == 4 && $0[3].contains("ctrl+space") }
    try await terminal.leader("-")
    try await terminal.leader("-")
    try await terminal.leader("-")
    try await terminal.wait(for: "no room")
  }
}
