import TermindTerminal
import Testing

@testable import TermindScreen

/// Keys that our emulator's encoder sends, read by our decoder: the two were written apart.
@Suite("Keys from the encoder to the decoder") struct KeyRoundTripTests {
  private static let keys: [KeyEvent] =
    (InputSamples.typing + InputSamples.legacy + InputSamples.kitty)
    .flatMap(\.1).compactMap { event in
      // xterm's form names a symbol by what Shift made of it; the newer form has no word for that.
      guard case .key(let key) = event, key.shifted.map(KeyCode.character) != key.code else {
        return nil
      }
      return key
    }

  @Test("the keyboard protocol with all its flags carries every key whole", arguments: keys.indices)
  func allFlags(place: Int) {
    let key = Self.keys[place]
    var modes = KeyEncodingModes()
    modes.kittyFlags = [.disambiguate, .eventTypes, .alternateKeys, .allKeys, .associatedText]
    let bytes = KeyEncoder(modes: modes).encode(Self.terminalKey(key))
    var decoder = InputDecoder()
    decoder.usesKeyboardProtocol = true
    let text = String(decoding: bytes, as: UTF8.self).debugDescription
    #expect(decoder.feed(bytes) == [.key(key)], "\(text)")
    #expect(decoder.state == .ground)
  }

  @Test(
    "without flags what is typed arrives as typed, and every key ends",
    arguments: keys.indices
  )
  func legacy(place: Int) {
    let key = Self.keys[place]
    let bytes = KeyEncoder().encode(Self.terminalKey(key))
    var decoder = InputDecoder()
    let events = decoder.feed(bytes) + decoder.timeout()
    #expect(decoder.feed([0x78]) == [InputSamples.character("x")])
    guard let typed = key.text else { return }
    let texts = events.map { event in
      if case .key(let found) = event { found.text ?? "" } else { "" }
    }
    #expect(texts.joined() == typed)
  }

  private static func terminalKey(_ key: KeyEvent) -> TerminalKey {
    TerminalKey(
      code: code(key.code),
      shifted: key.shifted,
      base: key.base,
      modifiers: TerminalKeyModifiers(rawValue: key.modifiers.rawValue),
      kind: key.kind == .press ? .press : key.kind == .repeat ? .repeat : .release,
      text: key.text
    )
  }

  private static func code(_ code: KeyCode) -> TerminalKeyCode {
    switch code {
    case .character(let scalar): .character(scalar)
    case .enter: .enter
    case .tab: .tab
    case .backspace: .backspace
    case .escape: .escape
    case .insert: .insert
    case .delete: .delete
    case .home: .home
    case .end: .end
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .function(let number): .function(number)
    case .keypad(let key): .keypad(same(key, in: TerminalKeypadKey.allCases))
    case .capsLock: .capsLock
    case .scrollLock: .scrollLock
    case .numLock: .numLock
    case .printScreen: .printScreen
    case .pause: .pause
    case .menu: .menu
    case .media(let key): .media(same(key, in: TerminalMediaKey.allCases))
    case .modifier(let key): .modifier(same(key, in: TerminalModifierKey.allCases))
    }
  }

  private static func same<Ours: CaseIterable & Equatable, Theirs>(
    _ key: Ours,
    in theirs: [Theirs]
  ) -> Theirs where Ours.AllCases == [Ours] {
    theirs[Ours.allCases.firstIndex(of: key) ?? 0]
  }
}
