/// One key of a sequence as written; the leader stays a word until the whole keymap is read.
enum SequenceToken: Hashable, Sendable {
  case leader
  case chord(KeyChord)
}

/// Reads chords and sequences from left to right.
///
/// A key is a word of letters, digits and `_`, or any single character, so that `ctrl++`, `leader>>`
/// and `ctrl+=` need no escape.
struct ChordReader {
  /// The most keys in a row.
  static let longestSequence = 5

  private(set) var rest: Substring

  init(text: String) { rest = Substring(text) }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads `flag:` when it stands in front of a binding.
  mutating func flag() -> String? {
    let word = nextWord
    let behind = rest[word.endIndex...].utf8
    guard behind.first == UInt8(ascii: ":"), Self.flags.contains(String(word)) else { return nil }
    rest = rest[behind.index(after: behind.startIndex)...]
    return String(word)
  }

  /// Reads the keys up to the equals sign, and leaves the action.
  mutating func sequence() throws(KeySyntaxError) -> [SequenceToken] {
    var tokens = [try chord()]
    while true {
      skipBlanks()
      switch rest.first {
      case ">":
        rest.removeFirst()
        guard tokens.count < Self.longestSequence else {
          throw .tooLong(limit: Self.longestSequence)
        }
        tokens.append(try chord())
      case "=":
        rest.removeFirst()
        return tokens
      case nil: throw .missingAction
      default: throw .unexpected(String(rest.prefix { $0 != "=" }))
      }
    }
  }

  mutating func chord() throws(KeySyntaxError) -> SequenceToken {
    var modifiers: ChordModifiers = []
    while true {
      skipBlanks()
      guard !rest.isEmpty else { throw .missingKey }
      let found = nextWord
      guard !found.isEmpty else {
        return .chord(KeyChord(try Self.key(single: rest.removeFirst()), modifiers))
      }
      let word = String(found)
      rest = rest[found.endIndex...]
      if rest.utf8.first == UInt8(ascii: "+"),
        let modifier = ChordModifiers.words[word.lowercased()]
      {
        guard modifiers.insert(modifier).inserted else { throw .repeatedModifier(word) }
        rest.removeFirst()
        continue
      }
      if word == "leader", modifiers.isEmpty { return .leader }
      return .chord(KeyChord(try Self.key(word: word), modifiers))
    }
  }

  // MARK: - Names

  /// `repeat` is ours; the others are Ghostty's and mean nothing here.
  static let flags: Set<String> = ["repeat", "global", "all", "unconsumed", "performable"]

  private mutating func skipBlanks() {
    while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
  }

  /// The letters, digits and `_` in front; ASCII is told by its bytes.
  private var nextWord: Substring {
    let bytes = rest.utf8
    let end = bytes.firstIndex { !Self.isWordByte($0) } ?? bytes.endIndex
    if end != bytes.endIndex, bytes[end] >= 0x80 {
      return rest.prefix(while: Self.isWordCharacter)
    }
    return rest[..<end]
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  private static func key(single character: Character) throws(KeySyntaxError) -> ChordKey {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
      throw .unknownKey(String(character))
    }
    return .character(scalar.value)
  }

  private static func key(word: String) throws(KeySyntaxError) -> ChordKey {
    if word.unicodeScalars.count == 1, let scalar = word.unicodeScalars.first {
      return .character(scalar.value)
    }
    let name = word.lowercased()
    if let named = NamedKey(rawValue: name) ?? otherNames[name] { return .named(named) }
    if let scalar = characterNames[name] { return .character(scalar.value) }
    for prefix in ["key_", "digit_"] where name.hasPrefix(prefix) && name.count == prefix.count + 1
    {
      return .character(name.unicodeScalars.last?.value ?? 0)
    }
    if name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...35).contains(number) {
      return .function(number)
    }
    throw .unknownKey(word)
  }

  private static let otherNames: [String: NamedKey] = [
    "return": .enter, "esc": .escape, "arrow_up": .up, "arrow_down": .down, "arrow_left": .left,
    "arrow_right": .right, "pageup": .pageUp, "pagedown": .pageDown, "pgup": .pageUp,
    "pgdn": .pageDown, "ins": .insert, "del": .delete, "context_menu": .menu,
    "numpad_enter": .keypadEnter, "kp_enter": .keypadEnter,
  ]

  private static let characterNames: [String: Unicode.Scalar] = [
    "space": " ", "plus": "+", "minus": "-", "equal": "=", "comma": ",", "period": ".",
    "slash": "/", "backslash": "\\", "semicolon": ";", "colon": ":", "apostrophe": "'",
    "quote": "'", "backquote": "`", "grave_accent": "`", "bracket_left": "[", "left_bracket": "[",
    "bracket_right": "]", "right_bracket": "]", "question": "?", "exclamation": "!",
    "underscore": "_", "greater": ">", "less": "<", "number_sign": "#", "double_quote": "\"",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9",
  ]
}
