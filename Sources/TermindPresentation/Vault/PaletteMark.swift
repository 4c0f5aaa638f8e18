public import TermindDomain
import TermindScreen

extension Appearance {
  /// The style of a record's colour mark; nil where the terminal has no colours.
  func mark(_ color: PaletteColor, on ground: Ground) -> ScreenStyle? {
    guard depth != .monochrome else { return nil }
    var style = style(.text, on: ground)
    let index = Int(color.index)
    style.foreground =
      usesThemeColors && theme.palette.indices.contains(index)
      ? Self.screenColor(theme.palette[index]) : .indexed(color.index)
    return style
  }
}

extension PaletteColor {
  /// What it is called in a form.
  public var title: String { rawValue }
}
