/// A keymap that can be chosen.
public struct KeymapListing: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Where it comes from.
  public let source: ConfigurationSource
}

/// Finds keymaps by name: the person's own, then the shipped ones.
public struct KeymapLibrary: Sendable {
  /// The keymap that is used when nothing else is chosen or readable.
  public static let defaultName = "default"

  private let own: ConfigurationFolder?

  /// Makes a library.
  ///
  /// - Parameter own: The person's folder, `~/.config/termind/keymaps`; nil for none.
  public init(own: ConfigurationFolder?) { self.own = own }

  /// Every keymap once: the shipped ones in a fixed order, then the person's own.
  public func listings() -> [KeymapListing] {
    let names = own?.names() ?? []
    let shipped = ShippedFiles.keymaps.map(\.name)
    return shipped.map { KeymapListing(name: $0, source: names.contains($0) ? .person : .shipped) }
      + names.filter { !shipped.contains($0) }.map { KeymapListing(name: $0, source: .person) }
  }

  /// Reads a keymap; one that is missing or unreadable is noted, and the default takes its place.
  ///
  /// A person's file may carry a shipped one's name and still say `base = NAME` to build on it.
  /// - Parameters:
  ///   - name: The keymap's name.
  ///   - general: The text and name of the person's general file, whose keymap lines win; nil for none.
  /// - Returns: A keymap in any case, and what was wrong.
  public func keymap(
    named name: String,
    overriddenBy general: (text: String, file: String)? = nil
  ) -> KeymapParser.Result {
    let (source, notes) = source(of: name)
    var result = KeymapParser.parse(
      source.text,
      name: notes.isEmpty ? name : Self.defaultName,
      file: source.file,
      overriddenBy: general
    ) { base($0, of: name) }
    result.notes = notes + result.notes
    return result
  }

  /// The text of a keymap, or of the default with a note why.
  private func source(
    of name: String
  ) -> (source: (text: String, file: String), notes: [ConfigurationNote]) {
    var problem = ConfigurationNote(
      .error,
      file: name,
      line: 0,
      reason: "there is no keymap of this name; the default is used"
    )
    if let own {
      let file = own.path(of: name)
      do throws(ConfigurationFolder.ReadError) {
        return ((try own.text(of: name), file), [])
      } catch {
        if case .unreadable(let reason) = error {
          problem = .init(.error, file: file, line: 0, reason: "\(reason); the default is used")
          return (Self.shipped(Self.defaultName), [problem])
        }
      }
    }
    guard ShippedFiles.keymap(name) != nil else {
      return (Self.shipped(Self.defaultName), [problem])
    }
    return (Self.shipped(name), [])
  }

  private static func shipped(_ name: String) -> (text: String, file: String) {
    (ShippedFiles.keymap(name)?.text ?? "", "Keymaps/\(name)")
  }

  /// The shipped default.
  public static let standard: Keymap = {
    let text = ShippedFiles.keymap(defaultName)?.text ?? ""
    return KeymapParser.parse(text, name: defaultName, file: "Keymaps/\(defaultName)").keymap
  }()

  /// A keymap to build on; one that builds on its own name means the shipped one.
  private func base(_ name: String, of user: String) -> (text: String, file: String)? {
    if name != user, let own, let text = try? own.text(of: name) {
      // An unreadable file counts as absent here; the caller notes that the base is missing.
      return (text, own.path(of: name))
    }
    return ShippedFiles.keymap(name).map { ($0.text, "Keymaps/\(name)") }
  }
}
