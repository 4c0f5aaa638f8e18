import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Text field") struct TextFieldTests {
  private func field(_ text: String, _ edits: TextField.Edit...) -> TextField {
    var field = TextField(text)
    for edit in edits { field.apply(edit) }
    return field
  }

  @Test("edits work on what people see as characters")
  func clusters() {
    let family = "👨‍👩‍👧"
    #expect(field("a\(family)e\u{301}", .deleteBackward).text == "a\(family)")
    #expect(field("a\(family)b", .left, .deleteBackward).text == "ab")
    #expect(field("🇩🇪🇫🇷", .left, .deleteForward).text == "🇩🇪")
    #expect(field("日本語", .home, .right, .insert("x")).text == "日x本語")
  }

  @Test("what has no room is left out of what comes, counted, and said", arguments: [false, true])
  func leftOut(isSecret: Bool) {
    var field = TextField("ab", isSecret: isSecret, limit: 4)
    field.apply(.home)
    field.apply(.insert("wxyz"))
    // What was there before stays.
    #expect(field.count == 4)
    if !isSecret { #expect(field.text == "wxab") }
    #expect(field.cutNote == "There is room for 4 characters: 2 characters were left out.")
    // The next piece of the same paste.
    field.apply(.insert("0123"))
    #expect(field.leftOut == 6)
    field.apply(.left)
    #expect(field.cutNote.isEmpty)
    field.apply(.deleteForward)
    field.apply(.insert("q"))
    #expect(field.count == 4)
    #expect(field.leftOut == 0)
    field.apply(.insert("r"))
    #expect(field.cutNote == "There is room for 4 characters: one character was left out.")
  }

  @Test("a sheet says that a paste was cut")
  func sheet() {
    var form = Form.rename("pane", current: "")
    form.paste(String(repeating: "x", count: TextField.limit + 9))
    var canvas = Canvas(rows: 20, columns: 80)
    let area = form.area(in: CellRectangle(rows: 20, columns: 80))
    form.draw(on: &canvas, in: area, GoldenScreen.dark)
    #expect(canvas.rowsText.contains { $0.contains("There is room for 4096 characters") })
  }

  @Test("a mark typed behind a letter joins it")
  func combining() {
    var field = field("e")
    field.apply(.insert("\u{301}"))
    #expect(field.text == "e\u{301}")
    #expect(field.cursor == 1)
    field.apply(.deleteBackward)
    #expect(field.isEmpty)
  }

  @Test("movements stop at the ends, words are letters and digits")
  func movement() {
    #expect(field("ab", .home, .left, .deleteBackward).text == "ab")
    #expect(field("ab", .right, .deleteForward).text == "ab")
    #expect(field("one two-three", .deleteWordBackward).text == "one two-")
    #expect(field("one two-three", .wordLeft, .wordLeft, .deleteToEnd).text == "one ")
    #expect(field("one  two", .home, .wordRight, .deleteWordForward).text == "one")
    #expect(field("one two", .wordLeft, .deleteToStart).text == "two")
    #expect(field("x", .clear).isEmpty)
  }

  @Test("typing is undone as one step, and made again")
  func undo() {
    var field = TextField("a")
    for letter in ["b", "c", "d"] { field.apply(.insert(letter)) }
    field.apply(.deleteBackward)
    #expect(field.text == "abc")
    field.apply(.undo)
    #expect(field.text == "abcd")
    field.apply(.undo)
    #expect(field.text == "a")
    let unchanged = field.apply(.undo)
    #expect(!unchanged)
    field.apply(.redo)
    #expect(field.text == "abcd")
    field.apply(.insert("!"))
    field.apply(.redo)
    #expect(field.text == "abcd!")
  }

  @Test("a secret shows dots, has no undo and tells nothing about words")
  func secret() {
    var field = TextField("pass word", isSecret: true)
    #expect(field.visible(width: 20).text == "•••••••••")
    field.apply(.deleteWordBackward)
    #expect(field.isEmpty)
    field.apply(.undo)
    #expect(field.isEmpty)
    field.apply(.insert("é"))
    #expect(field.answer == SecretBytes("é".utf8))
    #expect(field.text.isEmpty)
  }

  @Test("a secret is edited as any text is, and stands nowhere but in its answer")
  func secretEdits() {
    var secret = TextField("", isSecret: true)
    var plain = TextField("")
    let edits: [TextField.Edit] = [
      .insert("pass"), .left, .left, .insert("日本"), .insert("\u{301}"), .home, .insert("e"),
      .insert("\u{301}"), .deleteForward, .end, .deleteBackward, .insert("👨‍👩‍👧"), .insert("🇩🇪"),
      .left, .insert(" two words "), .home, .right, .deleteToStart,
    ]
    for edit in edits {
      secret.apply(edit)
      plain.apply(edit)
      #expect(secret.answer == SecretBytes(plain.text.utf8))
      #expect(secret.answer == plain.answer)
      #expect(secret.cursor == plain.cursor)
      #expect(secret.count == plain.count)
    }
    var text = ""
    dump(secret, to: &text)
    #expect(!text.contains("words") && !text.contains("日"))
    secret.apply(.insert(String(repeating: "x", count: 10_000)))
    #expect(secret.count == TextField.limit)
    secret.apply(.clear)
    #expect(secret.isEmpty && secret.answer.isEmpty)
  }

  @Test("pasted line ends become blanks, and the length is bounded")
  func paste() {
    #expect(field("", .insert("a\r\nb\nc")).text == "a b c")
    let long = field("", .insert(String(repeating: "x", count: 10_000)))
    #expect(long.text.count == TextField.limit)
    #expect(long.cursor == TextField.limit)
  }

  @Test("the cursor stays in sight, wide characters are never cut")
  func visible() {
    let long = TextField("abcdefghij")
    #expect(long.visible(width: 5).text == "ghij")
    #expect(long.visible(width: 5).cursorColumn == 4)
    #expect(long.visible(width: 0).text == "")
    let wide = TextField("日本語")
    #expect(wide.visible(width: 4).text == "語")
    #expect(wide.visible(width: 7).text == "日本語")
    var start = long
    start.apply(.home)
    #expect(start.visible(width: 4).text == "abcd")
    #expect(start.visible(width: 4).cursorColumn == 0)
  }

  @Test(
    "keys mean what they mean in a shell and a form",
    arguments: [
      ("left", TextField.Edit.left), ("ctrl+left", .wordLeft), ("alt+b", .wordLeft),
      ("ctrl+a", .home), ("ctrl+e", .end), ("ctrl+u", .deleteToStart), ("ctrl+k", .deleteToEnd),
      ("ctrl+w", .deleteWordBackward), ("alt+d", .deleteWordForward),
      ("backspace", .deleteBackward),
      ("ctrl+z", .undo), ("ctrl+shift+z", .redo), ("x", .insert("x")), ("X", .insert("X")),
      ("é", .insert("é")), ("space", .insert(" ")),
    ]
  )
  func keys(name: String, edit: TextField.Edit) throws {
    let found = TextField.Edit(try KeyChord(text: name).event)
    #expect(found == edit)
  }

  @Test(
    "keys that are no edits are left alone",
    arguments: [
      "enter", "tab", "escape", "up", "f1", "super+x", "ctrl+x",
    ]
  )
  func otherKeys(name: String) throws {
    let found = TextField.Edit(try KeyChord(text: name).event)
    #expect(found == nil)
  }

  @Test("a release types nothing, a control character in a text neither")
  func noText() {
    #expect(TextField.Edit(KeyEvent(code: .character(0x61), kind: .release, text: "a")) == nil)
    #expect(TextField.Edit(KeyEvent(code: .character(0x61), text: "\u{1B}[")) == nil)
  }

  @Test("any edits in any order keep the cursor inside and the text whole")
  func randomEdits() {
    let edits: [TextField.Edit] = [
      .left, .right, .wordLeft, .wordRight, .home, .end, .deleteBackward, .deleteForward,
      .deleteWordBackward, .deleteWordForward, .deleteToStart, .deleteToEnd, .undo, .redo,
      .insert("a"), .insert(" "), .insert("\u{301}"), .insert("日本"), .insert("👨‍👩‍👧"),
      .insert("🇩🇪"), .insert("\u{200D}"), .insert("e\u{FE0F}"),
    ]
    for isSecret in [false, true] {
      var field = TextField("start", isSecret: isSecret)
      for step in 0..<5_000 {
        guard let edit = edits.randomElement() else { continue }
        field.apply(edit)
        #expect((0...field.count).contains(field.cursor))
        if step % 50 == 0 {
          for width in [0, 1, 2, 5, 40] {
            let shown = field.visible(width: width)
            #expect(TextLine.columns(shown.text) <= width)
            #expect(shown.cursorColumn < max(width, 1))
          }
        }
        if field.count > 60 { field.apply(.clear) }
      }
    }
  }
}
