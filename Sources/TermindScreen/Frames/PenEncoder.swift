/// Writes the shortest SGR sequence from one pen to another.
enum PenEncoder {
  /// Appends what makes the terminal's pen `new`; links are not part of it.
  ///
  /// - Parameters:
  ///   - old: The pen in force, `nil` when it is not known.
  ///   - new: The pen that is wanted.
  ///   - output: Where the bytes go.
  static func write(from old: Pen?, to new: Pen, into output: inout OutputBytes) {
    guard let old else { return writeWhole(new, into: &output) }
    if isSame(old, new) { return }
    if !losesAnything(old, new) { return writeDifference(from: old, to: new, into: &output) }
    let start = output.count
    writeWhole(new, into: &output)
    let middle = output.count
    // A bare reset cannot be beaten.
    if middle - start <= 3 { return }
    writeDifference(from: old, to: new, into: &output)
    if output.count - middle < middle - start {
      output.removeRange(start..<middle)
    } else {
      output.truncate(to: middle)
    }
  }

  private static func isSame(_ old: Pen, _ new: Pen) -> Bool {
    old.foreground == new.foreground && old.background == new.background
      && old.underlineColor == new.underlineColor && old.underline == new.underline
      && old.attributes == new.attributes
  }

  /// Whether something has to be turned off; only then a reset can be shorter.
  private static func losesAnything(_ old: Pen, _ new: Pen) -> Bool {
    !old.attributes.isSubset(of: new.attributes)
      || (old.underline != .none && new.underline == .none)
      || (old.foreground != 0 && new.foreground == 0)
      || (old.background != 0 && new.background == 0)
      || (old.underlineColor != 0 && new.underlineColor == 0)
  }

  private static func writeWhole(_ pen: Pen, into output: inout OutputBytes) {
    output.csi()
    let start = output.count
    parameter(0, into: &output)
    turnOn(pen.attributes, into: &output)
    if pen.underline != .none { underline(pen.underline, into: &output) }
    if pen.foreground != 0 { color(pen.foreground, base: 30, into: &output) }
    if pen.background != 0 { color(pen.background, base: 40, into: &output) }
    if pen.underlineColor != 0 { underlineColor(pen.underlineColor, into: &output) }
    if output.count == start + 2 { output.truncate(to: start + 1) }
    output.replaceLast(with: 0x6D)
  }

  private static func writeDifference(from old: Pen, to new: Pen, into output: inout OutputBytes) {
    output.csi()
    var gone = old.attributes.subtracting(new.attributes)
    var added = new.attributes.subtracting(old.attributes)
    let weights: ScreenAttributes = [.bold, .faint]
    if !gone.isDisjoint(with: weights) {
      // SGR 22 ends both.
      parameter(22, into: &output)
      added.formUnion(new.attributes.intersection(weights))
      gone.subtract(weights)
    }
    turnOff(gone, into: &output)
    if new.underline != old.underline {
      if new.underline == .none {
        parameter(24, into: &output)
      } else {
        underline(new.underline, into: &output)
      }
    }
    turnOn(added, into: &output)
    if new.foreground != old.foreground { color(new.foreground, base: 30, into: &output) }
    if new.background != old.background { color(new.background, base: 40, into: &output) }
    if new.underlineColor != old.underlineColor {
      underlineColor(new.underlineColor, into: &output)
    }
    output.replaceLast(with: 0x6D)
  }

  private static func parameter(_ number: Int, into output: inout OutputBytes) {
    output.number(number)
    output.byte(0x3B)
  }

  private static let codes: [(attribute: ScreenAttributes, on: Int, off: Int)] = [
    (.bold, 1, 22), (.faint, 2, 22), (.italic, 3, 23), (.blink, 5, 25), (.inverse, 7, 27),
    (.hidden, 8, 28), (.strikethrough, 9, 29), (.overline, 53, 55),
  ]

  private static func turnOn(_ attributes: ScreenAttributes, into output: inout OutputBytes) {
    if attributes.isEmpty { return }
    for code in codes where attributes.contains(code.attribute) {
      parameter(code.on, into: &output)
    }
  }

  private static func turnOff(_ attributes: ScreenAttributes, into output: inout OutputBytes) {
    if attributes.isEmpty { return }
    for code in codes where attributes.contains(code.attribute) {
      parameter(code.off, into: &output)
    }
  }

  /// Forms go in the colon form; a plain line as everyone knows it.
  private static func underline(_ form: ScreenUnderline, into output: inout OutputBytes) {
    output.byte(0x34)
    if form != .single {
      output.byte(0x3A)
      output.number(Int(form.rawValue))
    }
    output.byte(0x3B)
  }

  /// A colour with semicolons, which every terminal reads.
  private static func color(_ color: Pen.Color, base: Int, into output: inout OutputBytes) {
    switch color >> 24 {
    case 0: parameter(base + 9, into: &output)
    case 1:
      let index = Int(color & 255)
      if index < 8 {
        parameter(base + index, into: &output)
      } else if index < 16 {
        parameter(base + 60 + index - 8, into: &output)
      } else {
        parameter(base + 8, into: &output)
        parameter(5, into: &output)
        parameter(index, into: &output)
      }
    default:
      parameter(base + 8, into: &output)
      parameter(2, into: &output)
      parameter(Int(color >> 16 & 255), into: &output)
      parameter(Int(color >> 8 & 255), into: &output)
      parameter(Int(color & 255), into: &output)
    }
  }

  /// The colour of an underline, in the colon form of ISO 8613-6: terminals that do not know it skip it whole.
  private static func underlineColor(_ color: Pen.Color, into output: inout OutputBytes) {
    switch color >> 24 {
    case 0: return parameter(59, into: &output)
    case 1:
      output.text("58:5:")
      output.number(Int(color & 255))
    default:
      output.text("58:2::")
      output.number(Int(color >> 16 & 255))
      output.byte(0x3A)
      output.number(Int(color >> 8 & 255))
      output.byte(0x3A)
      output.number(Int(color & 255))
    }
    output.byte(0x3B)
  }
}

extension OutputBytes {
  mutating func replaceLast(with byte: UInt8) {
    truncate(to: count - 1)
    self.byte(byte)
  }
}
