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
    #expect(keymap.bindings.allSatisfy { $0.keys.first == leader })
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
}
