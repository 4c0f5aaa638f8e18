extension TerminalState {
  /// XTWINOPS: size reports and the title stack; moving, resizing and raising windows is not for programs.
  mutating func windowOperation(_ p: SequenceParameters) {
    let cell = size.cellPixels
    switch p.value(0, default: 0) {
    case 11: reply(csi: "1t")
    case 13: reply(csi: "3;0;0t")
    case 14: reply(csi: "4;\(cell.height * size.rows);\(cell.width * size.columns)t")
    case 15: reply(csi: "5;\(cell.height * size.rows);\(cell.width * size.columns)t")
    case 16: reply(csi: "6;\(cell.height);\(cell.width)t")
    case 18: reply(csi: "8;\(size.rows);\(size.columns)t")
    case 19: reply(csi: "9;\(size.rows);\(size.columns)t")
    case 20: reply(osc: "L\(reported(iconTitle))")
    case 21: reply(osc: "l\(reported(title))")
    case 22: pushTitle(p.value(1, default: 0))
    case 23: popTitle(p.value(1, default: 0))
    default: break
    }
  }

  /// Mode 2048.
  mutating func reportInBandSize() {
    let cell = size.cellPixels
    reply(
      csi:
        "48;\(size.rows);\(size.columns);\(cell.height * size.rows);\(cell.width * size.columns)t"
    )
  }

  // MARK: Titles

  /// Most entries of the title stack; the oldest is dropped beyond it.
  private static let deepestTitleStack = 10

  private mutating func pushTitle(_ kind: Int) {
    guard kind <= 2 else { return }
    if titleStack.count == Self.deepestTitleStack { titleStack.removeFirst() }
    // What is not pushed is what was pushed before.
    let below = titleStack.last
    titleStack.append(
      (kind == 1 ? below?.title ?? title : title, kind == 2 ? below?.icon ?? iconTitle : iconTitle)
    )
  }

  private mutating func popTitle(_ kind: Int) {
    guard kind <= 2, let saved = titleStack.popLast() else { return }
    if kind != 1 { setTitle(saved.title) }
    if kind != 2 { setIconTitle(saved.icon) }
  }

  mutating func setTitle(_ text: String) {
    guard text != title else { return }
    title = text
    events.append(.title(text))
  }

  mutating func setIconTitle(_ text: String) {
    guard text != iconTitle else { return }
    iconTitle = text
    events.append(.iconTitle(text))
  }

  // MARK: XTSMTITLE and XTRMTITLE

  /// Chooses whether titles are set and told in hexadecimal digits.
  mutating func changeTitleModes(_ p: SequenceParameters, to value: Bool) {
    for index in 0..<p.count {
      switch p[index] {
      case 0: titleModes.setsHex = value
      case 1: titleModes.reportsHex = value
      default: break
      }
    }
    if p.isEmpty, !value { titleModes = TitleModes() }
  }

  /// The title that a program sets, decoded; digits that are none leave nothing.
  func titleText(_ bytes: ArraySlice<UInt8>) -> String {
    guard titleModes.setsHex else { return Self.cleanText(bytes, limit: 1_024) }
    var decoded: [UInt8] = []
    var rest = bytes.prefix(8_192)
    while rest.count >= 2 {
      let pair = String(decoding: rest.prefix(2), as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return "" }
      decoded.append(byte)
      rest = rest.dropFirst(2)
    }
    return Self.cleanText(decoded, limit: 1_024)
  }

  /// A title as a report carries it: empty unless the owner allows reports.
  private func reported(_ title: String) -> String {
    guard configuration.reportsTitle else { return "" }
    guard titleModes.reportsHex else { return title }
    return title.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}

/// How titles are written in sequences (XTSMTITLE).
struct TitleModes {
  var setsHex = false
  var reportsHex = false
}
