import Testing

@testable import TermindPresentation

@Suite("Keymap files") struct KeymapParserTests {
  private func parse(_ text: String) -> KeymapParser.Result {
    KeymapParser.parse(text, name: "mine", file: "mine") { name in
      ShippedFiles.keymap(name).map { ($0.text, "Keymaps/\(name)") }
    }
  }

  @Test(
    "chords are read and printed",
    arguments: [
      ("ctrl+space", "ctrl+space"), ("control+a", "ctrl+a"), ("Ctrl+A", "ctrl+shift+a"), ("H", "H"),
      ("shift+h", "H"), ("alt+Enter", "alt+enter"), ("cmd+shift+[", "super+shift+["),
      ("super+bracket_left", "super+["), ("ctrl++", "ctrl++"), ("ctrl+plus", "ctrl++"), ("+", "+"),
      ("=", "="), (">", ">"), ("ctrl+comma", "ctrl+,"), ("ctrl+.", "ctrl+."), ("ctrl+;", "ctrl+;"),
      ("ctrl+tab", "ctrl+tab"), ("ctrl+shift+tab", "ctrl+shift+tab"),
      ("shift+alt+f12", "alt+shift+f12"),
      ("f35", "f35"), ("esc", "escape"), ("arrow_left", "left"), ("pgup", "page_up"), ("é", "é"),
      ("É", "É"), ("я", "я"), ("Я", "Я"), ("key_a", "a"), ("digit_7", "7"), ("nine", "9"),
      ("keypad_enter", "keypad_enter"), ("ctrl", "?"),
    ]
  )
  func chords(text: String, printed: String) throws {
    if printed == "?" {
      #expect(throws: KeySyntaxError.unknownKey(text)) { try KeyChord(text: text) }
      return
    }
    let chord = try KeyChord(text: text)
    #expect(chord.description == printed)
    let again = try KeyChord(text: chord.description)
    #expect(again == chord)
  }

  @Test(
    "wrong keys say what is wrong",
    arguments: [
      ("", KeySyntaxError.missingKey), ("ctrl+", .missingKey), ("hyper+a", .unknownKey("hyper")),
      ("ctrl+ctrl+a", .repeatedModifier("ctrl")), ("f36", .unknownKey("f36")),
      ("a b", .unexpected(" b")), ("blorp", .unknownKey("blorp")),
      ("leader", .unknownKey("leader")),
      ("👨‍👩‍👧", .unknownKey("👨‍👩‍👧")),
    ]
  )
  func wrongChords(text: String, error: KeySyntaxError) {
    #expect(throws: error) { try KeyChord(text: text) }
  }

  @Test("a binding in Ghostty's form is read")
  func ghosttyForm() throws {
    let result = parse("keybind = ctrl+space>v=new_split:right\nkeybind = super+==even_out")
    #expect(result.notes == [])
    #expect(result.keymap.bindings.map(\.keysText) == ["ctrl+space v", "super+="])
    #expect(result.keymap.bindings.map(\.action) == [.newSplit(.right), .evenOut])
  }

  @Test("keys that the syntax uses can be bound without an escape")
  func syntaxKeys() {
    let text = """
      leader = ctrl+a
      keybind = leader>>=move_workspace_right
      keybind = leader><=move_workspace_left
      keybind = leader>==even_out
      keybind = leader>+=zoom
      keybind = leader>:=command_palette
      keybind = leader>"=new_split:down
      keybind = leader>#=redraw
      keybind = repeat:leader>ctrl+>=resize:right
      """
    let result = parse(text)
    #expect(result.notes == [])
    #expect(
      result.keymap.bindings.map(\.keysText) == [
        "ctrl+a >", "ctrl+a <", "ctrl+a =", "ctrl+a +", "ctrl+a :", "ctrl+a \"", "ctrl+a #",
        "ctrl+a ctrl+>",
      ]
    )
    #expect(result.keymap.bindings.last?.repeats == true)
  }

  @Test("the leader is changed in one place, wherever its line stands")
  func leaderLine() throws {
    let result = parse("base = default\nleader = alt+x")
    #expect(result.notes == [])
    let keymap = result.keymap
    #expect(keymap.leader?.description == "alt+x")
    #expect(keymap.keysText(for: .quickOpen) == "alt+x p")
    #expect(keymap.bindings.count == KeymapLibrary.standard.bindings.count)
    let others = keymap.bindings.filter { $0.keys.first != keymap.leader }
    #expect(others.map(\.keysText) == ["ctrl+shift+p"])
  }

  @Test("later lines win, unbind takes away, clear takes everything")
  func order() {
    let keymap = parse(
      """
      keybind = ctrl+a=zoom
      keybind = ctrl+a=quit
      keybind = ctrl+b=detach
      keybind = ctrl+b=unbind
      keybind = ctrl+c>x=zoom
      keybind = ctrl+c>y=zoom
      keybind = ctrl+c=unbind
      """
    ).keymap
    #expect(keymap.bindings.map(\.action) == [.quit])
    #expect(parse("base = default\nkeybind = clear").keymap.bindings.isEmpty)
  }

  @Test("a binding that hides others is remarked")
  func conflicts() {
    let result = parse(
      "keybind = ctrl+a>x=zoom\nkeybind = ctrl+a=quit\nkeybind = ctrl+a>y=detach"
    )
    #expect(
      result.notes.map(\.description) == [
        "mine:2: 'ctrl+a x' of line 1 cannot be reached any more",
        "mine:3: 'ctrl+a' of line 2 cannot be reached any more",
      ]
    )
    #expect(result.keymap.bindings.map(\.action) == [.detach])
  }

  @Test(
    "a wrong line names file, line and reason, and the rest stays in force",
    arguments: [
      ("keybind = ctrl+a", "an action is missing: write KEY=ACTION"),
      ("keybind = ctrl+a=", "no action is named"),
      ("keybind = ctrl+a=fly", "there is no action 'fly'"),
      ("keybind = =zoom", "'zoom' was not expected behind the key"),
      ("keybind = ctrl+blorp=zoom", "there is no key 'blorp'"),
      ("keybind = a>b>c>d>e>f=zoom", "a sequence has at most 5 keys"),
      ("keybind = ctrl+a b=zoom", "'b' was not expected behind the key"),
      ("keybind = leader>a=zoom", "the binding uses 'leader', but the keymap sets none"),
      ("leader = leader", "there is no key 'leader'"),
      ("leader = ctrl+", "a key is missing"),
      ("which-key-delay = soon", "'which-key-delay' is a number of milliseconds from 0 to 10000"),
      ("base = default", "'base' must be the first setting of the file"),
    ]
  )
  func wrongLines(line: String, reason: String) {
    let result = parse("keybind = ctrl+z=suspend\n\(line)\nkeybind = ctrl+q=quit")
    #expect(result.notes.map(\.description) == ["mine:2: \(reason)"])
    #expect(result.notes.first?.severity == .error)
    #expect(result.keymap.bindings.map(\.action) == [.suspend, .quit])
  }

  @Test("Ghostty's flags and settings are remarked, not refused")
  func flags() {
    let result = parse("keybind = global:performable:ctrl+q=quit\nfont-size = 12")
    #expect(result.notes.map(\.severity) == [.remark, .remark, .remark])
    #expect(result.keymap.bindings.map(\.action) == [.quit])
  }

  @Test("an unknown base and bases in a circle are errors")
  func bases() {
    #expect(
      parse("base = nowhere").notes.map(\.description) == ["mine:1: there is no keymap 'nowhere'"]
    )
    let circle = KeymapParser.parse("base = a", name: "a", file: "a") { name in
      ("base = \(name)\nkeybind = ctrl+q=quit", name)
    }
    #expect(circle.notes.map(\.reason) == ["too many keymaps build on each other"])
    #expect(circle.keymap.bindings.map(\.action) == [.quit])
  }

  @Test("delays are set in milliseconds")
  func delays() {
    let keymap = parse("which-key-delay = 250\nrepeat-delay = 0").keymap
    #expect(keymap.whichKeyDelay == .milliseconds(250))
    #expect(keymap.repeatDelay == .zero)
    #expect(KeymapLibrary.standard.whichKeyDelay == .milliseconds(400))
  }

  @Test("a person's keymap of a shipped name can build on the shipped one")
  func ownKeymaps() throws {
    let folder = try TemporaryFolder()
    try folder.write("base = default\nkeybind = leader>p=zoom", "default")
    try folder.write("base = default\nkeybind = f5=redraw", "work")
    let library = KeymapLibrary(own: ConfigurationFolder(path: folder.path))
    let own = library.keymap(named: "default")
    #expect(own.notes == [])
    #expect(own.keymap.bindings(of: .quickOpen).map(\.keysText) == ["ctrl+shift+p"])
    let work = library.keymap(named: "work").keymap
    #expect(work.keysText(for: .redraw) == "f5")
    #expect(work.bindings(of: .quickOpen).isEmpty)
    #expect(
      library.listings().map(\.name) == ["default", "macos", "tmux", "zellij", "work"]
    )
    #expect(library.listings().first?.source == .person)
    let missing = library.keymap(named: "nowhere")
    #expect(
      missing.notes.map(\.description) == [
        "nowhere: there is no keymap of this name; the default is used"
      ]
    )
    #expect(missing.keymap.bindings == KeymapLibrary.standard.bindings)
  }

  @Test("the choices after a prefix come in the order of the file")
  func choices() throws {
    let keymap = parse(
      "leader = ctrl+a\nkeybind = leader>z=zoom\nkeybind = leader>g>v=redraw\n"
        + "keybind = leader>g>s=go:welcome"
    ).keymap
    let leader = try KeyChord(text: "ctrl+a")
    let choices = try #require(keymap.choices(after: [leader]))
    #expect(choices.map(\.chord.description) == ["z", "g"])
    #expect(choices.map(\.label) == ["zoom", "window, go to…"])
    let inner = try KeyChord(text: "z")
    #expect(keymap.choices(after: [leader, inner]) == nil)
  }

  @Test("a prefix is named after what most of its keys do, and four directions are one line")
  func topics() throws {
    let keymap = KeymapLibrary.standard
    let leader = try #require(keymap.leader)
    let choices = try #require(keymap.choices(after: [leader]))
    let names = Dictionary(
      choices.filter { $0.action == nil }.map { ($0.chord.short, $0.label) },
      uniquingKeysWith: { first, _ in first }
    )
    #expect(
      names == [
        "a": "arrange…", "e": "broadcast, snippets…", "g": "go to…", "x": "swap…",
        "y": "output, copy…",
      ]
    )
    let entries = WhichKeySheet.entries(choices)
    #expect(entries.contains { $0.keys == "hjkl ←↓↑→" && $0.label == "focus" })
    #expect(entries.contains { $0.keys == "HJKL" && $0.label == "resize" })
    #expect(!entries.contains { $0.label.contains("left") && $0.label != "workspace left" })
  }
}
