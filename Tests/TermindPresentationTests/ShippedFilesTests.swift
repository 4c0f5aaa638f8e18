import Testing

@testable import TermindPresentation

@Suite("Shipped files") struct ShippedFilesTests {
  @Test(
    "the embedded files are those of the checkout; else run Scripts/embed-data",
    arguments: [("Themes", ShippedFiles.themes), ("Keymaps", ShippedFiles.keymaps)]
  )
  func embeddedIsFresh(folder: String, files: [ShippedFile]) throws {
    #expect(try Checkout.names(in: folder) == files.map(\.name).sorted())
    for file in files {
      #expect(try Checkout.text("\(folder)/\(file.name)") == file.text + "\n", "\(file.name)")
    }
  }

  @Test("there are at least twelve themes, light and dark")
  func enoughThemes() {
    let themes = ShippedFiles.themes.map {
      ThemeParser.parse($0.text, name: $0.name, file: $0.name).theme
    }
    #expect(themes.count >= 12)
    #expect(themes.count { $0.isDark } >= 5)
    #expect(themes.count { !$0.isDark } >= 5)
  }

  @Test("every shipped theme is complete and without a note", arguments: ShippedFiles.themes)
  func themesAreClean(file: ShippedFile) {
    let result = ThemeParser.parse(file.text, name: file.name, file: file.name)
    #expect(result.notes == [])
    let standard = Theme.standardPalette.prefix(16)
    #expect(zip(result.theme.palette, standard).count(where: { $0 != $1 }) >= 12)
    #expect(result.theme.foreground.contrast(with: result.theme.background) > 3.5)
    #expect(result.theme.cursor != nil)
    #expect(result.theme.selectionBackground != nil)
  }

  @Test("every shipped keymap is read without a note", arguments: ShippedFiles.keymaps)
  func keymapsAreClean(file: ShippedFile) {
    let result = KeymapLibrary(own: nil).keymap(named: file.name)
    #expect(result.notes == [])
    #expect(result.keymap.leader != nil)
    #expect(result.keymap.bindings.count > 50)
  }

  @Test("the four keymaps have their leaders")
  func leaders() {
    let leader = { (name: String) in
      KeymapLibrary(own: nil).keymap(named: name).keymap.leader?.description
    }
    #expect(leader("default") == "ctrl+space")
    #expect(leader("tmux") == "ctrl+b")
    #expect(leader("macos") == "ctrl+space")
    #expect(leader("zellij") == "ctrl+space")
  }

  @Test("by default only the leader is taken from programs", arguments: ["default", "tmux"])
  func onlyTheLeader(name: String) throws {
    let keymap = KeymapLibrary(own: nil).keymap(named: name).keymap
    let leader = try #require(keymap.leader)
    let others = keymap.bindings.filter { $0.keys.first != leader }
    // It arrives only where the terminal can tell it from ctrl+p.
    #expect(others.map(\.action) == (name == "default" ? [.quickOpen] : []))
  }

  @Test(
    "every keymap reaches what people cannot do without",
    arguments: ["default", "tmux", "zellij", "macos"]
  )
  func essentials(name: String) {
    let keymap = KeymapLibrary(own: nil).keymap(named: name).keymap
    let needed: [Action] = [
      .newSplit(.right), .newSplit(.down), .closePane, .focus(.left), .focus(.right), .focus(.up),
      .focus(.down), .zoom, .newWorkspace, .nextWorkspace, .previousWorkspace, .detach, .quit,
      .quickOpen, .showKeys, .lockMode, .reconnect, .evenOut, .newWindow, .toggleSidebar,
      .closeWindow, .openSSH, .openLocal, .scroll(.pageUp), .gotoWorkspace(9),
    ]
    for action in needed { #expect(keymap.keysText(for: action) != nil, "\(action)") }
  }

  /// What people who know the other programs press first.
  static let habits: [(keymap: String, keys: String, action: Action)] = [
    ("default", "ctrl+space v", .newSplit(.right)), ("default", "ctrl+space p", .quickOpen),
    ("tmux", "ctrl+b %", .newSplit(.right)), ("tmux", "ctrl+b \"", .newSplit(.down)),
    ("tmux", "ctrl+b x", .closePane), ("tmux", "ctrl+b z", .zoom),
    ("tmux", "ctrl+b c", .newWorkspace), ("tmux", "ctrl+b n", .nextWorkspace),
    ("tmux", "ctrl+b p", .previousWorkspace), ("tmux", "ctrl+b l", .lastWorkspace),
    ("tmux", "ctrl+b d", .detach), ("tmux", "ctrl+b ,", .renameWorkspace),
    ("tmux", "ctrl+b &", .closeWorkspace), ("tmux", "ctrl+b o", .focusNext),
    ("tmux", "ctrl+b ;", .focusLast), ("tmux", "ctrl+b !", .breakPane),
    ("tmux", "ctrl+b {", .swap(.previous)), ("tmux", "ctrl+b }", .swap(.next)),
    ("tmux", "ctrl+b space", .nextLayout), ("tmux", "ctrl+b left", .focus(.left)),
    ("tmux", "ctrl+b up", .focus(.up)), ("tmux", "ctrl+b 3", .gotoWorkspace(3)),
    ("tmux", "ctrl+b $", .renameWindow), ("tmux", "ctrl+b ?", .showKeys),
    ("zellij", "ctrl+p n", .newSplit(.right)), ("zellij", "ctrl+p d", .newSplit(.down)),
    ("zellij", "ctrl+p x", .closePane), ("zellij", "ctrl+p f", .zoom),
    ("zellij", "ctrl+t n", .newWorkspace), ("zellij", "ctrl+t x", .closeWorkspace),
    ("zellij", "ctrl+t r", .renameWorkspace), ("zellij", "ctrl+n h", .resize(.left, cells: 2)),
    ("zellij", "ctrl+g", .lockMode),
    ("macos", "super+d", .newSplit(.right)), ("macos", "super+shift+d", .newSplit(.down)),
    ("macos", "super+w", .closePane), ("macos", "super+shift+w", .closeWindow),
    ("macos", "super+t", .newWorkspace), ("macos", "super+1", .gotoWorkspace(1)),
    ("macos", "super+9", .gotoWorkspace(9)), ("macos", "super+p", .quickOpen),
    ("macos", "super+n", .newWindow), ("macos", "super+q", .quit),
    ("macos", "super+alt+left", .focus(.left)), ("macos", "super+k", .clearScrollback),
  ]

  @Test(
    "the keys that people bring along do what they expect",
    arguments: ShippedFilesTests.habits.indices
  )
  func habit(_ place: Int) {
    let (name, keys, action) = Self.habits[place]
    let keymap = KeymapLibrary(own: nil).keymap(named: name).keymap
    let texts = keymap.bindings(of: action).map { binding in
      binding.keys.map(\.description).joined(separator: " ")
    }
    #expect(texts.contains(keys), "\(name): \(keys) for \(action), there are \(texts)")
  }
}
