/// Why a text is no key, chord or sequence.
public enum KeySyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing stands where a key should.
  case missingKey
  /// No key has that name.
  case unknownKey(String)
  /// The same modifier stands twice.
  case repeatedModifier(String)
  /// Something stands behind a complete key.
  case unexpected(String)
  /// A binding has no `=` and action.
  case missingAction
  /// More keys in a row than a sequence may have.
  case tooLong(limit: Int)

  /// The reason in one clause.
  public var description: String {
    switch self {
    case .missingKey: "a key is missing"
    case .unknownKey(let name): "there is no key '\(name)'"
    case .repeatedModifier(let name): "the modifier '\(name)' stands twice"
    case .unexpected(let text): "'\(text)' was not expected behind the key"
    case .missingAction: "an action is missing: write KEY=ACTION"
    case .tooLong(let limit): "a sequence has at most \(limit) keys"
    }
  }
}
