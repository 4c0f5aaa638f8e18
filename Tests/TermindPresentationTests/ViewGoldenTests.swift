import TermindApplication
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Pictures of views") struct ViewGoldenTests {
  private static let looks = GoldenScreen.dark

  @Test("the sheet of choices", arguments: GoldenScreen.sizes)
  func whichKey(rows: Int, columns: Int) throws {
    let keymap = KeymapLibrary.standard
    let leader = try #require(keymap.leader)
    let keys = PendingKeys(
      prefix: [leader],
      choices: try #require(keymap.choices(after: [leader]))
    )
    try GoldenScreen.expect("which-key", rows: rows, columns: columns) { canvas, window in
      WhichKeySheet.draw(keys, on: &canvas, in: window, Self.looks)
    }
  }

  @Test("the list of keys, filtered", arguments: GoldenScreen.sizes)
  func keys(rows: Int, columns: Int) throws {
    let help = KeysHelp(KeymapLibrary.standard)
    var list = help.list
    list.apply(.insert("split"))
    try GoldenScreen.expect("keys", rows: rows, columns: columns) { canvas, window in
      let area = ChooserSheet.area(in: window, entries: list.matches.count)
      KeysHelp.sheet.draw(on: &canvas, in: area, list: list, Self.looks, row: help.row)
    }
  }

  @Test("Quick Open", arguments: GoldenScreen.sizes)
  func quickOpen(rows: Int, columns: Int) throws {
    let entries = [
      ChooserRow(
        title: "web1",
        detail: "deploy@10.0.0.11  prod eu",
        trailing: "2 min",
        sign: "●"
      ),
      ChooserRow(title: "web10", detail: "deploy@10.0.0.20  prod eu"),
      ChooserRow(
        title: "prod › web1",
        detail: "pane in workspace 1",
        trailing: "open",
        sign: "▣",
        signInk: .accent
      ),
      ChooserRow(title: "Reconnect all", detail: "action", trailing: "R"),
      ChooserRow(title: "bad\u{1B}[31m日本語の名前", detail: "web\u{202E}x", trailing: "—"),
    ]
    var list = FilteredList(entries.map { "\($0.title) \($0.detail)" })
    list.move(by: 2)
    let sheet = ChooserSheet(
      title: "Quick Open",
      hints: [KeyHint("enter", "open"), KeyHint("ctrl+s", "split")]
    )
    try GoldenScreen.expect("quick-open", rows: rows, columns: columns) { canvas, window in
      let area = ChooserSheet.area(in: window, entries: entries.count)
      sheet.draw(on: &canvas, in: area, list: list, Self.looks) { entries[$0] }
    }
  }

  @Test("the question before a window is closed", arguments: GoldenScreen.sizes)
  func closeWindow(rows: Int, columns: Int) throws {
    let sheet = ConfirmSheet.closeWindow(SheetTests.closing())
    try GoldenScreen.expect("close-window", rows: rows, columns: columns) { canvas, window in
      sheet.draw(on: &canvas, in: sheet.area(in: window), Self.looks)
    }
  }

  @Test("the three host key screens", arguments: GoldenScreen.sizes)
  func hostKeys(rows: Int, columns: Int) throws {
    let doubts: [(String, HostKeyDoubt)] = [
      ("host-key-new", .unknown), ("host-key-type", .newType(known: [SheetTests.known])),
      ("host-key-changed", .changed(known: [SheetTests.known])),
    ]
    for (name, doubt) in doubts {
      let sheet = HostKeySheet(SheetTests.question(doubt))
      try GoldenScreen.expect(name, rows: rows, columns: columns) { canvas, window in
        sheet.draw(on: &canvas, in: sheet.area(in: window), Self.looks)
      }
    }
  }

  @Test("a round of a server's questions", arguments: GoldenScreen.sizes)
  func credentials(rows: Int, columns: Int) throws {
    var sheet = CredentialSheet(
      SheetTests.challenge(
        .keyboardInteractive,
        [
          CredentialPrompt(text: "Password:", echoes: false),
          CredentialPrompt(text: "Code sent to +49 170 ****42:", echoes: true),
        ],
        instruction: "Two answers are needed.",
        attempt: 1
      )
    )
    for name in ["s", "e", "c", "tab", "4", "2"] {
      _ = sheet.handle(try KeyChord(text: name).event)
    }
    try GoldenScreen.expect("credentials", rows: rows, columns: columns) { canvas, window in
      sheet.draw(on: &canvas, in: sheet.area(in: window), Self.looks)
    }
  }

  @Test("the welcome screen", arguments: GoldenScreen.sizes)
  func welcome(rows: Int, columns: Int) throws {
    let hosts = [
      WelcomeScreen.Host(
        name: "web1",
        address: "deploy@10.0.0.11",
        lastUsed: "2 min",
        isUp: true
      ),
      WelcomeScreen.Host(name: "web2", address: "deploy@10.0.0.12", lastUsed: "1 h"),
      WelcomeScreen.Host(name: "db1", address: "postgres@[fe80::1%eth0]:2222"),
    ]
    try GoldenScreen.expect("welcome", rows: rows, columns: columns) { canvas, window in
      WelcomeScreen(hosts: hosts, selected: 1).draw(on: &canvas, in: window, Self.looks)
    }
    try GoldenScreen.expect("welcome-problem", rows: rows, columns: columns) { canvas, window in
      WelcomeScreen(
        field: TextField("web9 -Z"),
        problem: "The option -Z is not known here.",
        hosts: []
      ).draw(on: &canvas, in: window, Self.looks)
    }
  }
}

@Suite("Pictures of a window") struct WindowGoldenTests {
  static let prod = WorkspaceFace(place: 1, name: "prod", paneCount: 3, hasActivity: true)
  static let workspaces = [
    prod, WorkspaceFace(place: 2, name: "db", hasBell: true, deadCount: 1),
    WorkspaceFace(place: 3, name: "files", paneCount: 2, broadcastCount: 2, isZoomed: true),
  ]

  static func sidebar() -> Sidebar {
    Sidebar(
      destinations: [
        .init(.vault, name: "Vault"), .init(.metrics, name: "Metrics", badge: "2!"),
        .init(.assistant, name: "Assistant", badge: "1?"), .init(.settings, name: "Settings"),
      ],
      workspaces: workspaces,
      running: [
        .init(sign: "↑", name: "backup.tar", state: "43%"),
        .init(sign: "⇄", name: "5432→db1", state: "up"),
      ],
      active: .workspace(0)
    )
  }

  static func faces() -> [PaneFace] {
    [
      PaneFace(
        pane: PaneID(rawValue: 1),
        title: "web1",
        host: "deploy@10.0.0.11",
        path: "~/app",
        isFocused: true,
        scrolledBack: 12
      ),
      PaneFace(
        pane: PaneID(rawValue: 2),
        title: "web2",
        host: "deploy@10.0.0.12",
        state: .up("up"),
        hasBell: true
      ),
      PaneFace(
        pane: PaneID(rawValue: 3),
        title: "db1",
        state: .dead("lost, retry in 5 s"),
        stateHint: "r now",
        isBroadcasting: true
      ),
    ]
  }

  static func draw(_ canvas: inout Canvas, _ window: CellRectangle, _ look: Appearance) {
    let state: SidebarState = window.columns >= 80 ? .wide : .narrow
    let width = Sidebar.columns(state)
    let body = CellRectangle(
      row: 1,
      column: width + 1,
      rows: window.rows - 2,
      columns: window.columns - width - 1
    )
    TabBar(workspaces: workspaces, active: 0, trailing: "14:07").draw(
      on: &canvas,
      in: window.line(0),
      look
    )
    sidebar().draw(
      on: &canvas,
      in: CellRectangle(row: 1, column: 0, rows: window.rows - 2, columns: width),
      look
    )
    var tree = SplitTree(PaneID(rawValue: 1))
    tree.split(PaneID(rawValue: 1), with: PaneID(rawValue: 2), at: .right)
    tree.split(PaneID(rawValue: 2), with: PaneID(rawValue: 3), at: .down)
    let layout = tree.layout(in: body, titleRow: true)
    PaneFrames.draw(layout, faces: faces(), on: &canvas, look)
    Sidebar.drawEdge(on: &canvas, column: width, rows: body.rowRange, beside: layout, look)
    if let dead = layout.rectangle(of: PaneID(rawValue: 3)) {
      canvas.put("postgres=# select 1;", row: dead.row, column: dead.column, limit: dead.columns)
      let failure = ConnectionFailure(
        hopIndex: 0,
        hopCount: 1,
        endpoint: SSHEndpoint(host: "10.0.1.5"),
        step: .connected,
        cause: .lost(reason: "Connection reset by peer")
      )
      PaneNotices.drawDead(ErrorText.explain(failure), on: &canvas, in: dead, look)
    }
    if let empty = layout.rectangle(of: PaneID(rawValue: 1)) {
      PaneNotices.drawEmpty(
        hints: [KeyHint("enter", "shell"), KeyHint("s", "connect")],
        on: &canvas,
        in: empty,
        look
      )
    }
    StatusLine(
      place: "prod",
      pane: "web1",
      isLocked: true,
      broadcastCount: 2,
      hints: StatusLine.hints(of: KeymapLibrary.standard),
      leader: "ctrl+space"
    ).draw(on: &canvas, in: window.line(window.rows - 1), look)
  }

  @Test("a window with everything in it", arguments: GoldenScreen.sizes)
  func window(rows: Int, columns: Int) throws {
    try GoldenScreen.expect("window", rows: rows, columns: columns) { canvas, window in
      Self.draw(&canvas, window, GoldenScreen.dark)
    }
  }

  @Test(
    "the same window in light, in 16 colours and in none",
    arguments: [
      ("window-light", ScreenColorDepth.trueColor), ("window-sixteen", .indexed16),
      ("window-monochrome", .monochrome),
    ]
  )
  func variants(name: String, depth: ScreenColorDepth) throws {
    let theme = ThemeLibrary.standard(dark: name != "window-light")
    let look = Appearance(theme: theme, depth: depth)
    try GoldenScreen.expect(name, rows: 24, columns: 80, look: look) { canvas, window in
      Self.draw(&canvas, window, look)
    }
  }

  @Test("the status line says what is going on instead of hints")
  func statusLines() throws {
    let lines = [
      StatusLine(place: "prod", notice: Notice(.problem, "Too large, not copied (1.2 MB).")),
      StatusLine(place: "prod", notice: Notice(.done, "Layout: tiled")),
      StatusLine(place: "prod", pane: "web1", scrolledBack: 480, pending: "ctrl+space g"),
      StatusLine(place: String(repeating: "long ", count: 20), hints: [KeyHint("x", "y")]),
    ]
    try GoldenScreen.expect("status", rows: lines.count, columns: 80) { canvas, window in
      for (index, line) in lines.enumerated() {
        line.draw(on: &canvas, in: window.line(index), GoldenScreen.dark)
      }
    }
  }

  @Test("tabs that do not fit keep the active one in sight", arguments: [0, 6, 14])
  func manyTabs(active: Int) throws {
    let faces = (1...15).map { WorkspaceFace(place: $0, name: "space \($0)") }
    try GoldenScreen.expect("tabs-\(active)", rows: 1, columns: 60) { canvas, window in
      let targets = TabBar(workspaces: faces, active: active, trailing: "14:07").draw(
        on: &canvas,
        in: window,
        GoldenScreen.dark
      )
      #expect(targets.contains { $0.target == .workspace(active) })
      #expect(targets.allSatisfy { $0.columns.upperBound <= 60 })
    }
  }

  @Test("nothing is drawn outside, and nothing traps, at any size")
  func anySize() {
    let keymap = KeymapLibrary.standard
    let help = KeysHelp(keymap)
    let prefix = keymap.leader.map { [$0] } ?? []
    let keys = PendingKeys(prefix: prefix, choices: keymap.choices(after: prefix) ?? [])
    let look = GoldenScreen.dark
    for rows in [0, 1, 2, 3, 4, 5, 7, 11] {
      for columns in [0, 1, 2, 3, 4, 5, 8, 13, 21, 34] {
        var canvas = Canvas(rows: rows, columns: columns)
        let window = CellRectangle(rows: rows, columns: columns)
        if rows >= 3, columns >= 8 { Self.draw(&canvas, window, look) }
        WhichKeySheet.draw(keys, on: &canvas, in: window, look)
        KeysHelp.sheet.draw(
          on: &canvas,
          in: ChooserSheet.area(in: window, entries: 9),
          list: help.list,
          look,
          row: help.row
        )
        let confirm = ConfirmSheet.closeWindow(SheetTests.closing())
        confirm.draw(on: &canvas, in: confirm.area(in: window), look)
        for doubt in [HostKeyDoubt.unknown, .changed(known: [SheetTests.known])] {
          let sheet = HostKeySheet(SheetTests.question(doubt))
          sheet.draw(on: &canvas, in: sheet.area(in: window), look)
        }
        let credentials = CredentialSheet(
          SheetTests.challenge(.password, [CredentialPrompt(text: "Password:", echoes: false)])
        )
        credentials.draw(on: &canvas, in: credentials.area(in: window), look)
        WelcomeScreen(hosts: [.init(name: "a", address: "b")]).draw(on: &canvas, in: window, look)
        PaneNotices.drawEmpty(hints: [KeyHint("a", "b")], on: &canvas, in: window, look)
        PaneNotices.drawDead(
          Explanation(state: "x", detail: "Some words.", next: "Press r."),
          on: &canvas,
          in: window,
          look
        )
        StatusLine(place: "x").draw(on: &canvas, in: window.line(0), look)
        TabBar(workspaces: Self.workspaces, active: 2).draw(on: &canvas, in: window.line(0), look)
        Self.sidebar().draw(on: &canvas, in: window, look)
        for text in canvas.rowsText { #expect(text.count <= max(columns, 0)) }
      }
    }
  }
}
