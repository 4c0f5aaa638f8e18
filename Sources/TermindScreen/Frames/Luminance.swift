/// How light colours are, for the choices that need only that.
enum Luminance {
  /// From 0, black, to 1, white; the terminal's own colour counts as `standard`.
  static func of(_ color: ScreenColor, standard: Double = 0) -> Double {
    switch color {
    case .standard: standard
    case .indexed(let index):
      Oklab(XtermPalette.rgb(index)).lightness
    case .rgb(let red, let green, let blue):
      Oklab(XtermPalette.RGB(red: red, green: green, blue: blue)).lightness
    }
  }

  /// Whether a style puts a lighter ground under darker text, seen from a dark terminal.
  static func isLightOnDarkReversed(_ style: ScreenStyle) -> Bool {
    guard style.background != .standard else { return false }
    return of(style.background) > of(style.foreground, standard: 1)
  }
}
