import Foundation
import TermindTestSupport
import Testing

@Suite("termind ctl against the running program", .serialized) struct ControlTests {
  let home: TerminalHome
  let terminal: TmuxTerminal

  init() async throws {
    home = try TerminalHome()
    terminal = try await TmuxTerminal.withShell(home)
  }

  @Test("lists windows, workspaces and panes for people and for scripts")
  func lists() async throws {
    let window = try #require(try await home.windows().first)
    #expect(window.attached && window.active && window.workspaces == [1])
    #expect((window.rows, window.columns) == (30, 100))
    let workspace = try #require(try await home.workspaces().first)
    #expect(workspace.panes == [1] && workspace.active && !workspace.zoomed)
    let pane = try #require(try await home.panes().first)
    #expect((pane.kind, pane.state, pane.focused) == ("shell", "up", true))
    #expect((pane.window, pane.workspace) == (window.id, workspace.id))
    #expect(try await home.verb("panes").hasPrefix("1\tworkspace 1\tshell\tup"))
    #expect(try await home.verb("windows").contains("100x30"))
    #expect(try await home.verb("workspaces").contains("1 panes"))
  }

  @Test("splits, focuses, zooms and resizes")
  func layout() async throws {
    let made = try await home.read(CreatedRow.self, "split", "--right", "--pane", "1")
    #expect(made.panes == [2] && made.workspace == 1)
    let command = try await home.read(
      CreatedRow.self,
      "split",
      "--down",
      "--pane",
      "2",
      "--",
      "sh",
      "-c",
      "echo made-$((1+1)); cat"
    )
    try await home.wait(3, for: "made-2")
    #expect(command.panes == [3])
    #expect(try await home.focus() == 3)
    try await home.verb("focus", "--left")
    #expect(try await home.focus() == 1)
    try await home.verb("focus", "--pane", "2")
    try await home.verb("focus", "--next")
    #expect(try await home.focus() == 3)
    try await home.verb("focus", "--last")
    #expect(try await home.focus() == 2)
    #expect(try await home.refusal("focus", "--right") == (9, "not-possible"))
    try await home.verb("zoom", "--on")
    #expect(try await home.workspaces().first?.zoomed == true)
    try await home.verb("zoom", "--off")
    try await home.verb("zoom")
    try await home.verb("zoom")
    #expect(try await home.workspaces().first?.zoomed == false)
    let before = try await home.panes()
    try await home.verb("resize", "--pane", "1", "--right", "--by", "5")
    let after = try await home.panes()
    #expect(after[0].columns == before[0].columns + 5)
    #expect(after[1].columns == before[1].columns - 5)
    try await terminal.wait(for: "made-2")
  }

  @Test("types text and keys, waits for a text and a state, and captures")
  func driving() async throws {
    try await home.verb("send-text", "--text", "echo a-$((1+1)); seq 1 60")
    try await home.verb("send-keys", "enter")
    try await home.verb("wait", "--text", "^60$", "--timeout", "60")
    let screen = try await home.verb("capture").split(separator: "\n")
    #expect(screen.contains("60") && !screen.contains("a-2"))
    #expect(try await home.verb("capture", "--scrollback").contains("\na-2\n"))
    try await home.enter(1, "clear; printf '\\033[1;31mred\\033[m\\n'")
    try await home.wait(1, for: "^red")
    let styled = try await home.verb("capture", "--ansi")
    #expect(styled.contains("\u{1B}[") && styled.contains("red"))
    try await home.verb("send-text", "--text", "cat")
    try await home.verb("send-keys", "enter", "x", "ctrl+d", "ctrl+d")
    #expect(
      try await home.refusal("wait", "--text", "never", "--timeout", "0.2") == (6, "timed-out")
    )
    #expect(try await home.refusal("wait", "--text", "(") == (2, "usage"))
    #expect(try await home.refusal("send-keys", "no+such+key") == (2, "usage"))
    try await home.verb("send-keys", "ctrl+u")
    try await home.enter(1, "exit 5")
    try await home.verb("wait", "--state", "ended", "--timeout", "60")
    #expect(try await home.panes().first?.exitStatus == 5)
    #expect(try await home.refusal("send-text", "--text", "x") == (9, "not-possible"))
    try await terminal.wait(for: "exited 5")
  }

  @Test("what capture --ansi gives is the same screen again when it is printed")
  func captureAgain() async throws {
    let sample = try home.folder.write(
      "sample",
      [
        "plain \u{1B}[1;2;3;4;5;7;9;53mmany\u{1B}[m \u{1B}[4:3;58:2::255:0:0mcurly\u{1B}[m",
        "\u{1B}[38;5;208;48;2;1;2;3mcolours\u{1B}[m \u{1B}[8mhidden\u{1B}[m \u{1B}[21mdouble\u{1B}[m",
        "wide \u{4E16}\u{754C} e\u{301} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F466} end",
        "\u{1B}]8;;https://example.org/a\u{1B}\\link\u{1B}]8;;\u{1B}\\ \u{1B}[44mto the end\u{1B}[K\u{1B}[m",
        String(repeating: "wrapped ", count: 30), "",
      ].joined(separator: "\r\n")
    )
    try await home.verb(
      "split",
      "--right",
      "--pane",
      "1",
      "--",
      "/bin/sh",
      "-c",
      "cat \(sample); cat"
    )
    try await home.wait(2, for: "wrapped")
    let first = try await home.verb("capture", "--ansi", "--pane", "2")
    let copy = try home.folder.write("copy", first)
    // A pane of the same size: the new one takes the place of the other.
    let size = try #require(try await home.panes().last)
    try await home.verb("close-pane", "--pane", "2")
    try await home.verb(
      "split",
      "--right",
      "--pane",
      "1",
      "--",
      "/bin/sh",
      "-c",
      "cat \(copy); cat"
    )
    try await home.wait(3, for: "wrapped")
    let again = try #require(try await home.panes().last)
    #expect((again.rows, again.columns) == (size.rows, size.columns))
    let lines = { (text: String) in
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      while lines.last?.isEmpty == true { lines.removeLast() }
      return lines
    }
    // Printing all rows scrolls the screen; with the scrollback nothing is lost.
    let second = try await home.verb("capture", "--ansi", "--scrollback", "--pane", "3")
    #expect(lines(second) == lines(first))
  }

  @Test("makes, names, moves and closes workspaces, and asks for force where something would end")
  func workspaces() async throws {
    let made = try await home.read(CreatedRow.self, "new-workspace", "--name", "spare")
    #expect(try await home.workspaces().map(\.name) == ["1", "spare"])
    #expect(try await home.panes().last?.kind == "empty")
    try await terminal.wait(for: "spare")
    try await home.verb("rename", "--workspace", "1", "main work")
    try await home.verb("rename", "--pane", "1", "a pane")
    #expect(try await home.panes().first?.title == "a pane")
    #expect(try await home.refusal("rename", "--workspace", "1", " ") == (2, "usage"))
    try await home.verb("rename", "--window", "1", "production")
    #expect(try await home.windows().map(\.name) == ["production"])
    #expect(try await home.refusal("rename", "--window", "1", " ") == (2, "usage"))
    let other = try await TmuxTerminal(home)
    try await other.wait(for: "connect to a host")
    try await home.verb("move-workspace", "--workspace", "1", "--to", "2")
    #expect(try await home.workspaces().first { $0.id == 1 }?.window == 2)
    #expect(
      try await home.refusal("move-workspace", "--workspace", "1", "--to", "2") == (
        9, "not-possible"
      )
    )
    #expect(
      try await home.refusal("move-workspace", "--workspace", "1", "--to", "9") == (4, "not-found")
    )
    #expect(try await home.refusal("close-workspace", "--workspace", "1") == (5, "needs-force"))
    #expect(try await home.refusal("close-window", "--window", "2") == (5, "needs-force"))
    try await home.verb("close-workspace", "--workspace", "\(made.workspace)")
    try await home.verb("close-workspace", "--workspace", "1", "--force")
    #expect(try await home.workspaces().isEmpty)
    try await home.verb("close-window", "--window", "2")
    try await other.wait(for: "[exit 0]")
  }

  @Test("a pane, a workspace and a window each stand for what a verb is about")
  func targets() async throws {
    // Window 1: workspace 1 with panes 1 and 2, workspace 2 with pane 3. Window 2: workspace 3 with pane 4.
    try await home.verb("split", "--right")
    try await home.verb("new-workspace")
    let other = try await TmuxTerminal(home)
    try await other.wait(for: "connect to a host")
    let made = try await home.read(CreatedRow.self, "new-workspace", "--window", "2")
    #expect(made.window == 2 && made.workspace == 3 && made.panes == [4])
    func ids<Row: Decodable>(_ type: Row.Type, _ id: KeyPath<Row, Int>, _ words: String...)
      async throws -> [Int]
    {
      let (status, text) = try await home.control([words[0], "--json"] + words.dropFirst())
      guard status == 0 else { throw TestFailure("\(words): \(text)") }
      return try JSONDecoder().decode([Row].self, from: Data(text.utf8)).map { $0[keyPath: id] }
    }
    #expect(try await ids(WindowRow.self, \.id, "windows") == [1, 2])
    for target in [["--pane", "2"], ["--workspace", "2"], ["--window", "1"]] {
      #expect(try await ids(WindowRow.self, \.id, "windows", target[0], target[1]) == [1])
    }
    #expect(try await ids(WorkspaceRow.self, \.id, "workspaces", "--pane", "2") == [1])
    #expect(try await ids(WorkspaceRow.self, \.id, "workspaces", "--workspace", "2") == [2])
    #expect(try await ids(WorkspaceRow.self, \.id, "workspaces", "--window", "1") == [1, 2])
    #expect(try await ids(PaneRow.self, \.id, "panes", "--pane", "2") == [2])
    #expect(try await ids(PaneRow.self, \.id, "panes", "--workspace", "1") == [1, 2])
    #expect(try await ids(PaneRow.self, \.id, "panes", "--window", "2") == [4])
    #expect(try await home.refusal("panes", "--pane", "9") == (4, "not-found"))
    #expect(try await home.refusal("workspaces", "--workspace", "9") == (4, "not-found"))
    #expect(try await home.refusal("windows", "--window", "9") == (4, "not-found"))
    // A new workspace goes to the window of what is named.
    #expect(
      try await home.read(CreatedRow.self, "new-workspace", "--pane", "4").window == 2
    )
    // Moving, closing and detaching mean what holds the pane, or what the window shows.
    try await home.verb("move-workspace", "--pane", "3", "--to", "2")
    #expect(try await home.workspaces().first { $0.id == 2 }?.window == 2)
    try await home.verb("close-pane", "--workspace", "3")
    #expect(try await home.workspaces().map(\.id).sorted() == [1, 2, 4])
    try await home.verb("close-workspace", "--pane", "3")
    #expect(try await home.workspaces().map(\.id) == [1, 4])
    try await home.verb("detach", "--workspace", "4")
    try await other.wait(for: "[exit 0]")
    #expect(try await home.refusal("close-window", "--pane", "1") == (5, "needs-force"))
    try await home.verb("close-window", "--pane", "1", "--force")
    try await terminal.wait(for: "[exit 0]")
    #expect(try await home.windows().map(\.id) == [2])
  }

  @Test("closes panes without a question, as the key does, and with the last one the workspace")
  func closePane() async throws {
    try await home.verb("split", "--right")
    try await home.verb("split", "--down")
    try await home.verb("close-pane", "--pane", "2")
    try await home.verb("close-pane", "--pane", "3")
    #expect(try await home.refusal("close-pane", "--pane", "2") == (4, "not-found"))
    #expect(try await home.panes().map(\.id) == [1])
    try await home.enter(1, "exit")
    try await home.verb("wait", "--state", "ended", "--timeout", "60")
    try await home.verb("close-pane", "--pane", "1")
    try await terminal.wait(for: "connect to a host")
  }

  @Test("opens hosts as the panes of one workspace, and a dead one keeps its reason")
  func open() async throws {
    let server = try await OpenSSHServer()
    let port = try FreePort.find()
    let words = "-i \(server.userKey) -p \(server.port) \(OpenSSHServer.user)@127.0.0.1"
    let made = try await home.read(CreatedRow.self, "open", "--", words, "nobody@127.0.0.1:\(port)")
    #expect(made.panes.count == 2)
    let live = "\(made.panes[0])"
    let dead = "\(made.panes[1])"
    try await home.verb("wait", "--pane", live, "--state", "asking", "--timeout", "60")
    try await home.verb("wait", "--pane", dead, "--state", "ended", "--timeout", "60")
    let row = try #require(try await home.panes().first { "\($0.id)" == dead })
    #expect(row.reason?.contains("refused") == true)
    #expect(row.host == "nobody@127.0.0.1:\(port)")
    try await home.verb("focus", "--pane", live)
    try await terminal.wait(for: "SHA256:")
    try await terminal.press("Tab", "Enter")
    try await home.verb("wait", "--pane", live, "--state", "up", "--timeout", "60")
    #expect(try await home.refusal("open", "--", "-Z host") == (4, "not-found"))
  }

  @Test("detaches, and quits by force only while something runs")
  func detachAndQuit() async throws {
    try await home.verb("detach", "--window", "1")
    try await terminal.wait(for: "[exit 0]")
    #expect(try await home.refusal("detach", "--window", "1") == (9, "not-possible"))
    #expect(try await home.refusal("quit") == (5, "needs-force"))
    let told = try await home.control("quit").text
    #expect(told.contains("With --force it is done all the same."), "\(told)")
    #expect(try await home.panes().map(\.state) == ["up"])
    try await home.verb("quit", "--force")
    #expect(try await home.control("windows").status == 3)
  }

  @Test("refuses what it does not know, with a status and a code")
  func refusals() async throws {
    #expect(try await home.refusal("no-such-verb") == (2, "usage"))
    #expect(try await home.refusal("zoom", "--pane", "77") == (4, "not-found"))
    #expect(try await home.refusal("capture", "--workspace", "77") == (4, "not-found"))
    #expect(try await home.refusal("panes", "--window", "77") == (4, "not-found"))
    #expect(try await home.refusal("split", "--right", "--up") == (2, "usage"))
    #expect(try await home.refusal("resize", "--left") == (9, "not-possible"))
  }
}
