extension TerminalState {
  /// Special colours (OSC 5) that there are: bold, underline, blink, reverse, italic.
  private static let specialColors = 5

  /// OSC 4 and 5: pairs of a number and a colour, or `?` to ask.
  mutating func performPaletteColors(_ bytes: ArraySlice<UInt8>, special: Bool) {
    let parts = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    var place = 0
    while place + 1 < parts.count, place < 1_024 {
      defer { place += 2 }
      guard let number = Self.number(parts[place]) else { continue }
      let index = special ? number + 256 : number
      guard index < 256 + Self.specialColors else { continue }
      if parts[place + 1].elementsEqual([0x3F]) {
        let name = special ? "5;\(number)" : "4;\(number)"
        reply(osc: "\(name);\(Self.report(palette.reported(index)))")
      } else if let color = Self.color(parts[place + 1]) {
        palette.change(index, to: color)
      }
    }
  }

  /// OSC 104 and 105: the numbers to reset, all when there are none.
  mutating func resetPaletteColors(_ bytes: ArraySlice<UInt8>, special: Bool) {
    if bytes.isEmpty {
      if special { palette.resetSpecialColors() } else { palette.resetColors() }
      return
    }
    for part in bytes.split(separator: 0x3B) {
      guard let number = Self.number(part) else { continue }
      let index = special ? number + 256 : number
      if index < 256 + Self.specialColors { palette.reset(index) }
    }
  }

  /// OSC 10 to 19: the first colour is for `number`, each further one for the next number.
  mutating func performRoleColors(_ number: Int, _ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    for (offset, part) in parts.prefix(10).enumerated() {
      let code = number + offset
      guard code <= 19, let role = TerminalPalette.Role(rawValue: code) else { continue }
      if part.elementsEqual([0x3F]) {
        reply(osc: "\(code);\(Self.report(palette.color(role)))")
      } else if let color = Self.color(part) {
        palette.change(role, to: color)
      }
    }
  }

  /// OSC 110 to 119.
  mutating func resetRoleColor(_ number: Int) {
    if let role = TerminalPalette.Role(rawValue: number - 100) { palette.reset(role) }
  }

  /// A colour by name or specification, as 0xRRGGBB.
  private static func color(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    RGBColor(specification: String(decoding: bytes, as: UTF8.self))
      .map { UInt32($0.red) << 16 | UInt32($0.green) << 8 | UInt32($0.blue) }
  }

  /// `rgb:RRRR/GGGG/BBBB`, each byte doubled to 16 bits.
  private static func report(_ color: UInt32) -> String {
    func part(_ value: UInt32) -> String {
      let digits = String(value, radix: 16)
      let byte = digits.count == 1 ? "0\(digits)" : digits
      return byte + byte
    }
    return "rgb:\(part(color >> 16 & 0xFF))/\(part(color >> 8 & 0xFF))/\(part(color & 0xFF))"
  }
}
