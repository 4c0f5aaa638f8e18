/// The modifiers that a binding can ask for.
public struct ChordModifiers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Control.
  public static let control = ChordModifiers(rawValue: 1)
  /// Alt, also called Option or Meta.
  public static let alt = ChordModifiers(rawValue: 2)
  /// Shift.
  public static let shift = ChordModifiers(rawValue: 4)
  /// Super: Command on a Mac, the logo key elsewhere.
  public static let superKey = ChordModifiers(rawValue: 8)

  /// The modifiers in the order in which they are written.
  static let written: [(modifier: ChordModifiers, name: String)] = [
    (.superKey, "super"), (.control, "ctrl"), (.alt, "alt"), (.shift, "shift"),
  ]

  /// Every word that a keymap may write for a modifier.
  static let words: [String: ChordModifiers] = [
    "ctrl": .control, "control": .control, "alt": .alt, "opt": .alt, "option": .alt,
    "meta": .alt, "shift": .shift, "super": .superKey, "cmd": .superKey, "command": .superKey,
  ]
}

/// A key without its modifiers.
public enum ChordKey: Hashable, Sendable {
  /// A key that types this scalar without Shift; letters are lower case.
  case character(UInt32)
  /// F1 and up.
  case function(Int)
  /// A key that types nothing.
  case named(NamedKey)
}

/// The keys that have a name and type nothing, and those of the keypad.
public enum NamedKey: String, Hashable, Sendable, CaseIterable {
  /// The big Enter key.
  case enter
  /// Tab.
  case tab
  /// Backspace.
  case backspace
  /// Escape.
  case escape
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow left.
  case left
  /// Arrow right.
  case right
  /// Home.
  case home
  /// End.
  case end
  /// Page up.
  case pageUp = "page_up"
  /// Page down.
  case pageDown = "page_down"
  /// Insert.
  case insert
  /// Delete.
  case delete
  /// The menu key.
  case menu
  /// Print screen.
  case printScreen = "print_screen"
  /// Pause.
  case pause
  /// Scroll lock.
  case scrollLock = "scroll_lock"
  /// The keypad's Enter.
  case keypadEnter = "keypad_enter"
}

/// A key with its modifiers, as a binding names it.
public struct KeyChord: Hashable, Sendable, CustomStringConvertible {
  /// The key.
  public let key: ChordKey
  /// The modifiers, all of them: a binding of `a` is not one of `ctrl+a`.
  public let modifiers: ChordModifiers

  /// Makes a chord; a capital letter becomes its small one with Shift.
  public init(_ key: ChordKey, _ modifiers: ChordModifiers = []) {
    if case .character(let scalar) = key, let small = Self.small(scalar) {
      self.key = .character(small)
      self.modifiers = modifiers.union(.shift)
    } else {
      self.key = key
      self.modifiers = modifiers
    }
  }

  /// Whether most terminals cannot tell it from the chord without Shift.
  var isRarelyTold: Bool {
    if case .character = key { return modifiers.isSuperset(of: [.control, .shift]) }
    return false
  }

  /// The chord as a keymap writes it and as people read it: `ctrl+space`, `H`, `ctrl+shift+up`.
  public var description: String {
    var modifiers = modifiers
    let name: String
    if case .character(let scalar) = key, modifiers == .shift, let capital = Self.capital(scalar) {
      modifiers = []
      name = capital
    } else {
      name = Self.name(of: key)
    }
    let words = ChordModifiers.written.filter { modifiers.contains($0.modifier) }.map(\.name)
    return (words + [name]).joined(separator: "+")
  }

  /// The chord where room is short: `^z`, `←`, `pgup`.
  public var short: String {
    let arrows: [NamedKey: String] = [
      .left: "←", .right: "→", .up: "↑", .down: "↓", .pageUp: "pgup", .pageDown: "pgdn",
      .escape: "esc", .delete: "del", .insert: "ins", .backspace: "bksp",
    ]
    switch key {
    case .named(let named):
      guard let name = arrows[named] else { return description }
      return description.dropLast(named.rawValue.count) + name
    case .character(let scalar):
      guard modifiers == .control, scalar > 0x20 else { return description }
      return "^" + description.dropFirst("ctrl+".count)
    case .function: return description
    }
  }

  /// Reads one chord: `ctrl+space`, `H`, `super+shift+bracket_left`, `ctrl++`.
  ///
  /// - Throws: What is wrong with it.
  public init(text: String) throws(KeySyntaxError) {
    var reader = ChordReader(text: text)
    guard case .chord(let chord) = try reader.chord() else { throw .unknownKey("leader") }
    guard reader.isAtEnd else { throw .unexpected(String(reader.rest)) }
    self = chord
  }

  /// A-Z and the capital letters of Latin-1, Greek and Cyrillic have their small letter at a fixed
  /// distance; Swift's own tables know the rest.
  static func small(_ scalar: UInt32) -> UInt32? {
    guard let value = Unicode.Scalar(scalar), value.properties.isUppercase else { return nil }
    let small = value.properties.lowercaseMapping.unicodeScalars
    guard small.count == 1, let first = small.first, first != value else { return nil }
    return first.value
  }

  private static func capital(_ scalar: UInt32) -> String? {
    guard let value = Unicode.Scalar(scalar), value.properties.isLowercase else { return nil }
    let capital = value.properties.uppercaseMapping
    guard let first = capital.unicodeScalars.first, capital.unicodeScalars.count == 1 else {
      return nil
    }
    return small(first.value) == scalar ? capital : nil
  }

  private static func name(of key: ChordKey) -> String {
    switch key {
    case .character(0x20): return "space"
    case .character(let scalar):
      guard let value = Unicode.Scalar(scalar), value.value >= 0x20, value.value != 0x7F else {
        return "u+" + String(scalar, radix: 16)
      }
      return String(Character(value))
    case .function(let number): return "f\(number)"
    case .named(let key): return key.rawValue
    }
  }
}
