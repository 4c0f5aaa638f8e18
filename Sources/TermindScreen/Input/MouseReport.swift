/// The forms in which terminals report the mouse.
enum MouseReport {
  /// Mode 1006: `CSI < button ; column ; row M`, or `m` for a release.
  static func sgr(_ parameters: SequenceParameters) -> MouseEvent? {
    let isRelease = parameters.final == 0x6D
    guard parameters.groups.count == 3, parameters.final == 0x4D || isRelease else { return nil }
    return event(
      parameters.number(0, default: 0),
      column: parameters.number(1),
      row: parameters.number(2),
      isRelease: isRelease
    )
  }

  /// Mode 1015: `CSI button ; column ; row M`, with 32 added to the button.
  static func urxvt(_ parameters: SequenceParameters) -> MouseEvent? {
    guard parameters.groups.count == 3 else { return nil }
    return event(
      parameters.number(0, default: 0) - 32,
      column: parameters.number(1),
      row: parameters.number(2),
      isRelease: false
    )
  }

  /// The oldest form: three bytes, each with 32 added.
  static func old(_ bytes: [UInt8]) -> MouseEvent? {
    guard bytes.count == 3 else { return nil }
    return event(
      Int(bytes[0]) - 32,
      column: Int(bytes[1]) - 32,
      row: Int(bytes[2]) - 32,
      isRelease: false
    )
  }

  private static func event(
    _ code: Int,
    column: Int,
    row: Int,
    isRelease: Bool
  ) -> MouseEvent? {
    guard code >= 0, code < 256, column >= 1, row >= 1 else { return nil }
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    var event = MouseEvent(kind: .press, row: row - 1, column: column - 1, modifiers: modifiers)
    let low = code & 3
    switch code & 0xC0 {
    case 0x40:
      if isRelease { return nil }
      event.kind = .wheel([.up, .down, .left, .right][low])
      return event
    case 0x80: event.button = .other(8 + low)
    case 0: event.button = [.left, .middle, .right, nil][low]
    default: return nil
    }
    if code & 32 != 0 {
      event.kind = .motion
    } else if isRelease || (event.button == nil) {
      event.kind = .release
    }
    return event
  }
}
