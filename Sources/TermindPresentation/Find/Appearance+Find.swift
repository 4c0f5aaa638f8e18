public import TermindScreen

extension Appearance {
  /// How a cell looks that belongs to something that was found.
  ///
  /// - Parameters:
  ///   - style: How it looks otherwise.
  ///   - isCurrent: Whether it belongs to the match that is shown at present.
  /// - Returns: The style, in the theme's colours where the terminal shows them.
  public func found(_ style: ScreenStyle, isCurrent: Bool) -> ScreenStyle {
    var style = style
    style.attributes.remove([.inverse, .faint, .hidden, .blink])
    switch depth {
    case .trueColor, .indexed256:
      let yellow = theme.palette[3]
      let ground = isCurrent ? yellow : theme.background.mixed(with: yellow, 0.35)
      let ink = isCurrent ? theme.background : theme.foreground
      style.background = Self.screenColor(ground)
      style.foreground = Self.screenColor(ink.legible(4.5, on: [ground], towards: ink))
      style.underlineColor = .standard
      if isCurrent { style.attributes.insert(.bold) }
    case .indexed16:
      style.foreground = .indexed(0)
      style.background = .indexed(isCurrent ? 3 : 6)
      if isCurrent { style.underline = .single }
    case .monochrome:
      style.attributes.insert(.inverse)
      if isCurrent {
        style.attributes.insert(.bold)
        style.underline = .single
      }
    }
    return style
  }
}
