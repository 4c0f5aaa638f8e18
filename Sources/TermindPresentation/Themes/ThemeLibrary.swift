/// Where a theme or keymap comes from.
public enum ConfigurationSource: Hashable, Sendable {
  /// The person's own folder for Termind.
  case person
  /// Ghostty's folder.
  case ghostty
  /// The program itself.
  case shipped
}

/// A theme that can be chosen.
public struct ThemeListing: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Where it comes from.
  public let source: ConfigurationSource
}

/// Finds themes by name: the person's own, then Ghostty's, then the shipped ones.
public struct ThemeLibrary: Sendable {
  /// The theme of a dark terminal when nothing is chosen.
  public static let defaultDark = "Catppuccin Mocha"
  /// The theme of a light terminal when nothing is chosen.
  public static let defaultLight = "Catppuccin Latte"

  private let folders: [(folder: ConfigurationFolder, source: ConfigurationSource)]

  /// Makes a library.
  ///
  /// - Parameters:
  ///   - own: The person's folder, `~/.config/termind/themes`; nil for none.
  ///   - ghostty: Ghostty's folder, `~/.config/ghostty/themes`; nil for none.
  public init(own: ConfigurationFolder?, ghostty: ConfigurationFolder?) {
    var folders: [(ConfigurationFolder, ConfigurationSource)] = []
    if let own { folders.append((own, .person)) }
    if let ghostty { folders.append((ghostty, .ghostty)) }
    self.folders = folders
  }

  /// Every theme once, by name; the first place on the search path wins.
  public func listings() -> [ThemeListing] {
    var found: [String: ConfigurationSource] = [:]
    for (folder, source) in folders {
      for name in folder.names() where found[name] == nil { found[name] = source }
    }
    for file in ShippedFiles.themes where found[file.name] == nil { found[file.name] = .shipped }
    return found.map { ThemeListing(name: $0.key, source: $0.value) }.sorted { left, right in
      (left.name.lowercased(), left.name) < (right.name.lowercased(), right.name)
    }
  }

  /// Reads a theme; one that is missing or unreadable is noted, and the default takes its place.
  ///
  /// - Parameters:
  ///   - name: The theme's name.
  ///   - dark: Which default stands in.
  /// - Returns: A theme in any case, and what was wrong.
  public func theme(named name: String, dark: Bool = true) -> ThemeParser.Result {
    for (folder, _) in folders {
      let file = folder.path(of: name)
      do throws(ConfigurationFolder.ReadError) {
        return ThemeParser.parse(try folder.text(of: name), name: name, file: file)
      } catch {
        guard case .unreadable(let reason) = error else { continue }
        let standIn = Self.standard(dark: dark)
        let text = "\(reason); \(standIn.name) is used"
        return .init(theme: standIn, notes: [.init(.error, file: file, line: 0, reason: text)])
      }
    }
    if let file = ShippedFiles.theme(name) {
      return ThemeParser.parse(file.text, name: name, file: "Themes/\(name)")
    }
    let standIn = Self.standard(dark: dark)
    let reason = "there is no theme of this name; \(standIn.name) is used"
    return .init(theme: standIn, notes: [.init(.error, file: name, line: 0, reason: reason)])
  }

  /// The shipped theme that is used when nothing else is.
  public static func standard(dark: Bool) -> Theme {
    let name = dark ? defaultDark : defaultLight
    guard let file = ShippedFiles.theme(name) else { return Theme(name: name) }
    return ThemeParser.parse(file.text, name: name, file: "Themes/\(name)").theme
  }
}

/// What a person chose: one theme, or one for dark and one for light terminals.
public struct ThemeChoice: Hashable, Sendable, CustomStringConvertible {
  /// The theme of a dark terminal.
  public var dark: String
  /// The theme of a light terminal.
  public var light: String

  /// The default pair.
  public static let standard = ThemeChoice(
    dark: ThemeLibrary.defaultDark,
    light: ThemeLibrary.defaultLight
  )

  /// Makes a choice.
  public init(dark: String, light: String) {
    self.dark = dark
    self.light = light
  }

  /// Reads `NAME` or Ghostty's `light:NAME,dark:NAME` in either order; nil when neither is there.
  public init?(text: String) {
    var dark: String?
    var light: String?
    for part in text.split(separator: ",") {
      let word = ConfigurationLines.trim(part)
      if word.hasPrefix("dark:") { dark = String(ConfigurationLines.trim(word.dropFirst(5))) }
      if word.hasPrefix("light:") { light = String(ConfigurationLines.trim(word.dropFirst(6))) }
    }
    let plain = String(ConfigurationLines.trim(text[...]))
    let first = dark ?? light ?? plain
    guard !first.isEmpty else { return nil }
    self.init(dark: dark ?? first, light: light ?? first)
  }

  /// The theme's name for a terminal.
  public func name(dark isDark: Bool) -> String { isDark ? dark : light }

  /// The form that `init(text:)` reads.
  public var description: String { dark == light ? dark : "light:\(light),dark:\(dark)" }
}
