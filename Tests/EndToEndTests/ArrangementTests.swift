import TermindTestSupport
import Testing

@Suite("Arrangements by key in a real terminal", .serialized) struct ArrangementTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home, columns: 120, rows: 40)
  }

  private func addPane(_ key: String) async throws -> Int {
    let before = try await home.panes().count
    try await terminal.leader(key)
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == before + 1 }
    return try await home.focus()
  }

  /// The panes in the order of the tree.
  private func order() async throws -> [Int] {
    try await home.workspaces().first { $0.active }?.panes ?? []
  }

  private func expectOrder(_ wanted: [Int], after keys: String) async throws {
    _ = try await home.poll("\(wanted) after \(keys)", { _ in try await order() }) {
      $0 == wanted
    }
  }

  private func size(_ pane: Int) async throws -> (rows: Int, columns: Int) {
    let row = try #require(try await home.panes().first { $0.id == pane })
    return (row.rows, row.columns)
  }

  @Test("swap and rotate change the order of the panes and keep the focus on its program")
  func swapping() async throws {
    let right = try await addPane("|")
    try await expectOrder([1, right], after: "split")
    try await terminal.leader("x", "h")
    try await expectOrder([right, 1], after: "swap left")
    #expect(try await home.focus() == right)
    try await terminal.leader("x", "n")
    try await expectOrder([1, right], after: "swap next")
    // A repeated key goes on without the leader; the leader ends that.
    let low = try await addPane("-")
    try await terminal.leader("x", "r")
    try await expectOrder([low, 1, right], after: "rotate")
    try await terminal.leader("x", "R")
    try await expectOrder([1, right, low], after: "rotate back")
  }

  @Test("presets and even sizes give each pane its place")
  func presets() async throws {
    let right = try await addPane("|")
    let low = try await addPane("-")
    try await terminal.leader("a", "c")
    _ = try await home.poll("columns of one height", { try await $0.panes() }) { rows in
      Set(rows.map(\.rows)).count == 1 && (rows.map(\.columns).max() ?? 0) < 50
    }
    try await terminal.leader("a", "r")
    _ = try await home.poll("rows of one width", { try await $0.panes() }) { rows in
      Set(rows.map(\.columns)).count == 1 && (rows.map(\.rows).max() ?? 0) < 20
    }
    try await terminal.leader("a", "m")
    _ = try await home.poll("one large pane", { try await $0.panes() }) { rows in
      let heights = rows.map(\.rows).sorted()
      return heights.count == 3 && heights[2] > heights[1] + 5
    }
    try await terminal.leader("a", "t")
    _ = try await home.poll("tiles", { try await $0.panes() }) { rows in
      Set(rows.map(\.columns)).count > 1 && (rows.map(\.rows).max() ?? 0) < 20
    }
    try await terminal.leader("a", "c")
    _ = try await home.poll("columns again", { try await $0.panes() }) { rows in
      Set(rows.map(\.rows)).count == 1
    }
    try await home.verb("resize", "--pane", "\(right)", "--left", "--by", "12")
    let uneven = try await home.panes().map(\.columns)
    #expect((uneven.max() ?? 0) - (uneven.min() ?? 0) > 5)
    try await terminal.leader("=")
    _ = try await home.poll("even columns", { try await $0.panes() }) { rows in
      (rows.map(\.columns).max() ?? 0) - (rows.map(\.columns).min() ?? 0) <= 1
    }
    _ = low
  }

  @Test("a border moves up, down and right by keys")
  func resizing() async throws {
    let low = try await addPane("-")
    let before = try await size(low)
    try await terminal.leader("K", "K")
    _ = try await home.poll("two rows more", { _ in try await size(low).rows }) {
      $0 == before.rows + 2
    }
    try await terminal.leader("J")
    _ = try await home.poll("one row less", { _ in try await size(low).rows }) {
      $0 == before.rows + 1
    }
    let right = try await addPane("|")
    let wide = try await size(right)
    try await terminal.leader("L")
    _ = try await home.poll("two columns less", { _ in try await size(right).columns }) {
      $0 == wide.columns - 2
    }
  }

  @Test("workspaces are gone through and put in order by key")
  func workspaces() async throws {
    func names() async throws -> [String] { try await home.workspaces().map(\.name) }
    func front() async throws -> String? {
      try await home.workspaces().first { $0.active }?.name
    }
    for name in ["two", "three"] {
      try await home.verb("new-workspace", "--name", name)
    }
    try await home.verb("rename", "--workspace", "1", "one")
    for (key, wanted) in [("1", "one"), ("n", "two"), ("n", "three"), ("N", "two")] {
      try await terminal.leader(key)
      _ = try await home.poll("\(wanted) by \(key)", { _ in try await front() }) { $0 == wanted }
    }
    try await terminal.leader("<")
    _ = try await home.poll("two first", { _ in try await names() }) {
      $0 == ["two", "one", "three"]
    }
    try await terminal.leader(">", ">")
    _ = try await home.poll("two last", { _ in try await names() }) {
      $0 == ["one", "three", "two"]
    }
  }

  @Test("an empty pane is filled by a shell, or closed")
  func emptyPanes() async throws {
    try await home.verb("new-workspace", "--name", "empty")
    try await terminal.wait(for: "local shell")
    #expect(try await home.panes().last?.kind == "empty")
    try await terminal.press("Enter")
    _ = try await home.poll("the shell", { try await $0.panes() }) { $0.last?.kind == "shell" }
    #expect(try await home.workspaces().count == 2)
    try await home.verb("new-workspace", "--name", "spare")
    try await terminal.wait(for: "local shell")
    try await terminal.press("Escape")
    _ = try await home.poll("no spare", { try await $0.workspaces() }) { $0.count == 2 }
  }

  @Test("output in another workspace marks its tab until it is looked at")
  func activity() async throws {
    try await home.enter(1, "read go; echo noise-$((1+1))")
    try await terminal.leader("c")
    _ = try await home.poll("two workspaces", { try await $0.workspaces() }) { $0.count == 2 }
    try await terminal.wait(for: TerminalHome.prompt)
    let quiet = try await terminal.screen()[0]
    try await home.verb("send-text", "--pane", "1", "--text", "\n")
    try await terminal.wait("a mark on the first tab") { $0[0].contains("1 local ●") }
    #expect(!quiet.contains("1 local ●"))
    try await terminal.leader("1")
    try await terminal.wait(for: "noise-2")
    try await terminal.wait("no mark") { !$0[0].contains("1 local ●") }
  }

  @Test("control refuses a split where no room is, as the key does")
  func noRoom() async throws {
    try await terminal.resize(columns: 60, rows: 4)
    try await terminal.wait("the small screen") { $0.count == 4 }
    _ = try await home.poll("the small window", { try await $0.windows() }) {
      $0.first?.rows == 4
    }
    let refused = try await home.refusal("split", "--down", "--pane", "1")
    #expect(refused == (9, "not-possible"))
    #expect(try await home.panes().count == 1)
  }
}
