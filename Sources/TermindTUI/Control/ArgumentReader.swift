/// Takes a command line apart, one word after the other.
nonisolated struct ArgumentReader {
  private var words: ArraySlice<String>
  /// Whether `--` was passed: what follows is no option, whatever it looks like.
  private(set) var isVerbatim = false

  init(_ words: ArraySlice<String>) { self.words = words }

  /// One word of the command line.
  enum Word: Hashable {
    /// `--name`, `--name=value`, or `-x`.
    case option(String, value: String?)
    /// Anything else.
    case plain(String)
  }

  /// The words that are left.
  var rest: [String] { Array(words) }

  /// How many words are left.
  var count: Int { words.count }

  /// The next word; `--` itself is skipped.
  mutating func next() -> Word? {
    guard let word = words.popFirst() else { return nil }
    if isVerbatim || word == "-" || !word.hasPrefix("-") { return .plain(word) }
    if word == "--" {
      isVerbatim = true
      return next()
    }
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      return .option(String(word[..<equals]), value: String(word[word.index(after: equals)...]))
    }
    return .option(word, value: nil)
  }

  /// The value of an option: after its equals sign, else the next word.
  mutating func value(of option: String, _ given: String?) throws(UsageError) -> String {
    if let given { return given }
    guard let word = words.popFirst() else { throw UsageError("\(option) needs a value") }
    return word
  }

  /// A number of an option, within a range.
  mutating func number(of option: String, _ given: String?, in range: ClosedRange<UInt32>)
    throws(UsageError) -> UInt32
  {
    let text = try value(of: option, given)
    guard let number = UInt32(text), range.contains(number) else {
      throw UsageError(
        "\(option) needs a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return number
  }

  /// Refuses a value that an option does not take.
  static func refuseValue(of option: String, _ given: String?) throws(UsageError) {
    if given != nil { throw UsageError("\(option) takes no value") }
  }
}

/// A command line that cannot be understood; the text says which word and why.
nonisolated struct UsageError: Error, Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }
}
