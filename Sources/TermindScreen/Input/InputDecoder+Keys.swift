extension InputDecoder {
  /// Takes a whole `CSI` sequence; false when it means nothing here.
  mutating func dispatchControl() -> Bool {
    guard let parameters = SequenceParameters(sequence.dropFirst()) else { return false }
    if parameters.prefix == 0, parameters.intermediates.isEmpty {
      return dispatchPlain(parameters) || terminfoKey()
    }
    if parameters.prefix == 0x3C, parameters.intermediates.isEmpty {
      guard let event = MouseReport.sgr(parameters) else { return false }
      events.append(.mouse(event))
      return true
    }
    guard let event = ControlReply.parse(parameters) else { return terminfoKey() }
    events.append(event)
    return true
  }

  private mutating func dispatchPlain(_ parameters: SequenceParameters) -> Bool {
    switch parameters.final {
    case 0x49 where parameters.groups.isEmpty: events.append(.focus(true))
    case 0x4F where parameters.groups.isEmpty: events.append(.focus(false))
    case 0x4D:
      guard let event = MouseReport.urxvt(parameters) else { return false }
      events.append(.mouse(event))
    case 0x75: return kittyKey(parameters)
    case 0x7E: return tildeKey(parameters)
    case 0x24, 0x5E, 0x40: return rxvtKey(parameters)
    case 0x52 where parameters.groups.count == 2 && parameters.number(0) != 1:
      events.append(
        .reply(.cursorPosition(row: parameters.number(0) - 1, column: parameters.number(1) - 1))
      )
    case 0x74:
      guard let event = ControlReply.parse(parameters) else { return false }
      events.append(event)
    default: return letterKey(parameters)
    }
    return true
  }

  private mutating func letterKey(_ parameters: SequenceParameters) -> Bool {
    switch parameters.final {
    case 0x5A: key(.tab, [.shift], parameters)
    case 0x61...0x64 where parameters.groups.isEmpty:
      // rxvt: an arrow with Shift.
      guard let code = Self.letterCodes[parameters.final - 0x20] else { return false }
      key(code, .shift)
    default:
      guard let code = Self.letterCodes[parameters.final], parameters.groups.count <= 3 else {
        return false
      }
      key(code, [], parameters)
    }
    return true
  }

  private static let letterCodes: [UInt8: KeyCode] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x45: .keypad(.begin), 0x46: .end,
    0x48: .home, 0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let tildeCodes: [Int: KeyCode] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14),
    28: .function(15), 29: .menu, 31: .function(17), 32: .function(18), 33: .function(19),
    34: .function(20),
  ]

  private mutating func tildeKey(_ parameters: SequenceParameters) -> Bool {
    let number = parameters.number(0, default: 0)
    switch number {
    case 200: beginPaste()
    case 201: break
    case 27 where parameters.groups.count == 3: return otherKey(parameters)
    default:
      guard let code = Self.tildeCodes[number] ?? KittyKeys.functional[number] else {
        return false
      }
      key(code, [], parameters)
    }
    return true
  }

  /// xterm's form for modified keys: `CSI 27 ; modifiers ; character ~`.
  private mutating func otherKey(_ parameters: SequenceParameters) -> Bool {
    let scalar = UInt32(parameters.number(2, default: 0))
    guard Unicode.Scalar(scalar) != nil else { return false }
    let modifiers = Self.modifiers(parameters.number(1))
    let shifted = modifiers.contains(.shift) ? scalar : nil
    emit(KittyKeys.event(scalar: scalar, shifted: shifted, modifiers: modifiers))
    return true
  }

  /// rxvt says modifiers by the final: `$` Shift, `^` Control, `@` both.
  private mutating func rxvtKey(_ parameters: SequenceParameters) -> Bool {
    guard parameters.groups.count == 1, let code = Self.tildeCodes[parameters.number(0)] else {
      return false
    }
    let modifiers: KeyModifiers
    switch parameters.final {
    case 0x24: modifiers = .shift
    case 0x5E: modifiers = .control
    default: modifiers = [.shift, .control]
    }
    key(code, modifiers)
    return true
  }

  private mutating func kittyKey(_ parameters: SequenceParameters) -> Bool {
    let number = parameters.number(0)
    guard number == 0 || Unicode.Scalar(UInt32(number)) != nil else { return false }
    var event = KittyKeys.event(
      scalar: UInt32(number),
      shifted: parameters.optional(0, part: 1).flatMap(Self.scalar),
      base: parameters.optional(0, part: 2).flatMap(Self.scalar),
      modifiers: Self.modifiers(parameters.number(1)),
      kind: Self.kind(parameters),
      text: parameters.groups.count > 2 ? parameters.groups[2].compactMap { $0 } : []
    )
    // Text without a key is what an input method composed.
    guard number > 0 || event.text != nil else { return false }
    if hasAlt { event.modifiers.insert(.alt) }
    emit(event)
    return true
  }

  private static func scalar(_ number: Int) -> UInt32? {
    Unicode.Scalar(UInt32(truncatingIfNeeded: number)).map(\.value)
  }

  private static func kind(_ parameters: SequenceParameters) -> KeyEventKind {
    switch parameters.optional(1, part: 1) {
    case 2: .repeat
    case 3: .release
    default: .press
    }
  }

  /// Modifiers are sent as one more than their bits.
  private static func modifiers(_ number: Int) -> KeyModifiers {
    KeyModifiers(rawValue: UInt8(truncatingIfNeeded: max(number, 1) - 1))
  }

  private mutating func key(
    _ code: KeyCode,
    _ modifiers: KeyModifiers,
    _ parameters: SequenceParameters
  ) {
    var event = KeyEvent(code: code, kind: Self.kind(parameters))
    event.modifiers = modifiers.union(Self.modifiers(parameters.number(1)))
    if hasAlt { event.modifiers.insert(.alt) }
    emit(event)
  }

  /// Emits a key with the Alt of a second ESC before it.
  mutating func key(_ code: KeyCode, _ modifiers: KeyModifiers) {
    emit(KeyEvent(code: code, modifiers: hasAlt ? modifiers.union(.alt) : modifiers))
  }

  private mutating func terminfoKey() -> Bool {
    guard var event = terminfoKeys[[0x1B] + sequence] else { return false }
    if hasAlt { event.modifiers.insert(.alt) }
    emit(event)
    return true
  }

  /// Takes a whole `SS3` sequence; false when it means nothing here.
  mutating func dispatchSingleShift() -> Bool {
    guard let final = sequence.last else { return false }
    // An old xterm puts the modifiers between: `SS3 5 P`.
    let digits = sequence.dropFirst().dropLast()
    guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == 0x3B }) else { return false }
    let last = digits.split(separator: 0x3B).last ?? []
    let number = last.prefix(3).reduce(0) { $0 * 10 + Int($1) - 0x30 }
    let modifiers = Self.modifiers(number)
    if let code = Self.letterCodes[final] {
      key(code, modifiers)
    } else if let code = Self.keypadCodes[final] {
      let held = hasAlt ? modifiers.union(.alt) : modifiers
      var event = KeyEvent(code: code, modifiers: held)
      if case .keypad(let pad) = code, held.isEmpty { event.text = KittyKeys.keypadText[pad] }
      emit(event)
    } else if let code = Self.letterCodes[final &- 0x20], final >= 0x61, final <= 0x64 {
      // rxvt: an arrow with Control.
      key(code, modifiers.union(.control))
    } else {
      return terminfoKey()
    }
    return true
  }

  /// The number pad in application mode.
  private static let keypadCodes: [UInt8: KeyCode] = [
    0x20: .character(0x20), 0x49: .tab, 0x4D: .keypad(.enter), 0x58: .keypad(.equal),
    0x6A: .keypad(.multiply), 0x6B: .keypad(.add), 0x6C: .keypad(.separator),
    0x6D: .keypad(.subtract), 0x6E: .keypad(.decimal), 0x6F: .keypad(.divide),
    0x70: .keypad(.zero), 0x71: .keypad(.one), 0x72: .keypad(.two), 0x73: .keypad(.three),
    0x74: .keypad(.four), 0x75: .keypad(.five), 0x76: .keypad(.six), 0x77: .keypad(.seven),
    0x78: .keypad(.eight), 0x79: .keypad(.nine),
  ]
}
