extension TerminalState {
  /// Performs a device control string: DECRQSS, DECRSPS and XTGETTCAP; others do nothing.
  mutating func performDCS(_ bytes: [UInt8]) {
    if bytes.starts(with: Array("$q".utf8)) {
      reportSetting(String(decoding: bytes.dropFirst(2).prefix(16), as: UTF8.self))
    } else if bytes.starts(with: Array("+q".utf8)) {
      reportCapabilities(bytes.dropFirst(2))
    } else if bytes.starts(with: Array("1$t".utf8)) {
      restoreCursorInformation(bytes.dropFirst(3))
    } else if bytes.starts(with: Array("2$t".utf8)) {
      let stops = bytes.dropFirst(3).split(separator: 0x2F).compactMap { Self.number($0) }
      tabStops.replace(with: stops.map { $0 - 1 })
    }
  }

  // MARK: DECRQSS

  private mutating func reportSetting(_ name: String) {
    guard let value = setting(name) else {
      reply(dcs: "0$r")
      return
    }
    reply(dcs: "1$r\(value)\(name)")
  }

  private mutating func setting(_ name: String) -> String? {
    switch name {
    case "m": Self.renditionText(pen)
    case "r": "\(topMargin + 1);\(bottomMargin + 1)"
    case "s": "\(leftMargin + 1);\(rightMargin + 1)"
    case "t": "\(max(size.rows, 24))"
    case "|", "$|": "\(size.columns)"
    case "$~": "0"
    case "$}": "0"
    case "*x": attributeExtentIsRectangle ? "2" : "1"
    case "*|": "\(size.rows)"
    case " q": "\(cursorShapeNumber)"
    case "\"q": isProtecting && !isIsoProtection ? "1" : "0"
    case "\"p": "\(conformanceLevel);\(sendsEightBit ? 0 : 1)"
    default: nil
    }
  }

  private var cursorShapeNumber: Int {
    let base =
      switch cursorShape {
      case .block: 1
      case .underline: 3
      case .bar: 5
      }
    return cursorBlinks ? base : base + 1
  }

  // MARK: DECRSPS

  /// DECCIR as `cursorInformation` reports it.
  private mutating func restoreCursorInformation(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0x3B, maxSplits: 9, omittingEmptySubsequences: false)
    guard parts.count == 10, let row = Self.number(parts[0]), let column = Self.number(parts[1]),
      let attributes = parts[3].first, let protection = parts[4].first, let flags = parts[5].first
    else { return }
    pen.attributes.subtract([.bold, .blink, .inverse])
    if attributes & 1 != 0 { pen.attributes.insert(.bold) }
    pen.underline = attributes & 2 != 0 ? .single : .none
    if attributes & 4 != 0 { pen.attributes.insert(.blink) }
    if attributes & 8 != 0 { pen.attributes.insert(.inverse) }
    isProtecting = protection & 1 != 0
    settings.origin = flags & 1 != 0
    if let left = Self.number(parts[6]), left < 4 { charsets.left = left }
    var slot = 0
    for byte in parts[9] where byte >= 0x30 && byte != 0x25 && slot < 4 {
      charsets.sets[slot] = CharacterSet(designator: byte)
      slot += 1
    }
    refreshPlainText()
    moveTo(row: max(row, 1) - 1, column: max(column, 1) - 1)
    pendingWrap = flags & 8 != 0 && cursorColumn == size.columns - 1
  }

  // MARK: XTGETTCAP

  /// Names in hexadecimal, separated by semicolons; each is answered on its own, in order.
  private mutating func reportCapabilities(_ bytes: ArraySlice<UInt8>) {
    for name in bytes.split(separator: 0x3B).prefix(64) {
      guard name.count <= 64, let text = Self.hexDecoded(name),
        let value = TerminalCapability.value(text)
      else {
        reply(dcs: "0+r\(Self.cleanText(name.prefix(64), limit: 64))")
        continue
      }
      let hex = Self.cleanText(name, limit: 64)
      reply(dcs: value.isEmpty ? "1+r\(hex)" : "1+r\(hex)=\(Self.hexEncoded(value))")
    }
  }

  private static func hexDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count % 2 == 0, !bytes.isEmpty else { return nil }
    var decoded: [UInt8] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      guard let high = hexDigit(bytes[place]), let low = hexDigit(bytes[place + 1]) else {
        return nil
      }
      decoded.append(high << 4 | low)
      place += 2
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func hexEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}

/// What XTGETTCAP tells of xterm-256color, by terminfo or termcap name.
enum TerminalCapability {
  static func value(_ name: String) -> String? {
    switch name {
    case "TN", "name": "xterm-256color"
    case "Co", "colors": "256"
    case "RGB": "8/8/8"
    case "Tc", "Su", "XT", "AX", "fullkbd": ""
    case "Ms": "\u{1B}]52;%p1%s;%p2%s\u{1B}\\"
    case "Smulx": "\u{1B}[4:%p1%dm"
    case "Setulc":
      "\u{1B}[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m"
    case "Ss": "\u{1B}[%p1%d q"
    case "Se": "\u{1B}[0 q"
    case "Sync": "\u{1B}[?2026%?%p1%{1}%-%tl%eh%;"
    case "Cs": "\u{1B}]12;%p1%s\u{07}"
    case "Cr": "\u{1B}]112\u{07}"
    case "BE": "\u{1B}[?2004h"
    case "BD": "\u{1B}[?2004l"
    case "PS": "\u{1B}[200~"
    case "PE": "\u{1B}[201~"
    case "fe": "\u{1B}[?1004h"
    case "fd": "\u{1B}[?1004l"
    case "ku", "kcuu1": "\u{1B}OA"
    case "kd", "kcud1": "\u{1B}OB"
    case "kr", "kcuf1": "\u{1B}OC"
    case "kl", "kcub1": "\u{1B}OD"
    case "kh", "khome": "\u{1B}OH"
    case "@7", "kend": "\u{1B}OF"
    case "kb", "kbs": "\u{7F}"
    case "kI", "kich1": "\u{1B}[2~"
    case "kD", "kdch1": "\u{1B}[3~"
    case "kP", "kpp": "\u{1B}[5~"
    case "kN", "knp": "\u{1B}[6~"
    case "kB", "kcbt": "\u{1B}[Z"
    case "k1", "kf1": "\u{1B}OP"
    case "k2", "kf2": "\u{1B}OQ"
    case "k3", "kf3": "\u{1B}OR"
    case "k4", "kf4": "\u{1B}OS"
    case "k5", "kf5": "\u{1B}[15~"
    case "k6", "kf6": "\u{1B}[17~"
    case "k7", "kf7": "\u{1B}[18~"
    case "k8", "kf8": "\u{1B}[19~"
    case "k9", "kf9": "\u{1B}[20~"
    case "k;", "kf10": "\u{1B}[21~"
    case "F1", "kf11": "\u{1B}[23~"
    case "F2", "kf12": "\u{1B}[24~"
    default: nil
    }
  }
}
