/// A line of a configuration, divided into its keyword and its words.
struct SSHConfigWords {
  /// The keyword as it was written.
  let keyword: String
  /// The text after the keyword, without what divides them; comments are part of it.
  let rest: ArraySlice<UInt8>

  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")
  private static let quote = UInt8(ascii: "\"")
  private static let equals = UInt8(ascii: "=")

  /// Divides a line; nil for blank lines and comments.
  init?(_ line: ArraySlice<UInt8>) {
    var rest = line.prefix { $0 != 0 }
    while let last = rest.last, Self.isBlank(last) || last == 0x0C { rest.removeLast() }
    rest = rest.drop(while: Self.isBlank)
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    var name: [UInt8] = []
    while let byte = rest.first, !Self.isBlank(byte), byte != Self.quote, byte != Self.equals {
      name.append(byte)
      rest.removeFirst()
    }
    if rest.first == Self.quote {
      // A quote ends the keyword where it closes; one that never closes makes the line void.
      rest.removeFirst()
      guard let end = rest.firstIndex(of: Self.quote) else { return nil }
      name += rest[..<end]
      rest = rest[(end + 1)...].drop(while: Self.isBlank)
    } else {
      let isDivided = rest.first == Self.equals
      rest = rest.dropFirst().drop(while: Self.isBlank)
      if !isDivided, rest.first == Self.equals {
        rest = rest.dropFirst().drop(while: Self.isBlank)
      }
    }
    guard !name.isEmpty else { return nil }
    keyword = String(decoding: name, as: UTF8.self)
    self.rest = rest
  }

  /// The words as most keywords take them; a `#` at the start of a word ends the line.
  func arguments() throws(SSHConfigWordsError) -> [String] {
    var words: [String] = []
    var rest = rest
    while let first = rest.first {
      if first == Self.space || first == Self.tab {
        rest.removeFirst()
        continue
      }
      if first == UInt8(ascii: "#") { break }
      words.append(try Self.text(try Self.word(&rest)))
    }
    return words
  }

  /// The text after the keyword as it stands, as commands take it.
  func command() throws(SSHConfigWordsError) -> String {
    try Self.text(Array(rest.drop { Self.isBlank($0) || $0 == Self.equals }))
  }

  /// The words as Match takes them: only double quotes count, and `=` divides as blanks do.
  func criteria() throws(SSHConfigWordsError) -> [String] {
    var words: [String] = []
    var rest = rest
    while !rest.isEmpty {
      var word: [UInt8] = []
      var isQuoted = false
      while let byte = rest.first, !Self.isBlank(byte), byte != Self.quote, byte != Self.equals {
        word.append(byte)
        rest.removeFirst()
      }
      if rest.first == Self.quote {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: Self.quote) else { throw .invalidQuotes }
        word += rest[..<end]
        rest = rest[(end + 1)...].drop(while: Self.isBlank)
        isQuoted = true
      } else {
        let isDivided = rest.first == Self.equals
        rest = rest.dropFirst().drop(while: Self.isBlank)
        if !isDivided, rest.first == Self.equals {
          rest = rest.dropFirst().drop(while: Self.isBlank)
        }
      }
      if !isQuoted, word.first == UInt8(ascii: "#") { break }
      words.append(try Self.text(word))
    }
    return words
  }

  /// Takes one word, whose quotes and escapes are removed.
  private static func word(
    _ rest: inout ArraySlice<UInt8>
  ) throws(SSHConfigWordsError) -> [UInt8] {
    var word: [UInt8] = []
    var open: UInt8?
    while let byte = rest.first, open != nil || (byte != space && byte != tab) {
      rest.removeFirst()
      if byte == UInt8(ascii: "\\"), let next = rest.first, isEscapable(next, isQuoted: open != nil)
      {
        word.append(next)
        rest.removeFirst()
      } else if open == nil, byte == quote || byte == UInt8(ascii: "'") {
        open = byte
      } else if byte == open {
        open = nil
      } else {
        word.append(byte)
      }
    }
    guard open == nil else { throw .invalidQuotes }
    return word
  }

  private static func isEscapable(_ byte: UInt8, isQuoted: Bool) -> Bool {
    byte == quote || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
      || (byte == space && !isQuoted)
  }

  private static func text(_ bytes: [UInt8]) throws(SSHConfigWordsError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
    return text
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == tab || byte == 0x0D || byte == 0x0A
  }
}

/// Why a line cannot be divided into words.
enum SSHConfigWordsError: Error {
  case invalidQuotes
  case invalidText

  var reason: SSHConfigProblem.Reason {
    switch self {
    case .invalidQuotes: .invalidQuotes
    case .invalidText: .invalidText
    }
  }
}
