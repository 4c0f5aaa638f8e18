import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Forms of records") struct RecordFormTests {
  static func form() -> RecordForm {
    var form = RecordForm(
      title: "web1",
      fields: [
        .text("name", "Name", "web1"), .text("port", "Port", "", hint: "22"),
        FormField("kind", "Kind", .choice(["one", "two", "three"], selected: 0)),
        FormField("agent", "Agent", .toggle(true)),
        FormField("via", "Via", .picks(["bastion", "mid"])),
        FormField("route", "Route", .info("bastion › mid › web1")),
        FormField("notes", "Notes", .area(TextArea("first\nsecond"), rows: 3)),
        FormField("test", "", .button, hint: "Test connection"),
      ]
    )
    form.isEditing = true
    return form
  }

  @discardableResult
  static func press(_ name: String, _ form: inout RecordForm) throws -> RecordForm.Answer {
    form.handle(try KeyChord(text: name).event)
  }

  @Test("tab goes through what can be edited, around the ends, and skips what is only read")
  func focus() throws {
    var form = Self.form()
    var seen: [String] = []
    for _ in 0..<8 {
      seen.append(form.fields[form.focused].id)
      try Self.press("tab", &form)
    }
    #expect(seen == ["name", "port", "kind", "agent", "via", "notes", "test", "name"])
    try Self.press("shift+tab", &form)
    try Self.press("shift+tab", &form)
    #expect(form.fields[form.focused].id == "test")
  }

  @Test("typing, turning and removing change the form; moving does not")
  func changes() throws {
    var form = Self.form()
    #expect(try Self.press("left", &form) == .moved)
    #expect(!form.isChanged)
    #expect(try Self.press("x", &form) == .changed)
    #expect(form.text("name") == "webx1")
    #expect(form.isChanged("name"))
    #expect(try Self.press("ctrl+z", &form) == .changed)
    #expect(!form.isChanged)
    form.focus("kind")
    #expect(try Self.press("left", &form) == .changed)
    #expect(form["kind"]?.choice == 2)
    #expect(try Self.press("o", &form) == .changed)
    #expect(form["kind"]?.choice == 0)
    #expect(try Self.press("z", &form) == .ignored)
    form.focus("agent")
    #expect(try Self.press("space", &form) == .changed)
    #expect(form["agent"]?.isOn == false)
    form.focus("via")
    #expect(try Self.press("enter", &form) == .open("via"))
    #expect(try Self.press("backspace", &form) == .changed)
    #expect(form.text("via") == "bastion")
    form.settle()
    #expect(!form.isChanged)
  }

  @Test("enter goes on, breaks lines of notes, presses a button, and saves in the last field")
  func enter() throws {
    var form = Self.form()
    #expect(try Self.press("enter", &form) == .moved)
    #expect(form.fields[form.focused].id == "port")
    form.focus("notes")
    #expect(try Self.press("enter", &form) == .changed)
    #expect(form.text("notes") == "\nfirst\nsecond")
    form.focus("test")
    #expect(try Self.press("enter", &form) == .open("test"))
    #expect(try Self.press("ctrl+s", &form) == .save)
    #expect(try Self.press("escape", &form) == .cancel)
    form.fields.removeLast()
    form.fields.removeLast()
    form.focus("via")
    form.fields.append(.text("last", "Last", ""))
    form.focus("last")
    #expect(try Self.press("enter", &form) == .save)
  }

  @Test("a click chooses, turns and opens; a pasted line end becomes a blank in one line")
  func clicking() throws {
    var form = Self.form()
    #expect(form.click(2) == .changed)
    #expect(form["kind"]?.choice == 1)
    #expect(form.click(4) == .open("via"))
    #expect(form.click(5) == .ignored)
    #expect(form.click(0) == .moved)
    #expect(form.paste("a\r\nb") == true)
    #expect(form.text("name") == "web1a b")
    form.focus("kind")
    #expect(form.paste("x") == false)
  }

  @Test("the focused field stays in sight in a few rows, and its note with it")
  func scrolling() throws {
    var form = Self.form()
    form["test"]?.problem = "Does not work."
    for rows in [2, 3, 5, 30] {
      for _ in 0..<9 {
        try Self.press("tab", &form)
        var canvas = Canvas(rows: rows, columns: 40)
        let area = CellRectangle(rows: rows, columns: 39)
        let targets = form.draw(on: &canvas, in: area, GoldenScreen.dark)
        #expect(targets.contains { $0.field == form.focused })
        #expect(targets.allSatisfy { $0.cells.endRow <= rows })
        if form.fields[form.focused].id == "test" {
          #expect(canvas.rowsText.contains { $0.contains("Does not work.") })
        }
      }
    }
    form.scroll(by: -100)
    var canvas = Canvas(rows: 3, columns: 40)
    let area = CellRectangle(rows: 3, columns: 39)
    #expect(form.draw(on: &canvas, in: area, GoldenScreen.dark).contains { $0.field == 0 })
  }
}
