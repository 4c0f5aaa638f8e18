/// Fits colours to what the terminal can show: the nearest one to the eye, found once a colour.
struct ColorMapper: Sendable {
  private let depth: ScreenColorDepth
  private var known: [UInt32: UInt8] = [:]

  /// Gradients can bring any number of colours; the cache starts anew when it holds this many.
  private static let cacheLimit = 4_096

  private static let palette: [Oklab] = (0...255).map { Oklab(XtermPalette.rgb(UInt8($0))) }

  init(depth: ScreenColorDepth) { self.depth = depth }

  /// How many colours the cache holds.
  var knownCount: Int { known.count }

  mutating func map(_ color: ScreenColor) -> Pen.Color {
    switch color {
    case .standard: return 0
    case .indexed(let index):
      switch depth {
      case .monochrome: return 0
      case .indexed16 where index >= 16:
        return Pen.indexed(nearest(XtermPalette.rgb(index), among: 0..<16))
      default: return Pen.indexed(index)
      }
    case .rgb(let red, let green, let blue):
      let rgb = XtermPalette.RGB(red: red, green: green, blue: blue)
      switch depth {
      case .monochrome: return 0
      case .indexed16: return Pen.indexed(nearest(rgb, among: 0..<16))
      // The first sixteen are whatever the person made of them.
      case .indexed256: return Pen.indexed(nearest(rgb, among: 16..<256))
      case .trueColor: return Pen.rgb(red, green, blue)
      }
    }
  }

  private mutating func nearest(_ rgb: XtermPalette.RGB, among range: Range<Int>) -> UInt8 {
    let key = UInt32(rgb.red) << 16 | UInt32(rgb.green) << 8 | UInt32(rgb.blue)
    if let found = known[key] { return found }
    let wanted = Oklab(rgb)
    var best = range.lowerBound
    var bestDistance = Double.infinity
    for place in range {
      let distance = wanted.distance(to: Self.palette[place])
      if distance < bestDistance {
        best = place
        bestDistance = distance
      }
    }
    if known.count >= Self.cacheLimit { known.removeAll(keepingCapacity: true) }
    known[key] = UInt8(best)
    return UInt8(best)
  }
}
