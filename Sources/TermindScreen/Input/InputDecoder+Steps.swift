extension InputDecoder {
  /// Longer than any control sequence that a terminal sends.
  private static let controlLimit = 256
  /// Longer than any string reply but that of the clipboard.
  private static let stringLimit = 4_096
  private static let clipboardLimit = 1 << 21

  mutating func step(_ byte: UInt8) {
    switch state {
    case .ground: ground(byte)
    case .escape: escape(byte)
    case .control: control(byte)
    case .console: console(byte)
    case .singleShift: singleShift(byte)
    case .oldMouse: oldMouse(byte)
    case .string: string(byte)
    case .stringEscape: stringEscape(byte)
    case .character: character(byte)
    case .paste: paste(byte)
    case .late: late(byte)
    }
  }

  /// Ends a sequence that a byte cannot continue, and takes the byte for what it is.
  private mutating func abandon(_ byte: UInt8) {
    if lateBytes != nil {
      typeLateBytes()
    } else {
      typeIntroducer()
      reset(to: .ground)
    }
    step(byte)
  }

  /// A lone introducer behind an ESC was an Alt key after all.
  private mutating func typeIntroducer() {
    guard state != .character, sequence.count == 1, let introducer = sequence.first,
      !usesKeyboardProtocol
    else { return }
    if hasAlt { emit(KeyEvent(code: .escape)) }
    emit(LegacyKeys.character(UInt32(introducer), alt: true))
  }

  private mutating func ground(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x20..<0x7F: typed(UInt32(byte))
    case 0..<0x20, 0x7F: typed(control: byte)
    case 0xC2..<0xF5:
      sequence.append(byte)
      state = .character
    default: hasAlt = false
    }
  }

  private mutating func typed(_ scalar: UInt32) {
    emit(LegacyKeys.character(scalar, alt: hasAlt))
    hasAlt = false
  }

  private mutating func typed(control byte: UInt8) {
    let isBackspace = byte == 0x08 && controlHIsBackspace
    emit(LegacyKeys.control(isBackspace ? 0x7F : byte, alt: hasAlt))
    hasAlt = false
  }

  private mutating func character(_ byte: UInt8) {
    guard byte & 0xC0 == 0x80, let first = sequence.first else { return abandon(byte) }
    sequence.append(byte)
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard sequence.count == length else { return }
    var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for next in sequence.dropFirst() { value = value << 6 | UInt32(next & 0x3F) }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
    let alt = hasAlt
    reset(to: .ground)
    // Overlong forms, surrogates and C1 controls are not typed by any key.
    guard value >= least, value >= 0xA0, Unicode.Scalar(value) != nil else { return }
    hasAlt = alt
    typed(value)
  }

  private mutating func escape(_ byte: UInt8) {
    if byte == 0x1B {
      if hasAlt { emit(KeyEvent(code: .escape)) }
      hasAlt = true
    } else if introduce(byte) {
      return
    } else {
      if hasAlt { emit(KeyEvent(code: .escape)) }
      hasAlt = true
      state = .ground
      ground(byte)
    }
  }

  /// Starts a sequence if the byte is one of its introducers.
  private mutating func introduce(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x5B: state = .control
    case 0x4F: state = .singleShift
    case 0x5D, 0x50, 0x5F, 0x5E, 0x58: state = .string
    default: return false
    }
    sequence = [byte]
    return true
  }

  private mutating func control(_ byte: UInt8) {
    lateBytes?.append(byte)
    switch byte {
    case 0x20..<0x40:
      if byte == 0x24, isPlainNumber {
        // rxvt ends a key with Shift in a dollar sign.
        sequence.append(byte)
        return finishControl()
      }
      append(byte, limit: Self.controlLimit)
    case 0x5B where sequence.count == 1:
      state = .console
    case 0x4D where sequence.count == 1:
      state = .oldMouse
    case 0x40..<0x7F:
      append(byte, limit: Self.controlLimit)
      finishControl()
    default:
      lateBytes?.removeLast()
      abandon(byte)
    }
  }

  private var isPlainNumber: Bool {
    sequence.count > 1 && sequence.dropFirst().allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  private mutating func append(_ byte: UInt8, limit: Int) {
    if sequence.count < limit { sequence.append(byte) } else { isOverlong = true }
  }

  private mutating func finishControl() {
    let isKnown = !isOverlong && dispatchControl()
    finish(isKnown: isKnown)
  }

  /// Ends a sequence; one that came late and means nothing was typing after all.
  private mutating func finish(isKnown: Bool) {
    if !isKnown, lateBytes != nil, !isOverlong {
      typeLateBytes()
    } else if state != .paste {
      reset(to: .ground)
    }
  }

  private mutating func console(_ byte: UInt8) {
    lateBytes?.append(byte)
    guard byte >= 0x41, byte <= 0x45 else {
      lateBytes?.removeLast()
      return abandon(byte)
    }
    key(.function(Int(byte) - 0x40), [])
    finish(isKnown: true)
  }

  private mutating func singleShift(_ byte: UInt8) {
    lateBytes?.append(byte)
    switch byte {
    case 0x30...0x3B where sequence.count < 8: sequence.append(byte)
    case 0x40..<0x7F:
      sequence.append(byte)
      finish(isKnown: dispatchSingleShift())
    default:
      lateBytes?.removeLast()
      abandon(byte)
    }
  }

  private mutating func oldMouse(_ byte: UInt8) {
    sequence.append(byte)
    guard sequence.count == 4 else { return }
    let report = Array(sequence.dropFirst())
    if let event = MouseReport.old(report) { events.append(.mouse(event)) }
    reset(to: .ground)
  }

  private mutating func string(_ byte: UInt8) {
    switch byte {
    case 0x07:
      finishString()
    case 0x1B:
      state = .stringEscape
    case 0..<0x20 where byte != 0x09:
      // No reply has line ends or other controls in it: the terminator was lost.
      abandon(byte)
    default:
      lateBytes?.append(byte)
      append(
        byte,
        limit: sequence.starts(with: [0x5D, 0x35, 0x32, 0x3B])
          ? Self.clipboardLimit : Self.stringLimit
      )
    }
  }

  private mutating func stringEscape(_ byte: UInt8) {
    if byte == 0x5C, sequence.count > 1 || usesKeyboardProtocol { return finishString() }
    if lateBytes == nil { typeIntroducer() }
    reset(to: .escape)
    step(byte)
  }

  private mutating func finishString() {
    if !isOverlong, let reply = StringReply.parse(sequence) { events.append(.reply(reply)) }
    reset(to: .ground)
  }

  /// Sees whether a byte goes on with a sequence that was given up.
  private mutating func late(_ byte: UInt8) {
    let prefix = sequence
    reset(to: .ground)
    if prefix.isEmpty {
      guard introduce(byte) else { return step(byte) }
      lateBytes = [byte]
    } else {
      guard let introducer = prefix.first, introduce(introducer), byte >= 0x20, byte < 0x7F else {
        reset(to: .ground)
        return step(byte)
      }
      lateBytes = []
      step(byte)
    }
  }

  /// Types what was held back.
  mutating func typeLateBytes() {
    let bytes = lateBytes ?? []
    reset(to: .ground)
    for byte in bytes { ground(byte) }
  }
}
