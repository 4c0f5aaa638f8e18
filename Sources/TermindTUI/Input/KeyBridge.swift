import TermindScreen
import TermindTerminal

/// Turns keys of the outer terminal into keys for the program in a pane.
///
/// Neither side may import the other, so the two vocabularies meet here.
enum KeyBridge {
  static func key(_ event: KeyEvent) -> TerminalKey {
    TerminalKey(
      code: code(event.code),
      shifted: event.shifted,
      base: event.base,
      modifiers: modifiers(event.modifiers),
      kind: kind(event.kind),
      text: event.text
    )
  }

  /// Both sides use the bits of the kitty keyboard protocol.
  static func modifiers(_ modifiers: KeyModifiers) -> TerminalKeyModifiers {
    TerminalKeyModifiers(rawValue: modifiers.rawValue)
  }

  private static func kind(_ kind: KeyEventKind) -> TerminalKeyKind {
    switch kind {
    case .press: .press
    case .repeat: .repeat
    case .release: .release
    }
  }

  private static func code(_ code: KeyCode) -> TerminalKeyCode {
    switch code {
    case .character(let scalar): .character(scalar)
    case .function(let number): .function(number)
    case .keypad(let key): .keypad(keypad(key))
    case .media(let key): .media(media(key))
    case .modifier(let key): .modifier(modifier(key))
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
    case .capsLock: .capsLock
    case .scrollLock: .scrollLock
    case .numLock: .numLock
    case .printScreen: .printScreen
    case .pause: .pause
    case .menu: .menu
    }
  }

  private static func keypad(_ key: KeypadKey) -> TerminalKeypadKey {
    switch key {
    case .zero: .zero
    case .one: .one
    case .two: .two
    case .three: .three
    case .four: .four
    case .five: .five
    case .six: .six
    case .seven: .seven
    case .eight: .eight
    case .nine: .nine
    case .decimal: .decimal
    case .divide: .divide
    case .multiply: .multiply
    case .subtract: .subtract
    case .add: .add
    case .enter: .enter
    case .equal: .equal
    case .separator: .separator
    case .left: .left
    case .right: .right
    case .up: .up
    case .down: .down
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .home: .home
    case .end: .end
    case .insert: .insert
    case .delete: .delete
    case .begin: .begin
    }
  }

  private static func media(_ key: MediaKey) -> TerminalMediaKey {
    switch key {
    case .play: .play
    case .pause: .pause
    case .playPause: .playPause
    case .reverse: .reverse
    case .stop: .stop
    case .fastForward: .fastForward
    case .rewind: .rewind
    case .trackNext: .trackNext
    case .trackPrevious: .trackPrevious
    case .record: .record
    case .lowerVolume: .lowerVolume
    case .raiseVolume: .raiseVolume
    case .muteVolume: .muteVolume
    }
  }

  private static func modifier(_ key: ModifierKey) -> TerminalModifierKey {
    switch key {
    case .leftShift: .leftShift
    case .leftControl: .leftControl
    case .leftAlt: .leftAlt
    case .leftSuper: .leftSuper
    case .leftHyper: .leftHyper
    case .leftMeta: .leftMeta
    case .rightShift: .rightShift
    case .rightControl: .rightControl
    case .rightAlt: .rightAlt
    case .rightSuper: .rightSuper
    case .rightHyper: .rightHyper
    case .rightMeta: .rightMeta
    case .isoLevel3Shift: .isoLevel3Shift
    case .isoLevel5Shift: .isoLevel5Shift
    }
  }
}
