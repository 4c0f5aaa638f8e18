import FoundationEssentials
import TermindInfrastructure
import TermindPresentation

/// The person's choices from `~/.config/termind/config`, and the theme and keymap that follow from them.
final class Looks {
  let themes: ThemeLibrary
  /// What the file says, the newest.
  private(set) var preferences = Preferences()
  private(set) var theme: Theme
  private(set) var keymap: Keymap
  /// What is wrong in the files: file, line and reason.
  private(set) var notes: [ConfigurationNote] = []

  private let keymaps: KeymapLibrary
  private let file: String
  private var isDark = true

  init(paths: TermindPaths) {
    file = "\(paths.config)/config"
    let environment = ProcessEnvironment.all()
    let home = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
    themes = ThemeLibrary(
      own: ConfigurationFolder(path: "\(paths.config)/themes"),
      ghostty: ConfigurationFolder(path: "\(home)/ghostty/themes")
    )
    keymaps = KeymapLibrary(own: ConfigurationFolder(path: "\(paths.config)/keymaps"))
    theme = ThemeLibrary.standard(dark: true)
    keymap = KeymapLibrary.standard
    load()
  }

  /// The first thing that is wrong, and how many more there are; nil when nothing is.
  var problem: String? {
    let errors = notes.filter { $0.severity == .error }
    guard let first = errors.first else { return nil }
    return errors.count == 1 ? "\(first)" : "\(first) (and \(errors.count - 1) more)"
  }

  /// Shows a theme without choosing it.
  func preview(_ name: String) { theme = themes.theme(named: name, dark: isDark).theme }

  /// Ends a preview.
  func endPreview() { loadTheme() }

  /// Takes a theme for the present kind of look and writes it into the file; everything else in the
  /// file stays.
  ///
  /// - Parameter name: The theme.
  /// - Returns: Why the file could not be written; the theme is in force all the same.
  func choose(_ name: String) -> String? {
    if isDark { preferences.theme.dark = name } else { preferences.theme.light = name }
    loadTheme()
    let text = Preferences.setting("theme", to: preferences.theme.description, in: fileText ?? "")
    do {
      try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
      return nil
    } catch {
      return "The theme is not remembered: \(file) cannot be written."
    }
  }

  /// Follows the desktop between dark and light; says whether the theme changed.
  func follow(dark: Bool) -> Bool {
    guard dark != isDark else { return false }
    isDark = dark
    let before = theme
    loadTheme()
    return theme != before
  }

  private var fileText: String? {
    // An absent file means that nothing was chosen.
    (try? Data(contentsOf: URL(filePath: file))).map { String(decoding: $0, as: UTF8.self) }
  }

  private func load() {
    notes = []
    let text = fileText
    if let text {
      let result = Preferences.parse(text, file: file)
      preferences = result.preferences
      notes += result.notes
    }
    let result = keymaps.keymap(
      named: preferences.keymap,
      overriddenBy: text.map { (text: $0, file: file) }
    )
    keymap = result.keymap
    notes += result.notes
    notes += loadTheme()
  }

  @discardableResult
  private func loadTheme() -> [ConfigurationNote] {
    let result = themes.theme(named: preferences.theme.name(dark: isDark), dark: isDark)
    theme = result.theme
    return result.notes
  }
}
