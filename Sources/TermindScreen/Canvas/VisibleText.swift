/// Makes what must not reach a terminal visible instead.
enum VisibleText {
  /// The characters to show for one character of a text.
  static func pieces(of character: Character) -> [Character] {
    if let value = character.asciiValue, value &- 0x20 < 0x5F { return [character] }
    let scalars = character.unicodeScalars
    guard scalars.contains(where: { !ContentFilter.isShowable($0.value) }) else {
      return [character]
    }
    return scalars.flatMap { pieces(of: $0) }
  }

  private static func pieces(of scalar: Unicode.Scalar) -> [Character] {
    switch scalar.value {
    case 0..<0x20: [Unicode.Scalar(0x2400 + scalar.value).map(Character.init) ?? "\u{FFFD}"]
    case 0x7F: ["\u{2421}"]
    case let value where !ContentFilter.isShowable(value):
      Array("⟨" + String(value, radix: 16, uppercase: true) + "⟩")
    default: [Character(scalar)]
    }
  }
}
