extension TerminalState {
  /// Performs the string sequence that the gate has collected.
  mutating func perform(_ string: StringSequence) {
    lastGraphic = 0
    answersWithBell = string.endedByBell
    defer { answersWithBell = false }
    switch string.kind {
    case .osc: performOSC(string.bytes, isTooLong: string.isTooLong)
    case .dcs: if !string.isTooLong { performDCS(string.bytes) }
    case .ignored: break
    }
  }

  /// Text of a remote's choice, without control characters, at most `limit` scalars.
  static func cleanText(_ bytes: some Sequence<UInt8>, limit: Int) -> String {
    var text = String.UnicodeScalarView()
    var count = 0
    for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
      if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { continue }
      if count == limit { break }
      text.append(scalar)
      count += 1
    }
    return String(text)
  }

  // MARK: OSC

  private mutating func performOSC(_ bytes: [UInt8], isTooLong: Bool) {
    let end = bytes.firstIndex(of: 0x3B) ?? bytes.count
    guard let number = Self.number(bytes[..<end]) else {
      performLetterOSC(bytes)
      return
    }
    let rest = end < bytes.count ? bytes[(end + 1)...] : []
    if isTooLong {
      if number == 52 { events.append(.clipboardTooLarge) }
      return
    }
    switch number {
    case 0:
      setIconTitle(titleText(rest))
      setTitle(titleText(rest))
    case 1: setIconTitle(titleText(rest))
    case 2: setTitle(titleText(rest))
    case 4: performPaletteColors(rest, special: false)
    case 5: performPaletteColors(rest, special: true)
    case 7: setWorkingDirectory(rest)
    case 8: setHyperlink(rest)
    case 9: performOSC9(rest)
    case 10...19: performRoleColors(number, rest)
    case 22: events.append(.pointerShape(Self.cleanText(rest, limit: 64)))
    case 52: performClipboard(rest)
    case 99: performKittyNotification(rest)
    case 104: resetPaletteColors(rest, special: false)
    case 105: resetPaletteColors(rest, special: true)
    case 110...119: resetRoleColor(number)
    case 133: setPromptMark(rest)
    case 777: performNotification777(rest)
    default: break
    }
  }

  /// `l` and `L` set the titles as Sun's terminals did; nothing else without a number is known.
  private mutating func performLetterOSC(_ bytes: [UInt8]) {
    guard let letter = bytes.first else { return }
    switch letter {
    case 0x6C: setTitle(Self.cleanText(bytes.dropFirst(), limit: 1_024))
    case 0x4C: setIconTitle(Self.cleanText(bytes.dropFirst(), limit: 1_024))
    default: break
    }
  }

  /// A decimal number of at most eight digits.
  static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 8 else { return nil }
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }
}
