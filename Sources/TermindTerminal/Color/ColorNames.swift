/// X11's colour names.
public enum ColorNames {
  /// Returns the colour of a name; case and spaces do not matter ("Light Blue" is "lightblue").
  public static func color(named name: String) -> RGBColor? {
    guard name.utf8.count <= 64 else { return nil }
    return colors[String(name.lowercased().filter { $0 != " " })]
  }

  /// Every name in lower case without spaces, sorted.
  public static var all: [String] { colors.keys.sorted() }

  private static let colors: [String: RGBColor] = {
    var colors: [String: RGBColor] = [:]
    colors.reserveCapacity(ColorNameList.count)
    for entry in ColorNameList.text.split(separator: ";") {
      let words = entry.split(separator: " ")
      if words.count == 2, let value = UInt32(words[1], radix: 16) {
        colors[String(words[0])] = RGBColor(hexadecimal: value)
      }
    }
    return colors
  }()
}
