extension TerminalState {
  /// Appends a control sequence to the replies.
  mutating func reply(csi text: String) { reply(Array("\u{1B}[\(text)".utf8)) }

  /// Appends a device control string to the replies.
  mutating func reply(dcs text: String) { reply(Array("\u{1B}P\(text)\u{1B}\\".utf8)) }

  /// Appends an operating system command to the replies.
  mutating func reply(osc text: String) {
    reply(Array("\u{1B}]\(text)\(answersWithBell ? "\u{07}" : "\u{1B}\\")".utf8))
  }

  /// Appends whole sequences to the replies, with 8-bit controls where the program asked for them (S8C1T).
  ///
  /// The controls are single bytes then, which UTF-8 does not have, as xterm sends them.
  mutating func reply(_ bytes: [UInt8]) {
    guard sendsEightBit else { return replies.append(bytes) }
    var short: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == 0x1B, place + 1 < bytes.count, (0x40...0x5F).contains(bytes[place + 1]) {
        short.append(bytes[place + 1] + 0x40)
        place += 2
      } else {
        short.append(bytes[place])
        place += 1
      }
    }
    replies.append(short)
  }

  // MARK: Who are you

  /// DA1: a VT420 with the extensions that xterm names, and the clipboard.
  mutating func reportDeviceAttributes() {
    reply(csi: "?64;1;2;6;9;15;16;17;18;21;22;28;29;52c")
  }

  mutating func reportSecondaryAttributes() { reply(csi: ">41;390;0c") }

  mutating func reportTertiaryAttributes() { reply(dcs: "!|00000000") }

  mutating func reportVersion() { reply(dcs: ">|\(configuration.versionName)") }

  /// DECREQTPARM.
  mutating func reportTerminalParameters(_ kind: Int) {
    guard kind <= 1 else { return }
    reply(csi: "\(kind + 2);1;1;128;128;1;0x")
  }

  // MARK: Status

  /// The cursor's place, counted from the margins in origin mode.
  private var reportedPosition: (row: Int, column: Int) {
    let row = settings.origin ? cursorRow - topMargin : cursorRow
    let column = settings.origin ? cursorColumn - leftMargin : cursorColumn
    return (row + 1, column + 1)
  }

  mutating func reportStatus(_ kind: Int) {
    switch kind {
    case 5: reply(csi: "0n")
    case 6: reply(csi: "\(reportedPosition.row);\(reportedPosition.column)R")
    default: break
    }
  }

  /// DSR of the DEC kind; a request for a checksum carries a label, which comes back.
  mutating func reportPrivateStatus(_ kind: Int, label: Int) {
    switch kind {
    case 6: reply(csi: "?\(reportedPosition.row);\(reportedPosition.column);1R")
    case 15: reply(csi: "?13n")
    case 25: reply(csi: "?20n")
    case 26: reply(csi: "?27;1;0;0n")
    case 53, 55: reply(csi: "?53n")
    case 56: reply(csi: "?57;0n")
    case 62: reply(csi: "0000*{")
    case 63: reply(dcs: "\(label)!~0000")
    case 75: reply(csi: "?70n")
    case 85: reply(csi: "?83n")
    case 996: reportColorScheme()
    default: break
    }
  }

  /// Mode 2031 and CSI ? 996 n: 1 for dark, 2 for light.
  mutating func reportColorScheme() { reply(csi: "?997;\(configuration.isDarkScheme ? 1 : 2)n") }

  /// Tells the terminal that the owner's colour scheme changed; programs that asked for it hear of it.
  mutating func setDarkScheme(_ isDark: Bool) {
    guard configuration.isDarkScheme != isDark else { return }
    configuration.isDarkScheme = isDark
    if modes.colorSchemeReports { reportColorScheme() }
  }

  // MARK: Modes

  /// DECRQM: 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
  mutating func reportMode(_ mode: Int, isPrivate: Bool) {
    let value: Bool?
    if isPrivate {
      value = privateMode(mode)
    } else {
      value = ansiModeForReport(mode)
    }
    let state: Int
    switch (value, isPrivate) {
    case (.some(let value), _): state = value ? 1 : 2
    // DECARM: keys repeat as the person's own terminal has it.
    case (nil, true) where mode == 8: state = 3
    case (nil, true): state = Self.permanentlyResetPrivate.contains(mode) ? 4 : 0
    case (nil, false): state = Self.permanentlyReset.contains(mode) ? 4 : 0
    }
    reply(csi: "\(isPrivate ? "?" : "")\(mode);\(state)$y")
  }

  // GATM, SRTM, VEM, HEM, PUM, FEAM, FETM, MATM, TTM, SATM, TSM, EBM, as xterm reports them.
  private static let permanentlyReset: Set<Int> = [1, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19]

  // DECHCCM, DECVCCM, DECPCCM, DECKBUM, DECXRLM and DECKPM: there are no pages, and the keyboard is the person's.
  private static let permanentlyResetPrivate: Set<Int> = [60, 61, 64, 68, 73, 81]

  private mutating func ansiModeForReport(_ mode: Int) -> Bool? {
    switch mode {
    case 2: settings.keyboardLocked
    case 4: settings.insert
    case 12: settings.localEchoOff
    case 20: modes.newLine
    default: nil
    }
  }

  // MARK: DECRQPSR

  /// DECCIR and DECTABSR.
  mutating func reportPresentation(_ kind: Int) {
    switch kind {
    case 1: reply(dcs: "1$u\(cursorInformation)")
    case 2:
      let stops = tabStops.columns.map { "\($0 + 1)" }.joined(separator: "/")
      reply(dcs: "2$u\(stops)")
    default: break
    }
  }

  private var cursorInformation: String {
    func letter(_ bits: UInt8) -> Character { Character(Unicode.Scalar(0x40 | bits)) }
    var attributes: UInt8 = 0
    if pen.attributes.contains(.bold) { attributes |= 1 }
    if pen.underline != .none { attributes |= 2 }
    if pen.attributes.contains(.blink) { attributes |= 4 }
    if pen.attributes.contains(.inverse) { attributes |= 8 }
    var flags: UInt8 = settings.origin ? 1 : 0
    if charsets.singleShift == 2 { flags |= 2 }
    if charsets.singleShift == 3 { flags |= 4 }
    if pendingWrap { flags |= 8 }
    let sets = (0..<4).map { charsets.sets[$0].designatorText }.joined()
    let place = reportedPosition
    return
      "\(place.row);\(place.column);1;\(letter(attributes));\(letter(isProtecting ? 1 : 0));"
      + "\(letter(flags));\(charsets.left);2;\(letter(0));\(sets)"
  }
}

extension CharacterSet {
  /// The final byte that designates the set.
  var designatorText: String {
    switch self {
    case .ascii: "B"
    case .british: "A"
    case .decSpecialGraphics: "0"
    case .decSupplemental: "<"
    }
  }
}
