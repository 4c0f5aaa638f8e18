internal import FoundationEssentials
internal import TermindDomain

/// A value for a statement.
enum DatabaseValue: Hashable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// Text, or null.
  static func text(orNull text: String?) -> DatabaseValue { text.map { .text($0) } ?? .null }
  /// Text, or null when it is empty.
  static func text(orEmpty text: String) -> DatabaseValue { text.isEmpty ? .null : .text(text) }
  /// An integer, or null.
  static func integer(orNull number: Int64?) -> DatabaseValue {
    number.map { .integer($0) } ?? .null
  }
  /// Bytes, or null.
  static func blob(orNull bytes: [UInt8]?) -> DatabaseValue { bytes.map { .blob($0) } ?? .null }
  /// Whether something is so, as 1 or 0.
  static func flag(_ isOn: Bool) -> DatabaseValue { .integer(isOn ? 1 : 0) }
  /// An identifier as text.
  static func id(_ id: some VaultID) -> DatabaseValue { .text(id.rawValue.uuidString) }
  /// An identifier as text, or null.
  static func id(orNull id: (some VaultID)?) -> DatabaseValue { id.map { .id($0) } ?? .null }
  /// A choice by its raw value, or null when it is the standard one.
  static func choice<Choice: RawRepresentable<String> & Equatable>(
    _ choice: Choice,
    standard: Choice
  ) -> DatabaseValue { choice == standard ? .null : .text(choice.rawValue) }
}
