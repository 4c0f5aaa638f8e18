extension HostRecord {
  /// The longest name, in UTF-8 bytes.
  public static let maximumNameLength = 255

  /// Whether a name may be saved: not empty, no blanks at its ends, nothing invisible, not too long.
  public static func isValidName(_ name: String) -> Bool {
    FieldRules.problem(ofName: name) == nil
  }
}

extension Sequence<HostRecord> {
  /// The hosts by name, letters of both cases together; equal ones by exact name.
  public func sortedByName() -> [HostRecord] {
    map { (key: $0.name.lowercased(), host: $0) }
      .sorted { ($0.key, $0.host.name) < ($1.key, $1.host.name) }
      .map(\.host)
  }
}
