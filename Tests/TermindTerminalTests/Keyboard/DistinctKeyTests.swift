import Testing

@testable import TermindTerminal

/// Keys that people found lost or mixed up in other programs.
@Suite("Keys stay apart") struct DistinctKeyTests {
  private static let confusable: [TerminalKey] = [
    TerminalKey(code: .tab), TerminalKey(code: .character(0x69), modifiers: .control),
    TerminalKey(code: .enter), TerminalKey(code: .enter, modifiers: .control),
    TerminalKey(code: .enter, modifiers: .shift),
    TerminalKey(code: .character(0x6D), modifiers: .control),
    TerminalKey(code: .tab, modifiers: .control),
    TerminalKey(code: .tab, modifiers: [.control, .shift]),
    TerminalKey(code: .tab, modifiers: .shift),
    TerminalKey(code: .character(0x2C), modifiers: .control),
    TerminalKey(code: .character(0x2E), modifiers: .control),
    TerminalKey(code: .character(0x3B), modifiers: .control),
    TerminalKey(code: .escape), TerminalKey(code: .character(0x5B), modifiers: .control),
    TerminalKey(code: .character(0x5B), modifiers: .alt),
    TerminalKey(code: .character(0x20), modifiers: .control),
    TerminalKey(code: .character(0x40), modifiers: .control),
    TerminalKey(code: .backspace, modifiers: .alt), TerminalKey(code: .backspace),
    TerminalKey(code: .character(0x68), modifiers: .control),
  ]

  @Test("with a request for extended keys every confusable key has its own bytes")
  func extendedKeys() {
    var other = KeyEncodingModes()
    other.modifyOtherKeys = 2
    var kitty = KeyEncodingModes()
    kitty.kittyFlags = .disambiguate
    for modes in [other, kitty] {
      let encoded = Self.confusable.map { KeyEncoder(modes: modes).encode($0) }
      #expect(Set(encoded).count == Self.confusable.count)
      #expect(encoded.allSatisfy { !$0.isEmpty })
    }
  }

  @Test("without a request they send the bytes that terminals always sent, and none is lost")
  func plainKeys() {
    let encoded = Self.confusable.map { KeyEncoder().encode($0) }
    #expect(encoded[0] == [0x09])
    #expect(encoded[1] == [0x09])
    #expect(encoded[2...5].allSatisfy { $0 == [0x0D] })
    #expect(encoded.allSatisfy { !$0.isEmpty })
  }

  @Test("under the kitty protocol no two keys with modifiers share bytes")
  func kittyKeysAreUnique() {
    let codes: [TerminalKeyCode] =
      (0x20...0x7E).filter { !(0x41...0x5A).contains($0) }.map { .character($0) }
      + (1...35).map { .function($0) } + TerminalKeypadKey.allCases.map { .keypad($0) }
      + TerminalMediaKey.allCases.map { .media($0) }
      + TerminalModifierKey.allCases.map { .modifier($0) }
      + [
        .enter, .tab, .backspace, .escape, .insert, .delete, .home, .end, .pageUp, .pageDown, .up,
        .down, .left, .right, .capsLock, .scrollLock, .numLock, .printScreen, .pause, .menu,
      ]
    var modes = KeyEncodingModes()
    modes.kittyFlags = [.allKeys, .eventTypes]
    let encoder = KeyEncoder(modes: modes)
    var seen: Set<[UInt8]> = []
    var count = 0
    for code in codes {
      for bits: UInt8 in [0, 1, 2, 4, 5, 8, 63, 64, 128, 255] {
        for kind in [TerminalKeyKind.press, .repeat, .release] {
          let key = TerminalKey(
            code: code,
            modifiers: TerminalKeyModifiers(rawValue: bits),
            kind: kind
          )
          seen.insert(encoder.encode(key))
          count += 1
        }
      }
    }
    #expect(seen.count == count)
    #expect(!seen.contains([]))
  }

  @Test("function keys keep their identity with every modifier", arguments: 1...35)
  func functionKeys(number: Int) {
    let encoded = (0..<16).map { bits in
      let modifiers = TerminalKeyModifiers(rawValue: UInt8(bits))
      return KeyEncoder().encode(TerminalKey(code: .function(number), modifiers: modifiers))
    }
    #expect(Set(encoded).count == 16)
    #expect(encoded.allSatisfy { $0.first == 0x1B })
  }
}
