import FoundationEssentials
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Theme search path") struct ThemeLibraryTests {
  @Test("the person's theme wins over Ghostty's, and both over a shipped one")
  func order() throws {
    let own = try TemporaryFolder()
    let ghostty = try TemporaryFolder()
    let colors = "foreground = #ffffff\nbackground = "
    try own.write(colors + "#111111", "Nord")
    try ghostty.write(colors + "#222222", "Nord")
    try ghostty.write(colors + "#333333", "Other")
    let library = ThemeLibrary(
      own: ConfigurationFolder(path: own.path),
      ghostty: ConfigurationFolder(path: ghostty.path)
    )
    #expect(library.theme(named: "Nord").theme.background == ThemeColor(bits: 0x111111))
    #expect(library.theme(named: "Other").theme.background == ThemeColor(bits: 0x333333))
    #expect(library.theme(named: "Dracula").theme.background == ThemeColor(bits: 0x282A36))
    let sources = Dictionary(uniqueKeysWithValues: library.listings().map { ($0.name, $0.source) })
    #expect(sources["Nord"] == .person)
    #expect(sources["Other"] == .ghostty)
    #expect(sources["Dracula"] == .shipped)
  }

  @Test("a missing theme is noted and the default takes its place", arguments: [true, false])
  func missing(dark: Bool) {
    let library = ThemeLibrary(own: ConfigurationFolder(path: "/nonexistent"), ghostty: nil)
    let result = library.theme(named: "No Such", dark: dark)
    let standIn = dark ? "Catppuccin Mocha" : "Catppuccin Latte"
    #expect(result.theme.name == standIn)
    #expect(result.theme.isDark == dark)
    #expect(
      result.notes.map(\.description) == [
        "No Such: there is no theme of this name; \(standIn) is used"
      ]
    )
  }

  @Test("a name never leads out of the folder", arguments: ["../secret", ".hidden", "a/b", ""])
  func plainNames(name: String) throws {
    let outer = try TemporaryFolder()
    try outer.write("background = #abcdef\nforeground = #000000", "secret")
    let library = ThemeLibrary(
      own: ConfigurationFolder(path: outer.path + "/inner"),
      ghostty: nil
    )
    #expect(library.theme(named: name).theme.name == ThemeLibrary.defaultDark)
  }

  @Test("a file that is too large or no file is noted")
  func unreadable() throws {
    let own = try TemporaryFolder()
    try own.write(String(repeating: "# filler\n", count: 200_000), "Big")
    let library = ThemeLibrary(own: ConfigurationFolder(path: own.path), ghostty: nil)
    let result = library.theme(named: "Big")
    #expect(result.theme.name == ThemeLibrary.defaultDark)
    #expect(
      result.notes.map(\.description) == [
        "\(own.path)/Big: it is larger than 1024 KiB; Catppuccin Mocha is used"
      ]
    )
  }

  @Test("links to files are followed, folders and links to nothing are not")
  func links() throws {
    let own = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    try elsewhere.write("background = #010203\nforeground = #ffffff", "real")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: "\(own.path)/Linked",
      withDestinationPath: "\(elsewhere.path)/real"
    )
    try manager.createSymbolicLink(
      atPath: "\(own.path)/Folder",
      withDestinationPath: elsewhere.path
    )
    try manager.createSymbolicLink(
      atPath: "\(own.path)/Nowhere",
      withDestinationPath: "\(elsewhere.path)/nothing"
    )
    let library = ThemeLibrary(own: ConfigurationFolder(path: own.path), ghostty: nil)
    let linked = library.theme(named: "Linked")
    #expect(linked.notes == [])
    #expect(linked.theme.background == ThemeColor(bits: 0x010203))
    let folder = library.theme(named: "Folder")
    #expect(folder.notes.map(\.reason) == ["it is not a plain file; Catppuccin Mocha is used"])
    let nowhere = library.theme(named: "Nowhere")
    #expect(nowhere.theme.name == ThemeLibrary.defaultDark)
    #expect(nowhere.notes.count == 1)
  }

  @Test("a choice is one theme or a pair")
  func choices() {
    #expect(ThemeChoice(text: "Nord") == ThemeChoice(dark: "Nord", light: "Nord"))
    let pair = ThemeChoice(dark: "Nord", light: "GitHub Light")
    #expect(ThemeChoice(text: "light:GitHub Light, dark:Nord") == pair)
    #expect(ThemeChoice(text: pair.description) == pair)
    #expect(ThemeChoice(text: "dark:Nord")?.light == "Nord")
    #expect(ThemeChoice(text: "  ") == nil)
    #expect(pair.name(dark: false) == "GitHub Light")
  }

  @Test("moving through the list previews, escape goes back, enter takes")
  func chooser() throws {
    func key(_ name: String) throws -> KeyEvent { try KeyChord(text: name).event }
    var chooser = ThemeChooser(ThemeLibrary(own: nil, ghostty: nil), current: "Dracula")
    #expect(chooser.list.selected.map { chooser.listings[$0].name } == "Dracula")
    #expect(chooser.handle(try key("down")) == .preview("Everforest Dark"))
    #expect(chooser.handle(try key("escape")) == .cancelled("Dracula"))
    for name in ["n", "o", "r"] { _ = chooser.handle(try key(name)) }
    #expect(chooser.handle(try key("d")) == .none)
    #expect(chooser.handle(try key("enter")) == .chosen("Nord"))
    var light = ThemeChooser(ThemeLibrary(own: nil, ghostty: nil), current: "No Such")
    for name in ["l", "i", "g", "h"] { _ = light.handle(try key(name)) }
    #expect(light.handle(try key("t")) == .none)
    let names = light.list.matches.map { light.listings[$0].name }
    #expect(names.contains("Catppuccin Latte") && !names.contains("Dracula"))
    let first = try #require(light.listings.first)
    #expect(light.row(0).title == first.name)
  }
}
