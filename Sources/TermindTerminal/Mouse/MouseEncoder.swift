/// Turns mouse events into the reports that a program asked for.
///
/// Remembers what it reported last, so that motion within one cell is told once, and which button is
/// down, for a release that does not say. One encoder belongs to one terminal.
public struct MouseEncoder: Hashable, Sendable {
  /// How many arrow keys one wheel step sends under mode 1007.
  public var linesPerWheelStep = 3

  private struct Place: Hashable {
    var row: Int
    var column: Int
  }

  private var lastPlace: Place?
  private var lastModes: MouseModes?
  private var pressed: TerminalMouse.Button?

  /// Makes an encoder that has reported nothing.
  public init() {}

  /// Forgets the last report and the held button, as after a reset of the program's modes.
  public mutating func reset() {
    lastPlace = nil
    lastModes = nil
    pressed = nil
  }

  /// Returns the bytes for the program.
  ///
  /// - Parameters:
  ///   - mouse: What the mouse did.
  ///   - modes: The modes in force.
  /// - Returns: The report; empty when the program hears of such events but this one tells nothing new;
  ///   nothing when the program did not ask, so that the event is the window's own.
  public mutating func encode(_ mouse: TerminalMouse, modes: MouseModes) -> [UInt8]? {
    if lastModes?.tracking != modes.tracking || lastModes?.encoding != modes.encoding { reset() }
    lastModes = modes
    guard modes.tracking != .off else { return alternateScroll(mouse, modes) }
    let released = pressed
    switch mouse.kind {
    case .press: pressed = mouse.button
    case .release: pressed = nil
    case .motion, .wheel: break
    }
    guard isTracked(mouse, modes.tracking), let code = code(mouse, modes, released) else {
      return nil
    }
    let place = reportedPlace(mouse, modes)
    if case .motion = mouse.kind, place == lastPlace { return [] }
    lastPlace = place
    return report(code: code, place: place, isRelease: mouse.kind == .release, modes.encoding)
  }

  private func isTracked(_ mouse: TerminalMouse, _ tracking: MouseModes.Tracking) -> Bool {
    switch mouse.kind {
    case .press: true
    case .release, .wheel: tracking != .press
    case .motion:
      tracking == .motion || tracking == .drag && (mouse.button != nil || pressed != nil)
    }
  }

  /// The button number with motion and modifier bits; nothing for a button that has no number.
  private func code(
    _ mouse: TerminalMouse,
    _ modes: MouseModes,
    _ released: TerminalMouse.Button?
  ) -> Int? {
    let isNumbered = modes.encoding == .sgr || modes.encoding == .sgrPixels
    var code: Int?
    switch mouse.kind {
    case .wheel(let direction): code = direction.code
    case .press: code = mouse.button?.code
    case .release: code = isNumbered ? (mouse.button ?? released ?? .left).code : 3
    case .motion:
      let held = mouse.button ?? pressed
      code = (held.map(\.code) ?? 3).map { $0 + 32 }
    }
    guard let code else { return nil }
    // X10 knows neither modifiers nor buttons above the third.
    if modes.tracking == .press { return code < 3 ? code : nil }
    return code + mouse.modifiers.mouseBits
  }

  private func reportedPlace(_ mouse: TerminalMouse, _ modes: MouseModes) -> Place {
    if modes.encoding == .sgrPixels, let row = mouse.pixelRow, let column = mouse.pixelColumn {
      return Place(row: max(0, row), column: max(0, column))
    }
    return Place(
      row: min(max(0, mouse.row), modes.rows > 0 ? modes.rows - 1 : .max - 1),
      column: min(max(0, mouse.column), modes.columns > 0 ? modes.columns - 1 : .max - 1)
    )
  }

  private func report(
    code: Int,
    place: Place,
    isRelease: Bool,
    _ encoding: MouseModes.Encoding
  ) -> [UInt8] {
    let row = place.row + 1
    let column = place.column + 1
    switch encoding {
    case .legacy:
      let bytes = [code + 32, min(column, 223) + 32, min(row, 223) + 32]
      return KeyBytes.csi + [0x4D] + bytes.map { UInt8(truncatingIfNeeded: $0) }
    case .utf8:
      let numbers = [code + 32, min(column, 2015) + 32, min(row, 2015) + 32]
      return KeyBytes.csi + [0x4D] + numbers.flatMap(Self.shortUTF8)
    case .urxvt:
      return KeyBytes.csi + Array("\(code + 32);\(column);\(row)M".utf8)
    case .sgr, .sgrPixels:
      return KeyBytes.csi + Array("<\(code);\(column);\(row)\(isRelease ? "m" : "M")".utf8)
    }
  }

  /// UTF-8 of a number below 2048.
  private static func shortUTF8(_ number: Int) -> [UInt8] {
    let value = UInt16(truncatingIfNeeded: number)
    if value < 0x80 { return [UInt8(value)] }
    return [0xC0 | UInt8(value >> 6), 0x80 | UInt8(value & 0x3F)]
  }

  /// Arrow keys for the wheel; sideways steps and other events are the window's own.
  private func alternateScroll(_ mouse: TerminalMouse, _ modes: MouseModes) -> [UInt8]? {
    guard modes.alternateScroll, modes.isAlternateScreen, case .wheel(let direction) = mouse.kind,
      direction == .up || direction == .down
    else { return nil }
    let opening = modes.applicationCursorKeys ? KeyBytes.ss3 : KeyBytes.csi
    let key = opening + [direction == .up ? 0x41 : 0x42]
    return Array(repeatElement(key, count: max(0, linesPerWheelStep)).joined())
  }
}

extension TerminalMouse.Button {
  /// The number in reports; nothing for a button outside 8 to 11.
  fileprivate var code: Int? {
    switch self {
    case .left: 0
    case .middle: 1
    case .right: 2
    case .other(let number): (8...11).contains(number) ? 120 + number : nil
    }
  }
}

extension TerminalMouse.WheelDirection {
  fileprivate var code: Int {
    switch self {
    case .up: 64
    case .down: 65
    case .left: 66
    case .right: 67
    }
  }
}

extension TerminalKeyModifiers {
  fileprivate var mouseBits: Int {
    (contains(.shift) ? 4 : 0) + (isDisjoint(with: [.alt, .meta]) ? 0 : 8)
      + (contains(.control) ? 16 : 0)
  }
}
