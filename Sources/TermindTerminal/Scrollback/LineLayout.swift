/// The layout bytes of a scrollback line: clusters first, then style runs.
///
/// A style run is a head byte (kind in bits 5–7, length in bits 0–4, 0 for a length that follows) and the
/// colours that differ from the run before, so a run of a new 24-bit foreground takes four bytes.
enum LineLayout {
  enum Kind: UInt8 {
    case plain, indexedForeground, rgbForeground, indexedBackground, rgbBackground, rgbBoth,
      indexedBoth, full
  }

  static func appendNumber(_ value: Int, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  static func number(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> Int {
    var value = 0
    var shift = 0
    while place < bytes.endIndex {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return value
  }

  // MARK: Writing

  /// Most bytes of one run: its head, its length, and five numbers.
  static let longestRun = 40

  /// Writes a run where `longestRun` bytes are free, and says how many it took.
  @unsafe @inline(__always)
  static func writeRun(
    _ style: PackedStyle,
    after previous: PackedStyle,
    length: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let kind = kind(style, after: previous)
    let head = kind.rawValue << 5
    var end = 1
    if length < 32 {
      unsafe target[0] = head | UInt8(truncatingIfNeeded: length)
    } else {
      unsafe target[0] = head
      unsafe writeNumber(UInt64(length), target, &end)
    }
    switch kind {
    case .plain: break
    case .indexedForeground: unsafe writeBytes(style.foreground, 1, target, &end)
    case .rgbForeground: unsafe writeBytes(style.foreground, 3, target, &end)
    case .indexedBackground: unsafe writeBytes(style.background, 1, target, &end)
    case .rgbBackground: unsafe writeBytes(style.background, 3, target, &end)
    case .rgbBoth:
      unsafe writeBytes(style.foreground, 3, target, &end)
      unsafe writeBytes(style.background, 3, target, &end)
    case .indexedBoth:
      unsafe writeBytes(style.foreground, 1, target, &end)
      unsafe writeBytes(style.background, 1, target, &end)
    case .full:
      unsafe writeNumber(UInt64(style.foreground), target, &end)
      unsafe writeNumber(UInt64(style.background), target, &end)
      unsafe writeNumber(UInt64(style.underlineColor), target, &end)
      unsafe writeNumber(UInt64(style.flags), target, &end)
      unsafe writeNumber(UInt64(style.link), target, &end)
    }
    return end
  }

  /// Writes a number as `appendNumber` does; it takes at most ten bytes.
  @unsafe @inline(__always)
  private static func writeNumber(
    _ value: UInt64,
    _ target: UnsafeMutablePointer<UInt8>,
    _ end: inout Int
  ) {
    var rest = value
    while rest >= 0x80 {
      unsafe target[end] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest &>>= 7
      end &+= 1
    }
    unsafe target[end] = UInt8(truncatingIfNeeded: rest)
    end &+= 1
  }

  /// Writes the lowest bytes of a colour, the highest of them first.
  @unsafe @inline(__always)
  private static func writeBytes(
    _ color: UInt32,
    _ count: Int,
    _ target: UnsafeMutablePointer<UInt8>,
    _ end: inout Int
  ) {
    var place = 0
    while place < count {
      unsafe target[end &+ place] = UInt8(
        truncatingIfNeeded: color &>> UInt32(8 &* (count &- 1 &- place))
      )
      place &+= 1
    }
    end &+= count
  }

  @inline(__always)
  private static func kind(_ style: PackedStyle, after previous: PackedStyle) -> Kind {
    if style == .plain { return .plain }
    guard style.flags == previous.flags, style.link == previous.link,
      style.underlineColor == previous.underlineColor
    else { return .full }
    let foregroundKind = style.foreground >> 24
    let backgroundKind = style.background >> 24
    switch (style.foreground == previous.foreground, style.background == previous.background) {
    case (_, true):
      return foregroundKind == 1 ? .indexedForeground : foregroundKind == 2 ? .rgbForeground : .full
    case (true, false):
      return backgroundKind == 1 ? .indexedBackground : backgroundKind == 2 ? .rgbBackground : .full
    case (false, false):
      if foregroundKind == 2, backgroundKind == 2 { return .rgbBoth }
      return foregroundKind == 1 && backgroundKind == 1 ? .indexedBoth : .full
    }
  }

  // MARK: Reading

  /// Reads the run at `place`, changing `style` to the run's; the bytes were written by `appendRun`.
  static func readRun(
    _ bytes: ArraySlice<UInt8>,
    _ place: inout Int,
    _ style: inout PackedStyle
  ) -> Int {
    guard place < bytes.endIndex else { return 0 }
    let head = bytes[place]
    place += 1
    var length = Int(head & 31)
    if length == 0 { length = number(bytes, &place) }
    switch Kind(rawValue: head >> 5) ?? .plain {
    case .plain: style = .plain
    case .indexedForeground: style.foreground = readIndexed(bytes, &place)
    case .rgbForeground: style.foreground = readRGB(bytes, &place)
    case .indexedBackground: style.background = readIndexed(bytes, &place)
    case .rgbBackground: style.background = readRGB(bytes, &place)
    case .rgbBoth:
      style.foreground = readRGB(bytes, &place)
      style.background = readRGB(bytes, &place)
    case .indexedBoth:
      style.foreground = readIndexed(bytes, &place)
      style.background = readIndexed(bytes, &place)
    case .full:
      style.foreground = UInt32(truncatingIfNeeded: number(bytes, &place))
      style.background = UInt32(truncatingIfNeeded: number(bytes, &place))
      style.underlineColor = UInt32(truncatingIfNeeded: number(bytes, &place))
      style.flags = UInt32(truncatingIfNeeded: number(bytes, &place))
      style.link = UInt32(truncatingIfNeeded: number(bytes, &place))
    }
    return length
  }

  private static func readIndexed(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> UInt32 {
    guard place < bytes.endIndex else { return 0 }
    defer { place += 1 }
    return PackedStyle.indexed(bytes[place])
  }

  private static func readRGB(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> UInt32 {
    guard place + 3 <= bytes.endIndex else { return 0 }
    defer { place += 3 }
    return PackedStyle.rgb(bytes[place], bytes[place + 1], bytes[place + 2])
  }
}
