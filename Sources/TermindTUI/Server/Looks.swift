import TermindInfrastructure
import TermindPresentation

/// The theme and the keymap in force, with what was wrong in their files.
final class Looks {
  let themes: ThemeLibrary
  let keymaps: KeymapLibrary
  /// The person's choice of theme.
  private(set) var choice = ThemeChoice.standard
  private(set) var theme: Theme
  private(set) var keymap: Keymap
  /// What was wrong in the files: file, line and reason.
  private(set) var notes: [ConfigurationNote] = []
  private var isDark = true
  private var keymapName = KeymapLibrary.defaultName

  init(paths: TermindPaths) {
    let environment = ProcessEnvironment.all()
    let home = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
    themes = ThemeLibrary(
      own: ConfigurationFolder(path: "\(paths.config)/themes"),
      ghostty: ConfigurationFolder(path: "\(home)/ghostty/themes")
    )
    keymaps = KeymapLibrary(own: ConfigurationFolder(path: "\(paths.config)/keymaps"))
    theme = ThemeLibrary.standard(dark: true)
    keymap = KeymapLibrary.standard
    loadKeymap(KeymapLibrary.defaultName)
  }

  /// Takes the person's themes for dark and light.
  func choose(_ choice: ThemeChoice) {
    self.choice = choice
    loadTheme()
  }

  /// Shows a theme without choosing it.
  func preview(_ name: String) { theme = themes.theme(named: name, dark: isDark).theme }

  /// Ends a preview.
  func endPreview() { loadTheme() }

  /// Follows the desktop between dark and light; says whether the theme changed.
  func follow(dark: Bool) -> Bool {
    guard dark != isDark else { return false }
    isDark = dark
    let before = theme
    loadTheme()
    return theme != before
  }

  /// Takes another keymap.
  func loadKeymap(_ name: String) {
    let result = keymaps.keymap(named: name)
    keymapName = name
    keymap = result.keymap
    notes += result.notes
  }

  private func loadTheme() {
    let result = themes.theme(named: choice.name(dark: isDark), dark: isDark)
    theme = result.theme
    notes += result.notes
  }
}
