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
    case 20: reply(osc: "L\(configuration.reportsTitle ? iconTitle : "")")
    case 21: reply(osc: "l\(configuration.reportsTitle ? title : "")")
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
    titleStack.append((kind == 1 ? nil : title, kind == 2 ? nil : iconTitle))
  }

  private mutating func popTitle(_ kind: Int) {
    guard kind <= 2, let saved = titleStack.popLast() else { return }
    if kind != 1, let title = saved.title { setTitle(title) }
    if kind != 2, let icon = saved.icon { setIconTitle(icon) }
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
}
