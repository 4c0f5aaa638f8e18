import TermindApplication
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Little room") struct NarrowTests {
  private let look = Appearance(theme: Theme(name: "plain"), depth: .trueColor)

  @Test("a message wins over where one is", arguments: [20, 24, 30])
  func notice(columns: Int) {
    var canvas = Canvas(rows: 1, columns: columns)
    let line = StatusLine(
      place: "a long workspace",
      pane: "a pane",
      notice: Notice(.problem, "The paste was not sent.")
    )
    line.draw(on: &canvas, in: CellRectangle(rows: 1, columns: columns), look)
    #expect(canvas.text(row: 0).contains("The paste was no"))
    #expect(!canvas.text(row: 0).contains("workspace"))
  }

  @Test(
    "a message that is longer than the line takes the rows above it, and the last ones as they are needed"
  )
  func longNotice() {
    var canvas = Canvas(rows: 10, columns: 30)
    let words = (1...12).map { "word\($0)" }
    let line = StatusLine(
      place: "prod",
      notice: Notice(.problem, words.joined(separator: " "))
    )
    line.draw(on: &canvas, in: CellRectangle(row: 9, column: 0, rows: 1, columns: 30), look)
    let text = (0..<10).map { canvas.text(row: $0) }
    #expect(text[0..<7].allSatisfy { $0.allSatisfy(\.isWhitespace) })
    #expect(text[7].hasPrefix(" ! word1 "))
    for word in words { #expect(text.contains { $0.contains(word) }) }
  }

  @Test("a secret has a line in which its dots are seen, however low the pane", arguments: [1, 2])
  func secret(rows: Int) {
    for label in ["Password", "A question of a server that is much longer than its place"] {
      var form = Form(title: "Password for me@host", rows: [Form.Row(label, isSecret: true)])
      form.paste("secret")
      var canvas = Canvas(rows: rows, columns: 30)
      form.draw(on: &canvas, in: CellRectangle(rows: rows, columns: 30), look)
      #expect(canvas.text(row: rows - 1).contains("••••••"))
      #expect(canvas.cursor?.row == rows - 1)
      if rows == 2 { #expect(canvas.text(row: 0).contains("Password for")) }
    }
  }

  @Test(
    "a question about a host key that finds no line says that it is too small, and takes no answer"
  )
  func hostKey() {
    for doubt in [HostKeyDoubt.unknown, .changed(known: [SheetTests.known])] {
      let sheet = HostKeySheet(SheetTests.question(doubt))
      var canvas = Canvas(rows: 3, columns: 30)
      let area = CellRectangle(rows: 3, columns: 30)
      let buttons = sheet.draw(on: &canvas, in: area, look)
      #expect(canvas.text(row: 1).contains("Too small to show the key"))
      #expect(buttons.isEmpty && canvas.cursor == nil)
      #expect(!sheet.fits(in: area))
    }
  }

  @Test("every key of a long sequence is shown at 80 columns")
  func allKeys() throws {
    let keymap = KeymapLibrary.standard
    var resolver = KeymapResolver(keymap: keymap)
    _ = resolver.feed(
      KeyEvent(code: .character(0x20), modifiers: .control),
      at: ContinuousClock.now
    )
    let pending = try #require(resolver.pending)
    let entries = WhichKeySheet.entries(pending.choices)
    let narrow = try #require(WhichKeySheet.narrowColumns(entries, width: 76, rows: 20))
    #expect(narrow.columns.joined().count == entries.count)
    #expect(narrow.widths.reduce(0, +) + 2 * (narrow.columns.count - 1) <= 76)
    // Only few words are cut, and by little.
    let cut = zip(narrow.columns, narrow.widths).flatMap { column, width in
      column.filter { $0.columns > width }
    }
    #expect(cut.count <= 6, "\(cut.map(\.label))")
    #expect(WhichKeySheet.narrowColumns(entries, width: 20, rows: 5) == nil)
  }

  @Test("the colour of a host stands in the titles, lists and bars where there are colours")
  func colors() {
    var canvas = Canvas(rows: 3, columns: 40)
    let line = CellRectangle(rows: 1, columns: 40)
    let face = PaneFace(pane: PaneID(rawValue: 1), title: "web", color: .red)
    PaneFrames.drawTitle(face, on: &canvas, in: line, look)
    #expect(canvas.text(row: 0).contains("▎web"))
    ChooserSheet.draw(
      ChooserRow(title: "web", color: .red),
      on: &canvas,
      in: CellRectangle(row: 1, column: 0, rows: 1, columns: 40),
      titleColumns: 10,
      isSelected: false,
      look
    )
    #expect(canvas.text(row: 1).hasPrefix("▎"))
    let bar = Sidebar(
      destinations: [],
      workspaces: [WorkspaceFace(place: 1, name: "prod", colors: [.red, .blue])]
    )
    var side = Canvas(rows: 2, columns: 17)
    bar.draw(on: &side, in: CellRectangle(rows: 2, columns: 17), look)
    #expect(side.text(row: 1).contains("1▎▎prod"))
    var plain = Canvas(rows: 1, columns: 40)
    PaneFrames.drawTitle(
      face,
      on: &plain,
      in: line,
      Appearance(theme: look.theme, depth: .monochrome)
    )
    #expect(!plain.text(row: 0).contains("▎"))
  }

  @Test(
    "the hints are keys that can be pressed",
    arguments: ["default", "tmux", "zellij", "macos"]
  )
  func hints(name: String) throws {
    let keymap = KeymapLibrary(own: nil).keymap(named: name).keymap
    let leader = StatusLine.leader(of: keymap)
    let hints = StatusLine.hints(of: keymap)
    #expect(!hints.isEmpty)
    for hint in hints {
      let keys = leader.isEmpty ? hint.key : "\(leader) \(hint.key)"
      #expect(keymap.bindings.contains { $0.keysText == keys }, "\(keys)")
    }
    #expect(StatusLine.hints(of: keymap, isLocked: true).map(\.label) == ["unlock"])
    let shell = WelcomeScreen.localShellKeys(in: keymap)
    #expect(
      shell == "ctrl+t" || keymap.bindings(of: .openLocal).contains { $0.keysText == shell }
    )
  }
}
