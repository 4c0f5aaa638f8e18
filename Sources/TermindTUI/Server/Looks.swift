import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// The person's choices from `~/.config/termind/config`, and the theme and keymap that follow from them.
final class Looks {
  private(set) var themes: ThemeLibrary
  /// What the file says, the newest.
  private(set) var preferences: Preferences
  private(set) var theme: Theme
  private(set) var keymap: Keymap
  /// What is wrong in the files: file, line and reason.
  private(set) var notes: [ConfigurationNote]

  private let paths: TermindPaths
  private var file: String { "\(paths.config)/config" }
  /// The themes of hosts that were looked for, by name; nil for one that cannot be read.
  private var hostThemes: [String: Theme?] = [:]
  private var isDark = true

  init(paths: TermindPaths) {
    self.paths = paths
    let read = Self.read(paths, dark: true)
    themes = read.themes
    preferences = read.preferences
    theme = read.theme
    keymap = read.keymap
    notes = read.notes
  }

  /// Reads all files again.
  func reload() { take(Self.read(paths, dark: isDark)) }

  private func take(_ read: Reading) {
    (themes, preferences, theme) = (read.themes, read.preferences, read.theme)
    (keymap, notes) = (read.keymap, read.notes)
    hostThemes = [:]
  }

  private struct Reading {
    let themes: ThemeLibrary
    let preferences: Preferences
    let theme: Theme
    let keymap: Keymap
    let notes: [ConfigurationNote]
  }

  /// Everything is read once: the first frame waits for it.
  ///
  /// - Parameters:
  ///   - paths: Where the files are.
  ///   - dark: The present kind of look.
  ///   - settings: What counts whatever the file says.
  /// - Returns: All that follows from the files.
  private static func read(
    _ paths: TermindPaths,
    dark: Bool,
    with settings: [(key: String, value: String)] = []
  ) -> Reading {
    let file = "\(paths.config)/config"
    let themes = ThemeLibrary(paths)
    let keymaps = KeymapLibrary(paths)
    let (found, problem) = Self.text(of: file)
    let text = settings.isEmpty ? found : Self.put(settings, into: found)
    let chosen = text.map { Preferences.parse($0, file: file) }
    let preferences = chosen?.preferences ?? Preferences()
    let keys = keymaps.keymap(
      named: preferences.keymap,
      overriddenBy: text.map { (text: $0, file: file) }
    )
    let colors = themes.theme(named: preferences.theme.name(dark: dark), dark: dark)
    var notes = (chosen?.notes ?? []) + keys.notes + colors.notes
    if let problem {
      let reason = "\(problem), so nothing of it is in force"
      notes.insert(ConfigurationNote(.error, file: file, line: 0, reason: reason), at: 0)
    }
    return Reading(
      themes: themes,
      preferences: preferences,
      theme: colors.theme,
      keymap: keys.keymap,
      notes: notes
    )
  }

  /// The names of the keymaps that can be chosen.
  var keymaps: [String] { KeymapLibrary(paths).listings().map(\.name) }

  /// What is wrong.
  var errors: [ConfigurationNote] { notes.filter { $0.severity == .error } }

  /// The first thing that is wrong, and how many more there are; nil when nothing is.
  ///
  /// A line of the window has little room, so only the log and the doctor name whole paths.
  var problem: String? {
    guard let first = errors.first else { return nil }
    let name = first.file.split(separator: "/").last.map(String.init) ?? first.file
    let short = ConfigurationNote(.error, file: name, line: first.line, reason: first.reason)
    return errors.count == 1 ? "\(short)" : "\(short) (\(errors.count - 1) more in the log)"
  }

  /// Shows a theme without choosing it.
  func preview(_ name: String) { theme = themes.theme(named: name, dark: isDark).theme }

  /// A theme that a host names; nil when there is none of this name, and the window's stays then.
  func theme(ofHost name: String) -> Theme? {
    if let known = hostThemes[name] { return known }
    let found = themes.theme(named: name)
    // A line of it that is wrong spoils nothing else; that there is none gives another theme's name.
    let made = found.theme.name == name ? found.theme : nil
    hostThemes[name] = .some(made)
    return made
  }

  /// Looks again for themes that were not there.
  func forgetMissingThemes() { hostThemes = hostThemes.filter { $0.value != nil } }

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
    return write([("theme", preferences.theme.description)]).map {
      "The theme is not remembered: \($0)"
    }
  }

  /// Takes other limits of transfers and remembers them.
  ///
  /// - Returns: Why they could not be written; they are in force all the same.
  func choose(_ limits: TransferLimits, bandwidth: Int?) -> String? {
    preferences.transferFiles = limits.total
    preferences.transferFilesPerServer = limits.perHost
    preferences.transferBandwidth = bandwidth
    let problem = write([
      ("transfer-files", String(limits.total)),
      ("transfer-files-per-server", String(limits.perHost)),
      ("transfer-bandwidth", BandwidthText.text(bandwidth)),
    ])
    return problem.map { "The limits are not remembered: \($0)" }
  }

  /// Takes a value of a setting and writes it into the file; all of the file counts anew, as after a reload.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - value: A value that the file's reader takes.
  /// - Returns: Why the file could not be written; the value is in force all the same.
  func choose(_ setting: Setting, _ value: String) -> String? {
    let line = (key: setting.rawValue, value: value)
    let problem = write([line])
    take(Self.read(paths, dark: isDark, with: [line]))
    return problem.map { "The setting is not remembered: \($0)" }
  }

  /// Writes settings into the file; everything else in it stays.
  ///
  /// - Returns: Why that cannot be done.
  private func write(_ settings: [(key: String, value: String)]) -> String? {
    let (old, problem) = Self.text(of: file)
    if let problem { return "\(file): \(problem)." }
    let text = Self.put(settings, into: old)
    do {
      // A configuration that is a link to somewhere else stays one.
      let place = URL(filePath: file).resolvingSymlinksInPath()
      try Data(text.utf8).write(to: place, options: .atomic)
      return nil
    } catch {
      return "\(file) cannot be written."
    }
  }

  private static func put(_ settings: [(key: String, value: String)], into text: String?) -> String
  {
    settings.reduce(text ?? "") { Preferences.setting($1.key, to: $1.value, in: $0) }
  }

  /// Follows the desktop between dark and light; says whether the theme changed.
  func follow(dark: Bool) -> Bool {
    guard dark != isDark else { return false }
    isDark = dark
    let before = theme
    loadTheme()
    return theme != before
  }

  /// The text of a file, nil when there is none; or why it cannot be had, as a clause.
  private static func text(of file: String) -> (text: String?, problem: String?) {
    do throws(BoundedFileError) {
      let limit = ConfigurationFolder.largestFile
      let bytes = try BoundedFile.read(file, limit: limit).bytes
      let text = String(validating: bytes, as: UTF8.self)
      return (text, text == nil ? "it cannot be read as UTF-8 text" : nil)
    } catch {
      switch error {
      case .absent: return (nil, nil)
      case .notRegular: return (nil, "it is not a plain file")
      case .tooLarge:
        return (nil, "it is larger than \(ConfigurationFolder.largestFile / 1_024) KiB")
      case .unreadable(let diagnostic): return (nil, "it cannot be read (\(diagnostic))")
      }
    }
  }

  private func loadTheme() {
    theme = themes.theme(named: preferences.theme.name(dark: isDark), dark: isDark).theme
  }
}

extension KeymapLibrary {
  /// The shipped keymaps, with those of the person.
  nonisolated init(_ paths: TermindPaths) {
    self.init(own: ConfigurationFolder(path: "\(paths.config)/keymaps"))
  }
}

extension ThemeLibrary {
  /// The themes of this machine, with those of the person.
  nonisolated init(_ paths: TermindPaths) {
    let home =
      ProcessEnvironment.value(of: "XDG_CONFIG_HOME")
      ?? "\(ProcessEnvironment.value(of: "HOME") ?? "")/.config"
    self.init(
      own: ConfigurationFolder(path: "\(paths.config)/themes"),
      ghostty: ConfigurationFolder(path: "\(home)/ghostty/themes")
    )
  }
}
