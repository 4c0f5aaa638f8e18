import Testing

@testable import TermindTerminal

/// Keys against what a running xterm sent.
@Suite("Keys as xterm sends them") struct XtermKeyTests {
  @Test("every recorded key, mode and modifier, but for the stated differences")
  func recorded() throws {
    let columns: [TerminalKeyModifiers] = [
      [], .shift, .control, .alt, [.control, .shift], [.alt, .shift], [.control, .alt],
      [.control, .alt, .shift],
    ]
    var wrong: [String] = []
    var compared = 0
    for line in XtermKeyFacts.text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      try #require(words.count == columns.count + 2, "\(line)")
      let modes = try #require(Self.modes[words[0]])
      let code = try #require(Self.code(words[1]), "\(words[1])")
      for (modifiers, expected) in zip(columns, words.dropFirst(2)) where expected != "-" {
        if Self.isOwnChoice(mode: words[0], code: code, modifiers: modifiers) { continue }
        let bytes = KeyEncoder(modes: modes).encode(TerminalKey(code: code, modifiers: modifiers))
        compared += 1
        if Self.hexadecimal(bytes) != expected {
          wrong.append("\(words[0]) \(words[1]) \(modifiers.rawValue): \(bytes) not \(expected)")
        }
      }
    }
    #expect(wrong == [])
    #expect(compared > 1200)
  }

  @Test("formatOtherKeys tells the same numbers as CSI u")
  func otherForm() {
    var modes = KeyEncodingModes()
    modes.modifyOtherKeys = 2
    let keys: [TerminalKeyCode] = [
      .character(0x61), .character(0x2F), .enter, .tab, .escape, .backspace,
    ]
    for code in keys {
      for bits: UInt8 in 1...15 {
        let key = TerminalKey(code: code, modifiers: TerminalKeyModifiers(rawValue: bits))
        modes.formatOtherKeys = 0
        let tilde = String(decoding: KeyEncoder(modes: modes).encode(key), as: UTF8.self)
        modes.formatOtherKeys = 1
        let letter = String(decoding: KeyEncoder(modes: modes).encode(key), as: UTF8.self)
        guard tilde.hasPrefix("\u{1B}[27;") else {
          #expect(letter == tilde)
          continue
        }
        let numbers = tilde.dropFirst(5).dropLast().split(separator: ";")
        #expect(numbers.count == 2)
        #expect(letter == "\u{1B}[\(numbers[1]);\(numbers[0])u")
      }
    }
  }

  /// Where xterm drops a modifier that an application can use, or hides text in an escape sequence.
  private static func isOwnChoice(
    mode: String,
    code: TerminalKeyCode,
    modifiers: TerminalKeyModifiers
  ) -> Bool {
    if code == .tab, modifiers.isSuperset(of: [.alt, .shift]), !mode.hasPrefix("other2") {
      return true
    }
    // The number pad's own characters and Enter follow Alt like the others.
    if case .keypad(let pad) = code, pad.applicationFinal != nil, mode != "keypad" {
      return modifiers.contains(.alt)
    }
    if mode == "other1" {
      let isMeta = modifiers.contains(.alt) && modifiers != .alt
      return isMeta || code == .tab && modifiers == [.control, .shift]
    }
    guard mode.hasPrefix("other2"), case .character(let character) = code else { return false }
    return modifiers == .shift && character != 0x20
  }

  private static let modes: [String: KeyEncodingModes] = [
    "usual": make { _ in }, "eightBit": make { $0.altSendsEscape = false },
    "cursor": make {
      $0.applicationCursorKeys = true
      $0.altSendsEscape = false
    },
    "keypad": make {
      $0.applicationKeypad = true
      $0.altSendsEscape = false
    },
    "other1": make { $0.modifyOtherKeys = 1 }, "other2": make { $0.modifyOtherKeys = 2 },
    "backarrow": make { $0.backspaceSendsBS = true },
  ]

  private static func make(_ change: (inout KeyEncodingModes) -> Void) -> KeyEncodingModes {
    var modes = KeyEncodingModes()
    change(&modes)
    return modes
  }

  private static func code(_ name: String) -> TerminalKeyCode? {
    if name.utf8.count == 1, let scalar = name.unicodeScalars.first {
      return .character(scalar.value)
    }
    if name.hasPrefix("F"), let number = Int(name.dropFirst()) { return .function(number) }
    return named[name]
  }

  private static let named: [String: TerminalKeyCode] = [
    "minus": .character(0x2D), "equal": .character(0x3D), "bracketleft": .character(0x5B),
    "bracketright": .character(0x5D), "backslash": .character(0x5C), "semicolon": .character(0x3B),
    "apostrophe": .character(0x27), "grave": .character(0x60), "comma": .character(0x2C),
    "period": .character(0x2E), "slash": .character(0x2F), "space": .character(0x20),
    "Return": .enter, "Tab": .tab, "BackSpace": .backspace, "Escape": .escape, "Delete": .delete,
    "Insert": .insert, "Home": .home, "End": .end, "Prior": .pageUp, "Next": .pageDown, "Up": .up,
    "Down": .down, "Left": .left, "Right": .right, "Menu": .menu, "KP_Home": .keypad(.home),
    "KP_Enter": .keypad(.enter), "KP_Add": .keypad(.add), "KP_Begin": .keypad(.begin),
    "KP_Up": .keypad(.up), "KP_Insert": .keypad(.insert), "KP_Delete": .keypad(.delete),
  ]

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
