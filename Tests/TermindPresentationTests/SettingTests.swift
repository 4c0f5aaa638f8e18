import TermindDomain
import Testing

@testable import TermindPresentation

@Suite("Settings, one by one") struct SettingTests {
  /// What counts without a line, as the table of the documentation has it, by key.
  private static func documented() throws -> [String: String] {
    var found: [String: String] = [:]
    for line in try Checkout.text("Docs/Configuration.md").split(separator: "\n")
    where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      let keys = cells[1].split(separator: ",").map { $0.filter { !" `".contains($0) } }
      let standard = try #require(cells.dropLast().last).filter { $0 != "`" }.trimmed
      for key in keys { found[key] = standard }
    }
    return found
  }

  @Test("those that are read are those that are documented, and all but the theme are listed")
  func complete() throws {
    let keys = Set(Setting.allCases.map(\.rawValue))
    #expect(try Set(Self.documented().keys) == keys.union(KeymapDraft.keys))
    #expect(Set(Setting.listed.map(\.rawValue)) == keys.subtracting(["theme"]))
    #expect(Set(Setting.allCases.map(\.summary)).count == keys.count)
  }

  @Test(
    "what is in force without a file is what the documentation says",
    arguments: Setting.allCases
  )
  func standard(setting: Setting) throws {
    let said = try #require(try Self.documented()[setting.rawValue])
    guard let value = setting.value(in: Preferences()) else {
      #expect([.sidebar, .recordingDirectory].contains(setting))
      return
    }
    #expect(said == value || said.hasPrefix("\(value):"))
    #expect(setting.problem(of: value) == nil)
  }

  @Test("a value that is chosen or typed is the one in force then", arguments: Setting.allCases)
  func values(setting: Setting) throws {
    let typed: [Setting: [String]] = [
      .theme: ["Nord", "light:GitHub Light,dark:Nord"], .scrollbackLines: ["0", "500"],
      .recordingDirectory: ["/var/tmp/seen", "~/seen"], .rootCommand: ["doas"],
      .notifyAfter: ["0", "30"], .transferFiles: ["1", "100"],
      .transferFilesPerServer: ["1", "50"], .transferBandwidth: ["none", "500K"],
    ]
    let choices = setting.choices(keymaps: ["default", "tmux"])
    #expect(choices.isEmpty == (typed[setting] != nil))
    let values = typed[setting] ?? choices
    #expect(values.count > 1 || setting == .rootCommand)
    for value in values {
      let text = Preferences.setting(setting.rawValue, to: value, in: "# mine\n")
      let (preferences, notes) = Preferences.parse(text, file: "config")
      #expect(notes == [])
      #expect(setting.value(in: preferences) == value)
      #expect(setting.row(preferences).trailing == value)
      #expect(setting.problem(of: value) == nil)
    }
  }

  @Test(
    "a value that the file's reader would refuse is refused with its words",
    arguments: [
      (Setting.scrollbackLines, "many", "'scrollback-lines' is a number from 0 to 1000000."),
      (.notifyAfter, "", "'notify-after' is a number of seconds from 0 to 86400."),
      (.transferFiles, "101", "'transfer-files' is a number from 1 to 100."),
      (
        .transferBandwidth, "fast",
        "'transfer-bandwidth' is none, or bytes a second such as 500K or 2M."
      ),
      (
        .recordingDirectory, "seen",
        "'recording-directory' is an absolute path, or one that begins with ~/."
      ),
      (.rootCommand, " ", "'root-command' is a command such as sudo -S --."),
      (.copyOnSelect, "yes", "'copy-on-select' is true or false, not 'yes'."),
      (.rootCommand, String(repeating: "x", count: 5_000), "the line is too long."),
    ]
  )
  func refused(setting: Setting, value: String, problem: String) {
    #expect(setting.problem(of: value) == problem)
  }
}
