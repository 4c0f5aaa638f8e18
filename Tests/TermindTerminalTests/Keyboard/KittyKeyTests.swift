import Testing

@testable import TermindTerminal

/// The kitty keyboard protocol, flag by flag.
@Suite("Keys of the kitty keyboard protocol") struct KittyKeyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let key: TerminalKey
    let flags: UInt8
    let expected: String
    var testDescription: String { "\(flags) \(expected.debugDescription)" }

    init(
      _ code: TerminalKeyCode,
      _ modifiers: TerminalKeyModifiers = [],
      _ flags: UInt8,
      _ expected: String,
      kind: TerminalKeyKind = .press,
      shifted: UInt32? = nil,
      base: UInt32? = nil,
      text: String? = nil
    ) {
      key = TerminalKey(
        code: code,
        shifted: shifted,
        base: base,
        modifiers: modifiers,
        kind: kind,
        text: text
      )
      self.flags = flags
      self.expected = expected.replacing("^[", with: "\u{1B}")
    }
  }

  private static let a = TerminalKeyCode.character(0x61)

  static let disambiguate: [Case] = [
    Case(a, [], 1, "a"), Case(a, .shift, 1, "A"), Case(a, .capsLock, 1, "A"),
    Case(a, .control, 1, "^[[97;5u"), Case(a, .alt, 1, "^[[97;3u"),
    Case(a, [.control, .shift], 1, "^[[97;6u"), Case(a, [.shift, .alt], 1, "^[[97;4u"),
    Case(a, .super, 1, "^[[97;9u"), Case(a, .hyper, 1, "^[[97;17u"), Case(a, .meta, 1, "^[[97;33u"),
    Case(.character(0x41), .control, 1, "^[[97;6u"),
    Case(a, [.control, .capsLock, .numLock], 1, "^[[97;5u"),
    Case(.character(0x20), .control, 1, "^[[32;5u"), Case(.character(0x20), .shift, 1, " "),
    Case(.character(0x2F), .control, 1, "^[[47;5u"),
    Case(.character(0x69), .control, 1, "^[[105;5u"),
    Case(.escape, [], 1, "^[[27u"), Case(.escape, .alt, 1, "^[[27;3u"),
    Case(.enter, [], 1, "\r"), Case(.tab, [], 1, "\t"), Case(.backspace, [], 1, "\u{7F}"),
    Case(.enter, .numLock, 1, "\r"), Case(.enter, .shift, 1, "^[[13;2u"),
    Case(.enter, .control, 1, "^[[13;5u"), Case(.enter, .alt, 1, "^[[13;3u"),
    Case(.tab, .shift, 1, "^[[9;2u"), Case(.tab, .control, 1, "^[[9;5u"),
    Case(.tab, [.control, .shift], 1, "^[[9;6u"), Case(.backspace, .control, 1, "^[[127;5u"),
    Case(.backspace, [.alt, .capsLock], 1, "^[[127;3u"),
    Case(.up, [], 1, "^[[A"), Case(.up, .shift, 1, "^[[1;2A"), Case(.up, .numLock, 1, "^[[1;129A"),
    Case(.home, .control, 1, "^[[1;5H"), Case(.delete, [], 1, "^[[3~"),
    Case(.pageUp, .shift, 1, "^[[5;2~"), Case(.function(1), [], 1, "^[[P"),
    Case(.function(1), .control, 1, "^[[1;5P"), Case(.function(3), [], 1, "^[[13~"),
    Case(.function(3), .alt, 1, "^[[13;3~"), Case(.function(4), [], 1, "^[[S"),
    Case(.function(12), .alt, 1, "^[[24;3~"), Case(.function(13), [], 1, "^[[57376u"),
    Case(.function(35), .control, 1, "^[[57398;5u"), Case(.menu, [], 1, "^[[57363u"),
    Case(.keypad(.enter), [], 1, "^[[57414u"), Case(.keypad(.five), .numLock, 1, "5"),
    Case(.keypad(.five), .control, 1, "^[[57404;5u"), Case(.keypad(.home), [], 1, "^[[57423u"),
    Case(.keypad(.begin), [], 1, "^[[E"), Case(.keypad(.begin), .control, 1, "^[[1;5E"),
    Case(.printScreen, [], 1, "^[[57361u"), Case(.media(.play), [], 1, "^[[57428u"),
    Case(.media(.muteVolume), [], 1, "^[[57440u"), Case(.modifier(.leftShift), .shift, 1, ""),
    Case(.capsLock, .capsLock, 1, ""), Case(a, [], 1, "", kind: .release),
    Case(a, [], 1, "a", kind: .repeat), Case(.up, [], 1, "^[[A", kind: .repeat),
    Case(.character(0xE5), [], 1, "å"), Case(a, [], 1, "å", text: "å"),
    Case(.character(0), [], 1, "日本", text: "日本"), Case(.function(36), [], 1, ""),
  ]

  static let events: [Case] = [
    Case(a, [], 2, "a"), Case(a, [], 3, "a", kind: .repeat),
    Case(a, [], 3, "^[[97;1:3u", kind: .release), Case(a, .control, 3, "^[[97;5u"),
    Case(a, .control, 3, "^[[97;5:2u", kind: .repeat),
    Case(a, .control, 3, "^[[97;5:3u", kind: .release),
    Case(.up, [], 3, "^[[1;1:3A", kind: .release),
    Case(.up, .shift, 3, "^[[1;2:2A", kind: .repeat),
    Case(.delete, [], 3, "^[[3;1:2~", kind: .repeat),
    Case(.enter, [], 3, "", kind: .release), Case(.tab, [], 3, "", kind: .release),
    Case(.backspace, .control, 3, "", kind: .release), Case(.enter, [], 3, "\r", kind: .repeat),
    Case(.enter, [], 11, "^[[13;1:3u", kind: .release), Case(.escape, [], 2, "\u{1B}"),
    Case(.escape, [], 2, "^[[27;1:3u", kind: .release), Case(a, .control, 2, "\u{1}"),
    Case(a, .alt, 2, "^[a"), Case(a, .control, 2, "^[[97;5:3u", kind: .release),
    Case(.enter, .shift, 2, "\r"), Case(.keypad(.home), [], 2, "^[[H"),
    Case(.keypad(.enter), [], 2, "\r"), Case(.keypad(.seven), [], 2, "7"),
    Case(.function(1), [], 2, "^[[P"), Case(.modifier(.leftShift), [], 3, "", kind: .release),
  ]

  static let alternates: [Case] = [
    Case(a, [.control, .shift], 5, "^[[97:65;6u", shifted: 0x41),
    Case(a, [.control, .shift], 5, "^[[97:65;6u"), Case(a, .control, 5, "^[[97;5u", shifted: 0x41),
    Case(.character(0x441), .control, 5, "^[[1089::99;5u", shifted: 0x421, base: 0x63),
    Case(
      .character(0x441),
      [.control, .shift],
      5,
      "^[[1089:1057:99;6u",
      shifted: 0x421,
      base: 0x63
    ),
    Case(.character(0x441), .control, 1, "^[[1089;5u", base: 0x63),
    Case(a, .control, 5, "^[[97;5u", base: 0x61), Case(a, [.control, .shift], 4, "\u{1}"),
    Case(.character(0x3D), [.control, .shift], 5, "^[[61:43;6u", shifted: 0x2B),
    Case(.up, .control, 5, "^[[1;5A"), Case(.character(0x441), [], 5, "с", base: 0x63),
  ]

  static let all: [Case] = [
    Case(a, [], 8, "^[[97u"), Case(a, .shift, 8, "^[[97;2u"), Case(a, .capsLock, 8, "^[[97;65u"),
    Case(a, [.control, .numLock], 8, "^[[97;133u"), Case(.enter, [], 8, "^[[13u"),
    Case(.tab, [], 8, "^[[9u"), Case(.backspace, [], 8, "^[[127u"), Case(.escape, [], 8, "^[[27u"),
    Case(.character(0x20), [], 8, "^[[32u"), Case(.modifier(.leftShift), .shift, 8, "^[[57441;2u"),
    Case(.modifier(.rightControl), [], 10, "^[[57448;1:3u", kind: .release),
    Case(.modifier(.isoLevel5Shift), [], 8, "^[[57454u"),
    Case(.capsLock, .capsLock, 8, "^[[57358;65u"),
    Case(.keypad(.five), .numLock, 8, "^[[57404;129u"), Case(.up, [], 8, "^[[A"),
    Case(a, [], 10, "^[[97;1:2u", kind: .repeat), Case(.character(0), [], 8, "日", text: "日"),
    Case(a, .shift, 12, "^[[97:65;2u"), Case(a, [], 8, "", kind: .release),
  ]

  static let text: [Case] = [
    Case(a, [], 24, "^[[97;;97u"), Case(a, .shift, 24, "^[[97;2;65u"),
    Case(a, [], 24, "^[[97;;229u", text: "å"), Case(a, .control, 24, "^[[97;5u"),
    Case(a, .alt, 24, "^[[97;3u"), Case(.enter, [], 24, "^[[13u"),
    Case(.tab, [], 24, "^[[9u", text: "\t"),
    Case(a, [], 26, "^[[97;1:3u", kind: .release), Case(a, [], 26, "^[[97;1:2;97u", kind: .repeat),
    Case(.character(0), [], 24, "^[[0;;26085:26412u", text: "日本"),
    Case(.character(0x20), [], 24, "^[[32;;32u"), Case(a, .shift, 31, "^[[97:65;2;65u"),
    Case(.keypad(.five), .numLock, 24, "^[[57404;129;53u"), Case(a, [], 16, "a"),
    Case(a, .capsLock, 24, "^[[97;65;65u"), Case(.up, [], 31, "^[[1;1:3A", kind: .release),
  ]

  @Test("disambiguate", arguments: disambiguate) func disambiguating(test: Case) { check(test) }

  @Test("event types", arguments: events) func eventTypes(test: Case) { check(test) }

  @Test("alternate keys", arguments: alternates) func alternateKeys(test: Case) { check(test) }

  @Test("all keys as escape codes", arguments: all) func allKeys(test: Case) { check(test) }

  @Test("associated text", arguments: text) func associatedText(test: Case) { check(test) }

  @Test("cursor mode changes nothing once the protocol disambiguates")
  func cursorMode() {
    var modes = KeyEncodingModes()
    modes.applicationCursorKeys = true
    modes.applicationKeypad = true
    modes.modifyOtherKeys = 2
    modes.kittyFlags = .disambiguate
    let encoder = KeyEncoder(modes: modes)
    #expect(encoder.encode(TerminalKey(code: .up)) == Array("\u{1B}[A".utf8))
    #expect(encoder.encode(TerminalKey(code: .keypad(.add))) == Array("+".utf8))
    #expect(
      encoder.encode(TerminalKey(code: .character(0x61), modifiers: .control))
        == Array("\u{1B}[97;5u".utf8)
    )
  }

  @Test("bits that the protocol does not define are no flags")
  func unknownBits() {
    #expect(KittyKeyboardFlags(rawValue: 0xFF).rawValue == 31)
    #expect(KittyKeyboardFlags(rawValue: 0xE0).isEmpty)
  }

  private func check(_ test: Case) {
    var modes = KeyEncodingModes()
    modes.kittyFlags = KittyKeyboardFlags(rawValue: test.flags)
    let bytes = KeyEncoder(modes: modes).encode(test.key)
    #expect(String(decoding: bytes, as: UTF8.self) == test.expected)
  }
}
