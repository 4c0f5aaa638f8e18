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
  public func sortedByName() -> [HostRecord] { sorted(byName: \.name) }
}

extension Sequence {
  /// The elements by name, letters of both cases together; equal ones by exact name.
  ///
  /// - Parameter name: What an element is called.
  /// - Returns: The elements in order; those of one name stay as they stand.
  public func sorted(byName name: (Element) -> String) -> [Element] {
    map { element in
      let name = name(element)
      return (key: name.lowercased(), name: name, element: element)
    }
    .sorted { ($0.key, $0.name) < ($1.key, $1.name) }
    .map(\.element)
  }
}
