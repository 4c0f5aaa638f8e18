/// A field of a record that the command line can set.
nonisolated struct RecordField: Hashable, Sendable {
  /// How its values are read.
  enum Shape: Hashable, Sendable {
    /// One text; the last one given counts.
    case single
    /// Any number of texts, by repeating the option.
    case list
    /// `yes` or `no`; the option alone means `yes`.
    case flag
  }

  /// The name: `--name` sets it.
  let name: String
  let shape: Shape
  /// What a value looks like, for the usage text.
  let value: String
  /// Another name that is understood in its place.
  let alias: String?
  /// Whether an existing record can be given another value.
  let isEditable: Bool

  init(
    _ name: String,
    _ shape: Shape = .single,
    _ value: String = "TEXT",
    alias: String? = nil,
    isEditable: Bool = true
  ) {
    self.name = name
    self.shape = shape
    self.value = value
    self.alias = alias
    self.isEditable = isEditable
  }

  /// The fields of a kind, in the order of the usage text.
  static func fields(of kind: RecordKind) -> [RecordField] {
    switch kind {
    case .host:
      [
        .init("name"), .init("address", .single, "HOST"), .init("port", .single, "NUMBER"),
        .init("protocol", .single, "ssh|telnet"),
        .init("identity", .single, "IDENTITY"), .init("user", .single, "NAME", alias: "username"),
        .init("key-file", .list, "PATH", alias: "key-files"), .init("agent", .flag, "yes|no"),
        .init("jump", .list, "HOST", alias: "jumps"), .init("tag", .list, "TAG", alias: "tags"),
        .init("color", .single, "COLOR"), .init("theme", .single, "THEME"),
        .init("shell-integration", .single, "default|enable|disable"),
        .init("clipboard", .single, "default|read|write|off"),
        .init("recording", .single, "off|text|asciicast"),
        .init("directory", .single, "PATH"), .init("snippet", .single, "SNIPPET"),
        .init("env", .list, "NAME=VALUE", alias: "environment"),
        .init("keepalive", .single, "SECONDS"), .init("note", .single, "TEXT", alias: "notes"),
        .init("pinned", .flag, "yes|no"), .init("engine", .single, "automatic|libssh2|openssh"),
        .init("old-algorithms", .flag, "yes|no"),
      ]
    case .identity:
      [
        .init("name"), .init("user", .single, "NAME", alias: "username"),
        .init("key", .list, "KEY", alias: "keys"), .init("agent", .flag, "yes|no"),
      ]
    case .key:
      [.init("name"), .init("file", .single, "PATH"), .init("comment")]
    case .knownHost:
      [
        .init("host", .single, "NAMES", isEditable: false),
        .init("key", .single, "'TYPE BASE64'", isEditable: false),
        .init("marker", .single, "trusted|revoked|cert-authority", isEditable: false),
        .init("comment", isEditable: false),
      ]
    case .snippet: [.init("name"), .init("text"), .init("tag", .list, "TAG", alias: "tags")]
    case .template:
      [
        .init("name"), .init("host", .list, "HOST", alias: "hosts"),
        .init("layout", .single, OpenRequest.layoutNames.joined(separator: "|")),
      ]
    }
  }

  /// The field of a name, without the dashes of an option.
  static func named(_ name: String, of kind: RecordKind) -> RecordField? {
    fields(of: kind).first { $0.name == name || $0.alias == name }
  }

  /// The field that is set with `add` by a word without an option.
  static func leading(of kind: RecordKind) -> String { kind == .knownHost ? "host" : "name" }

  /// What is said about a field that there is not.
  static func unknown(_ name: String, of kind: RecordKind) -> String {
    let names = fields(of: kind).map(\.name)
    return NearName.sentence("a \(kind.noun) has no field '\(name)'", name, among: names)
  }
}

/// Finds what somebody may have meant.
nonisolated enum NearName {
  /// The known name that a word is nearest to; nil when none is near.
  static func nearest(_ word: String, among names: some Sequence<String>) -> String? {
    let word = Array(word.lowercased().unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(word, Array(name.lowercased().unicodeScalars.prefix(64)))
      if distance < best?.distance ?? Int.max { best = (name, distance) }
    }
    guard let best, best.distance <= max(1, word.count / 3) else { return nil }
    return best.name
  }

  /// A sentence about an unknown word: the near name, else all of them when they are few.
  static func sentence(_ text: String, _ word: String, among names: [String]) -> String {
    if let near = nearest(word, among: names) { return "\(text); did you mean '\(near)'?" }
    guard !names.isEmpty, names.count <= 24 else { return text }
    return "\(text); there are \(names.joined(separator: ", "))"
  }

  /// How many scalars must be added, dropped, changed, or exchanged with their neighbour.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var rows = [Array(0...right.count)]
    for (index, scalar) in left.enumerated() {
      let last = rows[index]
      var row = [index + 1]
      for (place, other) in right.enumerated() {
        var least = min(
          last[place] + (scalar == other ? 0 : 1),
          last[place + 1] + 1,
          row[place] + 1
        )
        if index > 0, place > 0, scalar == right[place - 1], left[index - 1] == other {
          least = min(least, rows[index - 1][place - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
