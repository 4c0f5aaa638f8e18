import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Texts of several lines") struct TextAreaTests {
  static func press(_ names: [String], _ area: inout TextArea) throws {
    for name in names { #expect(area.handle(try KeyChord(text: name).event) == true, "\(name)") }
  }

  @Test(
    "a text that nobody edits is given back exactly",
    arguments: ["", "a", "a\n", "\n\n", "a\r\nb\r\n", "e\u{301}\u{2028}x\n\ty\u{7}"]
  )
  func exact(text: String) throws {
    var area = TextArea(text)
    #expect(Array(area.text.unicodeScalars) == Array(text.unicodeScalars))
    try Self.press(["right", "ctrl+e", "ctrl+a"], &area)
    #expect(Array(area.text.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test("a long line is kept whole")
  func longLine() {
    let text = String(repeating: "x", count: 20_000)
    #expect(TextArea("a\n\(text)").text == "a\n\(text)")
  }

  @Test("lines are broken, joined and left by the arrows")
  func editing() throws {
    var area = TextArea("one\ntwo")
    try Self.press(["end", "x", "enter", "y"], &area)
    #expect(area.text == "onex\ny\ntwo")
    try Self.press(["home", "backspace"], &area)
    #expect(area.text == "onexy\ntwo")
    try Self.press(["end", "delete"], &area)
    #expect(area.text == "onexytwo")
    try Self.press(["ctrl+z"], &area)
    #expect(area.text == "onexy\ntwo")
    #expect(area.handle(try KeyChord(text: "up").event) == false)
    try Self.press(["right", "right", "left", "left", "down"], &area)
    #expect(area.line == 1)
    #expect(area.handle(try KeyChord(text: "down").event) == false)
    #expect(area.handle(try KeyChord(text: "tab").event) == false)
  }

  @Test("everything can be taken back and done again; typing is one step")
  func undo() throws {
    var area = TextArea("")
    area.apply(.insert("one\rtwo\r\nthree"))
    #expect(area.text == "one\ntwo\nthree")
    try Self.press(["a", "b", "c"], &area)
    #expect(area.text == "one\ntwo\nthreeabc")
    try Self.press(["ctrl+z"], &area)
    #expect(area.text == "one\ntwo\nthree")
    try Self.press(["ctrl+y"], &area)
    #expect(area.text == "one\ntwo\nthreeabc")
    try Self.press(["ctrl+z", "ctrl+z"], &area)
    #expect(area.text.isEmpty)
    #expect(area.isEmpty)
  }

  @Test("the cursor's line is among the rows that are shown")
  func scrolling() {
    var area = TextArea((0..<20).map { "\($0)" }.joined(separator: "\n"))
    area.move(toLine: 15)
    area.fit(rows: 4)
    #expect(area.firstLine == 12)
    area.move(toLine: 13)
    area.fit(rows: 4)
    #expect(area.firstLine == 12)
    area.move(toLine: 0)
    area.fit(rows: 4)
    #expect(area.firstLine == 0)
  }

  @Test("edits of every kind are taken back and done again exactly, on any of many lines")
  func exactUndo() throws {
    let text = "one\r\ntwo e\u{301}\n\n\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7} flags\nlast"
    var random = SystemRandomNumberGenerator()
    var area = TextArea(text)
    var states = [area.text]
    let edits: [TextField.Edit] = [
      .insert("x"), .insert("\u{301}"), .insert("\u{1F1FA}"), .insert("a\nb\r\nc"), .insert(" "),
      .deleteBackward, .deleteForward, .deleteWordBackward, .deleteToEnd, .deleteToStart,
    ]
    for number in 0..<60 {
      area.move(toLine: Int.random(in: 0..<area.lineCount, using: &random))
      area.apply(number.isMultiple(of: 2) ? .wordRight : .left)
      guard let edit = edits.randomElement(using: &random) else { break }
      let before = area.revision
      area.apply(edit)
      #expect(area.byteCount == area.text.utf8.count)
      #expect(TextArea(area.text).hasSameText(as: area))
      if area.revision != before { states.append(area.text) }
    }
    for state in states.dropLast().reversed() {
      area.apply(.undo)
      #expect(Array(area.text.utf8) == Array(state.utf8))
    }
    for state in states.dropFirst() {
      area.apply(.redo)
      #expect(Array(area.text.utf8) == Array(state.utf8))
    }
  }

  @Test("a paste of a megabyte is cut at the bound, in one place, and that is said")
  func hugePaste() {
    var form = RecordFormTests.form()
    form.focus("notes")
    let piece = String(repeating: "0123456789abcde\n", count: 4_096)
    for _ in 0..<16 { _ = form.paste(piece) }
    guard let area = form.area("notes") else { return #expect(Bool(false), "no such field") }
    #expect(area.byteCount == TextArea.byteLimit)
    #expect(area.leftOut == 16 * 65_536 - (TextArea.byteLimit - 12))
    let note = form["notes"]?.cutNote ?? ""
    #expect(note == "There is room for 256 KiB: \(area.leftOut) characters were left out.")
    var canvas = Canvas(rows: 30, columns: 80)
    let room = CellRectangle(rows: 30, columns: 79)
    _ = form.draw(on: &canvas, in: room, GoldenScreen.dark)
    #expect(canvas.rowsText.contains { $0.contains("There is room for 256 KiB") })
    // What follows the gap is not put in, even where a little room is left.
    var short = TextArea(String(repeating: "x", count: 7), byteLimit: 8)
    short.apply(.insert("\u{20AC}uro"))
    short.apply(.insert("more of it"))
    #expect(short.text.utf8.count == 7)
    #expect(short.leftOut == 14)
    short.apply(.deleteBackward)
    #expect(short.leftOut == 0)
    // A text that is longer already stays, and takes nothing.
    let long = String(repeating: "y", count: TextArea.byteLimit + 10)
    var saved = TextArea(long)
    #expect(saved.text == long)
    saved.apply(.insert("z"))
    #expect(saved.text == long)
    #expect(saved.leftOut == 1)
  }

  @Test("a key and a frame look at what they change and show, not at the whole text")
  func workOfOneKey() throws {
    let lines = String(repeating: "a line of some length, as notes have them\n", count: 6_000)
    let texts = [lines, String(repeating: "x", count: 250_000)]
    for text in texts {
      var form = RecordFormTests.form()
      form.focus("notes")
      _ = form.paste(text)
      let meter = EditingWork.Meter()
      try EditingWork.$meter.withValue(meter) {
        for name in ["a", "b", "backspace", "left", "right", "ctrl+z", "c", "home", "end", "d"] {
          try RecordFormTests.press(name, &form)
          #expect(form.isChanged)
          var canvas = Canvas(rows: 30, columns: 80)
          _ = form.draw(on: &canvas, in: CellRectangle(rows: 30, columns: 79), GoldenScreen.dark)
        }
      }
      #expect(meter.count < 2_500)
    }
  }

  @Test("editors of hosts and snippets read no long text again with every key")
  func workOfEditors() throws {
    var host = VaultEditorTests.host(HostRecord.blankForTests, isNew: true)
    host.form.focus("notes")
    _ = host.form.paste(String(repeating: "note {{no}} place\n", count: 10_000))
    host.changed()
    var snippet = SnippetEditor(
      SnippetRecord(text: ""),
      isNew: true,
      contents: VaultFixture.contents
    )
    snippet.form.isEditing = true
    snippet.form.focus("text")
    _ = snippet.form.paste(String(repeating: "echo {{name=x}} line\n", count: 10_000))
    snippet.changed()
    let meter = EditingWork.Meter()
    try EditingWork.$meter.withValue(meter) {
      for name in ["a", "b", "{", "{", "z", "}", "}"] {
        try RecordFormTests.press(name, &host.form)
        host.changed()
        try RecordFormTests.press(name, &snippet.form)
        snippet.changed()
      }
      host.form.focus("name")
      try RecordFormTests.press("n", &host.form)
      host.changed()
    }
    #expect(meter.count < 2_500)
    #expect(snippet.form.text("places") == "name (x), z")
    #expect(snippet.record.placeholders.map(\.name) == ["name", "z"])
    #expect(host.record.notes.hasSuffix("place\nab{{z}}"))
    for _ in 0..<7 { try RecordFormTests.press("backspace", &snippet.form) }
    snippet.changed()
    #expect(snippet.form.text("places") == "name (x)")
  }
}

extension HostRecord {
  fileprivate static var blankForTests: HostRecord {
    HostRecord(name: "", endpoint: SSHEndpoint(host: "192.0.2.9"))
  }
}
