import Testing

@testable import TermindTerminal

/// Keys without any protocol, beyond what the recorded facts hold.
@Suite("Keys without a protocol") struct LegacyKeyTests {
  @Test(
    "text and chords",
    arguments: [
      (TerminalKey(code: .character(0x1F914)), "🤔"),
      (TerminalKey(code: .character(0x61), text: "á"), "á"),
      (TerminalKey(code: .character(0x61), modifiers: .shift, text: "Á"), "Á"),
      (TerminalKey(code: .character(0x61), modifiers: .capsLock), "A"),
      (TerminalKey(code: .character(0x31), modifiers: .capsLock), "1"),
      (TerminalKey(code: .character(0x31), shifted: 0x2B, modifiers: .shift), "+"),
      (TerminalKey(code: .character(0xE4), modifiers: .shift), "Ä"),
      (TerminalKey(code: .character(0xDF), modifiers: .shift), "ß"),
      (TerminalKey(code: .character(0xE4), modifiers: .alt), "\u{1B}ä"),
      (TerminalKey(code: .character(0x441), base: 0x63, modifiers: .control), "\u{3}"),
      (
        TerminalKey(code: .character(0x441), base: 0x63, modifiers: [.control, .alt]), "\u{1B}\u{3}"
      ),
      (TerminalKey(code: .character(0x441), modifiers: .control), "с"),
      (TerminalKey(code: .character(0x61), modifiers: .meta), "\u{1B}a"),
      (TerminalKey(code: .character(0x61), modifiers: .super), ""),
      (TerminalKey(code: .character(0x61), modifiers: .hyper), ""),
      (TerminalKey(code: .character(0x61), kind: .release), ""),
      (TerminalKey(code: .character(0x61), kind: .repeat), "a"),
      (TerminalKey(code: .character(0), text: "日本"), "日本"),
      (TerminalKey(code: .character(0x61), text: "a\u{1B}[b"), "a[b"),
      (TerminalKey(code: .character(0x110000)), ""),
      (TerminalKey(code: .character(0x1B)), ""),
      (TerminalKey(code: .character(0x2C), modifiers: .control), ","),
      (TerminalKey(code: .tab, modifiers: .control), "\t"),
      (TerminalKey(code: .tab, modifiers: [.shift, .alt]), "\u{1B}\u{1B}[Z"),
      (TerminalKey(code: .enter, modifiers: .alt), "\u{1B}\r"),
      (TerminalKey(code: .up, modifiers: .super), "\u{1B}[1;9A"),
      (TerminalKey(code: .up, modifiers: [.capsLock, .numLock]), "\u{1B}[A"),
      (TerminalKey(code: .function(13)), "\u{1B}[25~"),
      (TerminalKey(code: .function(15)), "\u{1B}[28~"),
      (TerminalKey(code: .function(17)), "\u{1B}[31~"),
      (TerminalKey(code: .function(20)), "\u{1B}[34~"),
      (TerminalKey(code: .function(21)), "\u{1B}[42~"),
      (TerminalKey(code: .function(35)), "\u{1B}[56~"),
      (TerminalKey(code: .function(0)), ""), (TerminalKey(code: .function(36)), ""),
      (TerminalKey(code: .function(5), modifiers: [.control, .alt]), "\u{1B}[15;7~"),
      (TerminalKey(code: .media(.play)), ""), (TerminalKey(code: .modifier(.leftAlt)), ""),
      (TerminalKey(code: .capsLock), ""), (TerminalKey(code: .printScreen), ""),
    ]
  )
  func bytes(key: TerminalKey, expected: String) {
    #expect(String(decoding: KeyEncoder().encode(key), as: UTF8.self) == expected)
  }

  @Test("the number pad in application mode, unless Num Lock is on")
  func applicationKeypad() {
    var modes = KeyEncodingModes()
    modes.applicationKeypad = true
    let encoder = KeyEncoder(modes: modes)
    let finals = TerminalKeypadKey.allCases.prefix(18).map { pad in
      String(decoding: encoder.encode(TerminalKey(code: .keypad(pad))).dropFirst(2), as: UTF8.self)
    }
    #expect(finals.joined() == "pqrstuvwxynojmkMXl")
    let locked = TerminalKeypadKey.allCases.prefix(18).map { pad in
      let key = TerminalKey(code: .keypad(pad), modifiers: .numLock)
      return String(decoding: encoder.encode(key), as: UTF8.self)
    }
    #expect(locked.joined() == "0123456789./*-+\r=,")
    let left = TerminalKey(code: .keypad(.left))
    #expect(encoder.encode(left) == Array("\u{1B}[D".utf8))
    modes.applicationCursorKeys = true
    #expect(KeyEncoder(modes: modes).encode(left) == Array("\u{1B}OD".utf8))
  }

  @Test("a line-feed mode adds LF to Enter, also on the number pad")
  func newLine() {
    var modes = KeyEncodingModes()
    modes.newLine = true
    let encoder = KeyEncoder(modes: modes)
    #expect(encoder.encode(TerminalKey(code: .enter)) == [0x0D, 0x0A])
    #expect(encoder.encode(TerminalKey(code: .keypad(.enter))) == [0x0D, 0x0A])
    #expect(encoder.encode(TerminalKey(code: .enter, modifiers: .alt)) == [0x1B, 0x0D, 0x0A])
  }

  @Test("every Control code can be typed")
  func everyControlCode() {
    var seen: Set<UInt8> = []
    for code: UInt32 in 0x20...0x7E {
      let bytes = KeyEncoder().encode(TerminalKey(code: .character(code), modifiers: .control))
      if bytes.count == 1, bytes[0] < 0x20 || bytes[0] == 0x7F { seen.insert(bytes[0]) }
    }
    #expect(seen == Set(0..<0x20).union([0x7F]))
  }

  @Test("an upper-case code is the lower-case key with Shift")
  func upperCaseCode() {
    #expect(KeyEncoder().encode(TerminalKey(code: .character(0x41))) == [0x41])
    #expect(KeyEncoder().encode(TerminalKey(code: .character(0x41), modifiers: .control)) == [1])
  }
}
