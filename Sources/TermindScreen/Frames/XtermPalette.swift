/// The 256-colour palette as xterm has it before anyone changes it.
enum XtermPalette {
  struct RGB: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
  }

  private static let base: [RGB] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map { (value: Int) in
    RGB(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }

  private static let cubeSteps: [UInt8] = [0, 95, 135, 175, 215, 255]

  static func rgb(_ index: UInt8) -> RGB {
    let number = Int(index)
    if number < 16 { return base[number] }
    if number >= 232 {
      let level = UInt8(8 + (number - 232) * 10)
      return RGB(red: level, green: level, blue: level)
    }
    let place = number - 16
    return RGB(
      red: cubeSteps[place / 36],
      green: cubeSteps[place / 6 % 6],
      blue: cubeSteps[place % 6]
    )
  }
}
