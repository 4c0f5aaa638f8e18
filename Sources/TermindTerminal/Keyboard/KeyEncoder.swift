/// Turns keys into the bytes that a program expects from an xterm-compatible terminal.
///
/// The modes choose between three encodings: xterm's own, xterm's modifyOtherKeys, and the kitty keyboard
/// protocol. A pure value; the same key and modes always give the same bytes.
public struct KeyEncoder: Hashable, Sendable {
  /// The modes in force.
  public var modes: KeyEncodingModes

  /// Makes an encoder for some modes.
  public init(modes: KeyEncodingModes = KeyEncodingModes()) { self.modes = modes }

  /// Returns the bytes of a key; empty when the program is told nothing of it.
  ///
  /// Without the kitty protocol these send nothing: releases, lock, media and modifier keys, and
  /// characters held with Super or Hyper, which would otherwise arrive as typed text.
  public func encode(_ key: TerminalKey) -> [UInt8] {
    let key = key.normalized
    if !modes.kittyFlags.isEmpty { return kitty(key) }
    guard key.kind != .release else { return [] }
    if modes.modifyOtherKeys > 0, let bytes = modifiedOther(key) { return bytes }
    return legacy(key)
  }
}

/// Bytes that open escape sequences.
enum KeyBytes {
  static let escape: UInt8 = 0x1B
  static let csi: [UInt8] = [0x1B, 0x5B]
  static let ss3: [UInt8] = [0x1B, 0x4F]
}

extension TerminalKey {
  /// The same key with an upper-case ASCII code told as the lower-case key and Shift.
  var normalized: TerminalKey {
    guard case .character(let code) = code, (0x41...0x5A).contains(code) else { return self }
    var key = self
    key.code = .character(code + 0x20)
    key.shifted = code
    key.modifiers.insert(.shift)
    return key
  }

  /// The modifiers that are held, without the locks.
  var held: TerminalKeyModifiers { modifiers.subtracting(.locks) }

  /// Whether Alt or Meta is held.
  var hasAlt: Bool { !modifiers.isDisjoint(with: [.alt, .meta]) }

  /// Whether a modifier is held that keeps a key from typing text.
  var isChord: Bool { !modifiers.isDisjoint(with: [.control, .alt, .super, .hyper, .meta]) }

  /// The modifier parameter of escape sequences, without the locks.
  var modifierParameter: Int { 1 + Int(held.rawValue) }

  /// The character that a character key gives with the Shift and Caps Lock in force.
  func character(_ code: UInt32) -> UInt32 {
    if modifiers.contains(.shift) { return shiftedCharacter(code) }
    guard modifiers.contains(.capsLock) else { return code }
    return LetterCase.isLetter(code) ? LetterCase.upper(code) : code
  }

  /// The character with Shift: as the keyboard told it, else the upper case, else as on a US layout.
  func shiftedCharacter(_ code: UInt32) -> UInt32 {
    if let shifted { return shifted }
    if !isChord, let text, let only = text.unicodeScalars.only { return only.value }
    return LetterCase.isLetter(code) ? LetterCase.upper(code) : LetterCase.shiftedOnUSLayout(code)
  }

  /// The text that the key types, without controls; empty for a chord, a release and a key without text.
  var typedText: String {
    guard kind != .release, !isChord else { return "" }
    if let text {
      let printable = text.unicodeScalars.filter {
        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
      }
      return String(String.UnicodeScalarView(printable))
    }
    let code: UInt32? =
      switch self.code {
      case .character(let code): code
      case .keypad(let key): key.character
      default: nil
      }
    guard let code, code >= 0x20, let scalar = Unicode.Scalar(character(code)) else { return "" }
    return String(Character(scalar))
  }
}

extension String.UnicodeScalarView {
  /// The scalar of a text that has just one.
  fileprivate var only: Unicode.Scalar? {
    guard let first, index(after: startIndex) == endIndex else { return nil }
    return first
  }
}

/// Letter case without locales, and the US layout's upper row.
enum LetterCase {
  static func isLetter(_ code: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(code) else { return false }
    return scalar.properties.isLowercase
  }

  static func upper(_ code: UInt32) -> UInt32 {
    guard let scalar = Unicode.Scalar(code) else { return code }
    let mapping = scalar.properties.uppercaseMapping.unicodeScalars
    guard let first = mapping.first, mapping.index(after: mapping.startIndex) == mapping.endIndex
    else { return code }
    return first.value
  }

  static func shiftedOnUSLayout(_ code: UInt32) -> UInt32 {
    guard code < 0x80, let place = plain.firstIndex(of: UInt8(code)) else { return code }
    return UInt32(upperRow[place])
  }

  private static let plain = Array("`1234567890-=[]\\;',./".utf8)
  private static let upperRow = Array("~!@#$%^&*()_+{}|:\"<>?".utf8)
}
