extension TerminalState {
  /// Performs a device control string: DECRQSS, DECRSPS and XTGETTCAP; others do nothing.
  mutating func performDCS(_ bytes: [UInt8]) {
    if bytes.starts(with: Array("$q".utf8)) {
      reportSetting(String(decoding: bytes.dropFirst(2).prefix(16), as: UTF8.self))
    } else if bytes.starts(with: Array("+q".utf8)) {
      reply(TerminfoCapability.answer(to: Array(bytes.dropFirst(2))))
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
    case "*x": "\(attributeExtent)"
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
}
