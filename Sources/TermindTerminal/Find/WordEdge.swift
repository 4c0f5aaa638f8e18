/// Where words begin and end, for searches of whole words.
enum WordEdge {
  /// Whether a stretch of UTF-8 is no part of a longer word.
  ///
  /// - Parameters:
  ///   - match: The stretch; not empty.
  ///   - memory: The bytes.
  ///   - text: The text around it.
  /// - Returns: False when a letter, digit or underscore at its edge goes on with another one outside of it.
  @unsafe
  static func isWhole(_ match: Range<Int>, in memory: UnsafeRawPointer, _ text: Range<Int>) -> Bool
  {
    let edges = unsafe (
      before: match.lowerBound > text.lowerBound
        ? memory.load(fromByteOffset: match.lowerBound - 1, as: UInt8.self) : 0x20,
      after: match.upperBound < text.upperBound
        ? memory.load(fromByteOffset: match.upperBound, as: UInt8.self) : 0x20
    )
    // Most words have blanks beside them.
    if edges.before < 0x80, edges.after < 0x80, !isWord(edges.before), !isWord(edges.after) {
      return true
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: text.upperBound)
    func scalar(at place: Int) -> Unicode.Scalar? {
      var decoder = Unicode.UTF8()
      var source = unsafe bytes[place..<min(place + 4, text.upperBound)].makeIterator()
      guard case .scalarValue(let scalar) = unsafe decoder.decode(&source) else { return nil }
      return scalar
    }
    func start(before place: Int) -> Int {
      var place = place - 1
      while place > text.lowerBound, unsafe bytes[place] & 0xC0 == 0x80 { place -= 1 }
      return place
    }
    if match.lowerBound > text.lowerBound, isWord(scalar(at: match.lowerBound)),
      isWord(scalar(at: start(before: match.lowerBound)))
    {
      return false
    }
    if match.upperBound < text.upperBound, isWord(scalar(at: start(before: match.upperBound))),
      isWord(scalar(at: match.upperBound))
    {
      return false
    }
    return true
  }

  /// Whether a character is part of a word: a letter, a mark on one, a digit or an underscore.
  static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    if scalar.isASCII { return isWord(UInt8(truncatingIfNeeded: scalar.value)) }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
