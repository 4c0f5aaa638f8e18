/// What to find.
public struct FindQuery: Hashable, Sendable {
  /// When upper and lower case are one.
  public enum CaseRule: Hashable, Sendable {
    /// Unless the pattern has an upper-case letter.
    case smart
    /// Never.
    case exact
    /// Always.
    case ignored
  }

  /// Most bytes of a pattern.
  public static let longest = 4_096

  /// The words, or the regular expression; an empty one finds nothing.
  public var text: String
  /// When upper and lower case are one.
  public var caseRule: CaseRule
  /// Whether a match must not be a part of a longer word.
  public var isWholeWord: Bool
  /// Whether the text is a regular expression as PCRE2 knows them.
  public var isRegex: Bool

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - text: The words, or the regular expression.
  ///   - caseRule: When upper and lower case are one.
  ///   - isWholeWord: Whether a match must not be a part of a longer word.
  ///   - isRegex: Whether the text is a regular expression.
  public init(
    _ text: String,
    caseRule: CaseRule = .smart,
    isWholeWord: Bool = false,
    isRegex: Bool = false
  ) {
    self.text = text
    self.caseRule = caseRule
    self.isWholeWord = isWholeWord
    self.isRegex = isRegex
  }

  /// Whether upper and lower case are one for this text.
  public var ignoresCase: Bool {
    switch caseRule {
    case .exact: return false
    case .ignored: return true
    case .smart: break
    }
    var isEscaped = false
    for scalar in text.unicodeScalars {
      // `\W` and its like are no letters.
      if isRegex, scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if !isEscaped, scalar.properties.isUppercase { return false }
      isEscaped = false
    }
    return true
  }
}

/// Why nothing can be searched for.
public enum FindError: Error, Hashable, Sendable {
  /// The regular expression is wrong at a byte, for a reason in PCRE2's words.
  case badPattern(reason: String, offset: Int)
  /// The pattern has more than `FindQuery.longest` bytes.
  case tooLong
}
