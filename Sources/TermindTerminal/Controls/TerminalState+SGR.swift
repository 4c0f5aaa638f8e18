extension TerminalState {
  /// SGR: changes how the next text looks.
  mutating func selectGraphicRendition(_ p: SequenceParameters) {
    var style = pen
    var index = 0
    while index < p.count {
      index = applyRendition(p, at: index, to: &style)
    }
    if style != pen { pen = style }
  }

  /// Performs the SGR at `start`, where ESC stands, and says its length; 0 for all else.
  ///
  /// Taken are whole sequences of at most 16 numbers, as `SequenceGate.safeLength` does, without colons. The
  /// numbers are applied as they are read; all is dropped when the sequence turns out to be another one.
  @inline(__always)
  mutating func takeRendition(_ bytes: RawSpan, at start: Int) -> Int {
    guard start &+ 4 <= bytes.byteCount else { return 0 }
    let head = unsafe UInt32(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)
    )
    if head == 0x6D30_5B1B {
      // ESC [ 0 m, half of all.
      pen = PackedStyle(link: pen.link)
      lastGraphic = 0
      return 4
    }
    guard head & 0xFFFF == 0x5B1B else { return 0 }
    return takeNumberedRendition(bytes, at: start)
  }

  private mutating func takeNumberedRendition(_ bytes: RawSpan, at start: Int) -> Int {
    let end = min(bytes.byteCount, start &+ SequenceGate.longestRaw)
    var reader = RenditionReader(start &+ 2..<end)
    var style = pen
    repeat {
      let code = reader.next(bytes)
      switch code {
      case 38: Self.readColor(&reader, bytes, into: &style.foreground)
      case 48: Self.readColor(&reader, bytes, into: &style.background)
      case 58: Self.readColor(&reader, bytes, into: &style.underlineColor)
      default: Self.applyPlain(code, to: &style)
      }
    } while !reader.isDone
    guard reader.isPlain else { return 0 }
    pen = style
    lastGraphic = 0
    return reader.place &- start
  }

  /// `5;INDEX` or `2;R;G;B`, as `applyColor` takes them.
  @inline(__always)
  private static func readColor(
    _ reader: inout RenditionReader,
    _ bytes: RawSpan,
    into color: inout UInt32
  ) {
    guard !reader.isDone else { return }
    switch reader.next(bytes) {
    case 5:
      guard !reader.isDone else { return }
      let index = reader.next(bytes)
      if index <= 255 { color = PackedStyle.indexedKind | UInt32(truncatingIfNeeded: index) }
    case 2:
      guard !reader.isDone else { return }
      let red = reader.next(bytes)
      guard !reader.isDone else { return }
      let green = reader.next(bytes)
      guard !reader.isDone else { return }
      let blue = reader.next(bytes)
      if red | green | blue <= 255 {
        color = PackedStyle.rgbKind | UInt32(truncatingIfNeeded: red << 16 | green << 8 | blue)
      }
    default: break
    }
  }

  /// Applies the parameter at `index` and says which comes next.
  func applyRendition(_ p: SequenceParameters, at index: Int, to style: inout PackedStyle) -> Int {
    let code = p.value(index, default: 0)
    var next = index + 1
    if p.isJoined(index) {
      while p.isJoined(next - 1), next < p.count { next += 1 }
      applyJoined(code, p, index + 1..<next, to: &style)
      return next
    }
    switch code {
    case 38: next = applyColor(p, from: next, to: &style.foreground)
    case 48: next = applyColor(p, from: next, to: &style.background)
    case 58: next = applyColor(p, from: next, to: &style.underlineColor)
    default: Self.applyPlain(code, to: &style)
    }
    return next
  }

  /// Applies a number that stands for itself.
  @inline(__always)
  private static func applyPlain(_ code: Int, to style: inout PackedStyle) {
    switch code {
    case 0: style = PackedStyle(link: style.link)
    case 1: style.attributes.insert(.bold)
    case 2: style.attributes.insert(.faint)
    case 3: style.attributes.insert(.italic)
    case 4: style.underline = .single
    case 5, 6: style.attributes.insert(.blink)
    case 7: style.attributes.insert(.inverse)
    case 8: style.attributes.insert(.hidden)
    case 9: style.attributes.insert(.strikethrough)
    case 21: style.underline = .double
    case 22: style.attributes.subtract([.bold, .faint])
    case 23: style.attributes.remove(.italic)
    case 24: style.underline = .none
    case 25: style.attributes.remove(.blink)
    case 27: style.attributes.remove(.inverse)
    case 28: style.attributes.remove(.hidden)
    case 29: style.attributes.remove(.strikethrough)
    case 30...37: style.foreground = PackedStyle.indexedKind | UInt32(code &- 30)
    case 39: style.foreground = 0
    case 40...47: style.background = PackedStyle.indexedKind | UInt32(code &- 40)
    case 49: style.background = 0
    case 53: style.attributes.insert(.overline)
    case 55: style.attributes.remove(.overline)
    case 59: style.underlineColor = 0
    case 90...97: style.foreground = PackedStyle.indexedKind | UInt32(code &- 82)
    case 100...107: style.background = PackedStyle.indexedKind | UInt32(code &- 92)
    default: break
    }
  }

  /// The colon forms: 4:3, 38:2:…, 38:5:….
  private func applyJoined(
    _ code: Int,
    _ p: SequenceParameters,
    _ rest: Range<Int>,
    to style: inout PackedStyle
  ) {
    switch code {
    case 4:
      let kind = p.value(rest.lowerBound, default: 1)
      if rest.count == 1, let underline = UnderlineStyle(rawValue: UInt8(clamping: kind)) {
        style.underline = underline
      }
    case 38: if let color = joinedColor(p, rest) { style.foreground = color }
    case 48: if let color = joinedColor(p, rest) { style.background = color }
    case 58: if let color = joinedColor(p, rest) { style.underlineColor = color }
    default: break
    }
  }

  /// `5:INDEX`, `2:R:G:B` (as many programs write it) or `2:SPACE:R:G:B[:…]` (ISO 8613-6).
  private func joinedColor(_ p: SequenceParameters, _ rest: Range<Int>) -> UInt32? {
    let first = rest.lowerBound
    switch p[first] {
    case 5:
      guard rest.count >= 2 else { return nil }
      let index = p.value(first + 1, default: 0)
      return index <= 255 ? PackedStyle.indexed(UInt8(index)) : nil
    case 2:
      guard rest.count >= 4 else { return nil }
      return rgb(p, from: rest.count == 4 ? first + 1 : first + 2)
    default: return nil
    }
  }

  /// `5;INDEX` or `2;R;G;B`; says which parameter comes next.
  private func applyColor(
    _ p: SequenceParameters,
    from first: Int,
    to color: inout UInt32
  ) -> Int {
    guard first < p.count else { return p.count }
    if p.isJoined(first) {
      // `38;2:R:G:B` mixes both forms; xterm takes it too.
      var end = first + 1
      while p.isJoined(end - 1), end < p.count { end += 1 }
      if let mixed = joinedColor(p, first..<end) { color = mixed }
      return end
    }
    switch p[first] {
    case 5:
      let index = p.value(first + 1, default: 0)
      if first + 1 < p.count, index <= 255 { color = PackedStyle.indexed(UInt8(index)) }
      return first + 2
    case 2:
      if first + 3 < p.count, let value = rgb(p, from: first + 1) { color = value }
      return first + 4
    default: return first + 1
    }
  }

  private func rgb(_ p: SequenceParameters, from first: Int) -> UInt32? {
    let red = p.value(first, default: 0)
    let green = p.value(first + 1, default: 0)
    let blue = p.value(first + 2, default: 0)
    guard red <= 255, green <= 255, blue <= 255 else { return nil }
    return PackedStyle.rgb(UInt8(red), UInt8(green), UInt8(blue))
  }

  /// The parameters that make the pen's style, for DECRQSS.
  static func renditionText(_ style: PackedStyle) -> String {
    var parts = ["0"]
    let attributes = style.attributes
    if attributes.contains(.bold) { parts.append("1") }
    if attributes.contains(.faint) { parts.append("2") }
    if attributes.contains(.italic) { parts.append("3") }
    switch style.underline {
    case .none: break
    case .single: parts.append("4")
    case .double: parts.append("21")
    case .curly, .dotted, .dashed: parts.append("4:\(style.underline.rawValue)")
    }
    if attributes.contains(.blink) { parts.append("5") }
    if attributes.contains(.inverse) { parts.append("7") }
    if attributes.contains(.hidden) { parts.append("8") }
    if attributes.contains(.strikethrough) { parts.append("9") }
    if attributes.contains(.overline) { parts.append("53") }
    parts += colorText(style.foreground, base: 30)
    parts += colorText(style.background, base: 40)
    if style.underlineColor != 0 { parts += colorText(style.underlineColor, base: 50) }
    return parts.joined(separator: ";")
  }

  private static func colorText(_ packed: UInt32, base: Int) -> [String] {
    switch PackedStyle.color(packed) {
    case .standard: []
    case .indexed(let index) where index < 8 && base < 50: ["\(base + Int(index))"]
    case .indexed(let index) where index < 16 && base < 50: ["\(base + 60 + Int(index) - 8)"]
    case .indexed(let index): ["\(base + 8):5:\(index)"]
    case .rgb(let red, let green, let blue): ["\(base + 8):2::\(red):\(green):\(blue)"]
    }
  }
}
