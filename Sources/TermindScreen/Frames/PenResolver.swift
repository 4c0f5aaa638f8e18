/// Turns styles into pens that the terminal can show.
struct PenResolver: Sendable {
  private let depth: ScreenColorDepth
  private let hasUnderlineStyles: Bool
  private let hasLinks: Bool
  private var colors: ColorMapper
  private(set) var links: [String] = []
  private var linkPlaces: [String: UInt32] = [:]

  /// Longer targets are dropped by terminals as well.
  private static let linkLimit = 2_083
  private static let linkCountLimit = 65_536

  init(_ capabilities: ScreenCapabilities) {
    depth = capabilities.colorDepth
    hasUnderlineStyles = capabilities.underlineStyles
    hasLinks = capabilities.hyperlinks
    colors = ColorMapper(depth: capabilities.colorDepth)
  }

  mutating func pen(_ style: ScreenStyle) -> Pen {
    var pen = Pen()
    pen.attributes = style.attributes
    pen.underline = style.underline
    if !hasUnderlineStyles, pen.underline != .none { pen.underline = .single }
    if depth == .monochrome {
      // A light ground under dark text is the one thing that colours say and monochrome can say too.
      if Luminance.isLightOnDarkReversed(style) {
        pen.attributes.formSymmetricDifference(.inverse)
      }
    } else {
      pen.foreground = colors.map(style.foreground)
      pen.background = colors.map(style.background)
      if depth == .indexed16 { separate(&pen, style) }
      if hasUnderlineStyles, pen.underline != .none {
        pen.underlineColor = colors.map(style.underlineColor)
      }
    }
    if hasLinks, let link = style.link { pen.link = place(of: link) }
    return pen
  }

  /// Forgets the links; their numbers have to be asked for again.
  mutating func removeLinks() {
    links.removeAll(keepingCapacity: true)
    linkPlaces.removeAll(keepingCapacity: true)
  }

  /// Two colours that differ must not both become the same one of sixteen: the text would be gone.
  private func separate(_ pen: inout Pen, _ style: ScreenStyle) {
    guard pen.foreground == pen.background, style.foreground != style.background,
      style.foreground != .standard, style.background != .standard
    else { return }
    pen.foreground = Pen.indexed(Luminance.of(style.background) > 0.5 ? 0 : 15)
  }

  private mutating func place(of link: String) -> UInt32 {
    if let known = linkPlaces[link] { return known }
    var clean = ""
    for byte in link.utf8.prefix(Self.linkLimit + 1) {
      if byte > 0x20, byte < 0x7F {
        clean.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        clean += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    let isGood = !clean.isEmpty && clean.utf8.count <= Self.linkLimit
    guard isGood, links.count < Self.linkCountLimit else { return 0 }
    links.append(clean)
    linkPlaces[link] = UInt32(links.count)
    return UInt32(links.count)
  }
}
