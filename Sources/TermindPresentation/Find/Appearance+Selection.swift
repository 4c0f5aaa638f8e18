public import TermindScreen

extension Appearance {
  /// How a cell looks that is selected.
  public func selected(_ style: ScreenStyle) -> ScreenStyle {
    var style = style
    guard usesThemeColors else {
      style.attributes.formSymmetricDifference(.inverse)
      return style
    }
    style.attributes.remove([.inverse, .faint, .hidden])
    style.background = Self.screenColor(color(of: .selection))
    style.foreground = Self.screenColor(color(.text, on: .selection))
    return style
  }
}
