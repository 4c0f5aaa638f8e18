import Foundation
import TermindInfrastructure
import TermindPresentation
import TermindTerminal
import Testing

@testable import TermindTUI

@Suite("Settings that are chosen in the program") @MainActor struct LooksSettingTests {
  private let home: TestHome
  private var file: String { "\(home.paths.config)/config" }

  init() throws {
    home = try TestHome()
    try FileManager.default.createDirectory(
      atPath: home.paths.config,
      withIntermediateDirectories: true
    )
  }

  @Test("a choice is in force, its line is written, and the rest of the file is kept and counts")
  func kept() throws {
    let text = "# mine\ncopy-on-select = false\nlocal-echo = off\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    let looks = Looks(paths: home.paths)
    #expect(looks.choose(.copyOnSelect, "true") == nil)
    #expect(looks.preferences.copiesOnSelect)
    #expect(looks.preferences.localEcho == .off)
    #expect(looks.choose(.keymap, "tmux") == nil)
    #expect(looks.keymap.leader?.description == "ctrl+b")
    #expect(looks.keymaps.contains("tmux"))
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(written == "# mine\ncopy-on-select = true\nlocal-echo = off\nkeymap = tmux\n")
  }

  @Test("a choice that cannot be written is in force all the same, and says so")
  func unwritable() throws {
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    let looks = Looks(paths: home.paths)
    #expect(
      looks.choose(.copyOnSelect, "true")
        == "The setting is not remembered: \(file): it is not a plain file."
    )
    #expect(looks.preferences.copiesOnSelect)
  }
}
