import TermindApplication
import TermindDomain
import Testing

@testable import TermindPresentation

@Suite("Preferences") struct PreferencesTests {
  @Test("every setting is read")
  func reads() {
    let (found, notes) = Preferences.parse(
      """
      # mine
      theme = light:GitHub Light,dark:Nord
      keymap = tmux
      sidebar = narrow
      scrollback-lines = 50000
      clipboard-read = allow
      transfer-files = 12
      transfer-files-per-server = 4
      transfer-bandwidth = 500K
      offer-upload = false
      shell-integration = on
      leader = ctrl+a
      keybind = leader>x=zoom
      """,
      file: "config"
    )
    #expect(notes == [])
    #expect(found.theme == ThemeChoice(dark: "Nord", light: "GitHub Light"))
    #expect(found.keymap == "tmux")
    #expect(found.sidebar == .narrow)
    #expect(found.scrollbackLines == 50_000)
    #expect(found.allowsClipboardRead)
    #expect(found.transferLimits == TransferLimits(total: 12, perHost: 4))
    #expect(found.transferBandwidth == 512_000)
    #expect(!found.offersUpload)
    #expect(found.shellIntegration == .on)
    #expect(Preferences().shellIntegration == .local)
    #expect(
      !Preferences.parse("clipboard-read = deny", file: "config").preferences.allowsClipboardRead
    )
    #expect(Preferences.parse("edit-upload = auto", file: "config").preferences.uploadsEdits)
    #expect(Preferences.parse("", file: "config").preferences == Preferences())
  }

  @Test(
    "a wrong line is noted and changes nothing",
    arguments: [
      ("theme =", "'theme' needs a name, or light:NAME,dark:NAME"),
      ("keymap = ../x", "'keymap' needs the name of a keymap, not '../x'"),
      ("sidebar = left", "'sidebar' is wide, narrow or hidden, not 'left'"),
      ("transfer-files = 0", "'transfer-files' is a number from 1 to 100"),
      ("transfer-files-per-server = 51", "'transfer-files-per-server' is a number from 1 to 50"),
      (
        "transfer-bandwidth = fast",
        "'transfer-bandwidth' is none, or bytes a second such as 500K or 2M"
      ),
      ("scrollback-lines = -1", "'scrollback-lines' is a number from 0 to 1000000"),
      ("scrollback-lines = many", "'scrollback-lines' is a number from 0 to 1000000"),
      ("title-report = yes", "'title-report' is true or false, not 'yes'"),
      ("clipboard-read = true", "'clipboard-read' is allow or deny, not 'true'"),
      ("edit-upload = yes", "'edit-upload' is ask or auto, not 'yes'"),
      ("shell-integration = true", "'shell-integration' is off, local or on, not 'true'"),
      ("font-size = 12", "'font-size' is no setting that Termind knows; the line is ignored"),
      ("nonsense", "expected 'key = value', found 'nonsense'"),
    ]
  )
  func wrong(line: String, reason: String) {
    let (found, notes) = Preferences.parse("\n" + line, file: "config")
    #expect(found == Preferences())
    #expect(notes.map(\.description) == ["config:2: \(reason)"])
    #expect(notes.map(\.severity) == [.error])
  }

  @Test("a slip of the pen in what is restored keeps no text, and is noted")
  func restoringSlip() {
    let (found, notes) = Preferences.parse("restore-session = of", file: "config")
    #expect(found.restoring == .layout)
    #expect(
      notes.map(\.description) == [
        "config:1: 'restore-session' is text, layout or off, not 'of'; it counts as layout"
      ]
    )
  }

  @Test("a setting is put into the text, comments and order stay")
  func writes() {
    let text = "# mine\ntheme = Nord\n\n# keys\nkeymap = tmux\n"
    #expect(
      Preferences.setting("theme", to: "Dracula", in: text)
        == "# mine\ntheme = Dracula\n\n# keys\nkeymap = tmux\n"
    )
    #expect(Preferences.setting("sidebar", to: "wide", in: text) == text + "sidebar = wide\n")
    #expect(
      Preferences.setting("theme", to: "A\nkeybind = x=quit", in: "")
        == "theme = A keybind = x=quit\n"
    )
    #expect(Preferences.setting("theme", to: "B", in: "theme = A") == "theme = B\n")
  }

  @Test("keymap lines of the general file change the chosen keymap")
  func overrides() {
    let general = """
      theme = Nord
      leader = alt+space
      keybind = leader>p=zoom
      keybind = ctrl+tab=next_workspace
      keybind = broken
      """
    let result = KeymapLibrary(own: nil).keymap(
      named: "default",
      overriddenBy: (general, "config")
    )
    #expect(result.keymap.leader?.description == "alt+space")
    #expect(result.keymap.bindings(of: .quickOpen).map(\.keysText) == ["ctrl+shift+p"])
    #expect(result.keymap.keysText(for: .newSplit(.right)) == "alt+space |")
    #expect(result.keymap.bindings(of: .nextWorkspace).map(\.keysText).contains("ctrl+tab"))
    #expect(
      result.notes.map(\.description) == [
        "config:5: there is no key 'broken'"
      ]
    )
  }
}
