/// The colours behind the palette numbers and the standard colours: a theme, and what the program changed.
public struct TerminalPalette: Hashable, Sendable {
  /// The colours that stand outside the 256.
  public enum Role: Int, CaseIterable, Hashable, Sendable {
    /// The standard text colour (OSC 10).
    case foreground = 10
    /// The standard colour behind text (OSC 11).
    case background = 11
    /// The cursor's colour (OSC 12).
    case cursor = 12
    /// The mouse pointer's colour (OSC 13); kept for programs that ask.
    case pointerForeground = 13
    /// The colour behind the mouse pointer (OSC 14); kept for programs that ask.
    case pointerBackground = 14
    /// The colour behind selected text (OSC 17).
    case selectionBackground = 17
    /// The colour of selected text (OSC 19).
    case selectionForeground = 19
  }

  /// The theme's 256 colours as 0xRRGGBB.
  private var themeColors: [UInt32]
  private var themeRoles: [Role: UInt32]
  /// What the program changed, by number.
  private var changedColors: [Int: UInt32] = [:]
  private var changedRoles: [Role: UInt32] = [:]
  /// Bold, underline, blink, reverse and italic colours (OSC 5), as the program set them.
  private var specialColors: [Int: UInt32] = [:]

  /// Makes a palette from a theme.
  ///
  /// - Parameters:
  ///   - colors: The first colours of the palette as 0xRRGGBB; those missing are xterm's.
  ///   - roles: The standard colours; those missing are light grey on black.
  public init(colors: [UInt32] = [], roles: [Role: UInt32] = [:]) {
    var all = Self.xterm
    for (index, color) in colors.prefix(256).enumerated() { all[index] = color & 0xFF_FFFF }
    themeColors = all
    themeRoles = roles
  }

  /// One of the 256 colours as 0xRRGGBB.
  public func color(_ index: UInt8) -> UInt32 {
    changedColors[Int(index)] ?? themeColors[Int(index)]
  }

  /// A standard colour as 0xRRGGBB; the pointer and the selection follow text and background.
  public func color(_ role: Role) -> UInt32 {
    if let changed = changedRoles[role] ?? themeRoles[role] { return changed }
    switch role {
    case .foreground: return 0xE5E5E5
    case .background: return 0x000000
    case .cursor, .pointerForeground, .selectionBackground: return color(.foreground)
    case .pointerBackground, .selectionForeground: return color(.background)
    }
  }

  /// The colour that the program chose instead of the theme's, if it did.
  public func changedColor(_ index: UInt8) -> UInt32? { changedColors[Int(index)] }

  /// The colour that the program chose instead of the theme's, if it did.
  public func changedColor(_ role: Role) -> UInt32? { changedRoles[role] }

  /// Replaces the theme; what the program changed stays.
  public mutating func setTheme(_ theme: TerminalPalette) {
    themeColors = theme.themeColors
    themeRoles = theme.themeRoles
  }

  // MARK: The program's changes

  mutating func change(_ index: Int, to color: UInt32) {
    if index < 256 { changedColors[index] = color } else { specialColors[index - 256] = color }
  }

  mutating func change(_ role: Role, to color: UInt32) { changedRoles[role] = color }

  mutating func reset(_ index: Int) {
    if index < 256 { changedColors[index] = nil } else { specialColors[index - 256] = nil }
  }

  mutating func reset(_ role: Role) { changedRoles[role] = nil }

  mutating func resetColors() { changedColors = [:] }

  mutating func resetSpecialColors() { specialColors = [:] }

  mutating func resetAll() {
    changedColors = [:]
    changedRoles = [:]
    specialColors = [:]
  }

  /// A colour as OSC 4 counts them: the special colours follow the 256.
  func reported(_ index: Int) -> UInt32 {
    index < 256 ? color(UInt8(index)) : specialColors[index - 256] ?? color(.foreground)
  }

  /// xterm's colours: 16 basic ones, the cube of six steps, 24 greys.
  private static let xterm: [UInt32] = {
    var colors: [UInt32] = [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    let steps: [UInt32] = [0, 95, 135, 175, 215, 255]
    for red in steps {
      for green in steps {
        for blue in steps { colors.append(red << 16 | green << 8 | blue) }
      }
    }
    for grey in 0..<24 as Range<UInt32> { colors.append((8 + grey * 10) * 0x01_0101) }
    return colors
  }()
}
