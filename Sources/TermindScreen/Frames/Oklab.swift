/// A colour in the Oklab space, in which equal distances look equally different.
///
/// Source: Björn Ottosson, "A perceptual color space for image processing" (2020).
struct Oklab: Sendable {
  let lightness: Double
  let greenRed: Double
  let blueYellow: Double

  init(_ color: XtermPalette.RGB) {
    let red = Self.linear[Int(color.red)]
    let green = Self.linear[Int(color.green)]
    let blue = Self.linear[Int(color.blue)]
    let long = Self.cubeRoot(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = Self.cubeRoot(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = Self.cubeRoot(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    greenRed = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
  }

  /// The square of the distance to another colour.
  func distance(to other: Oklab) -> Double {
    let first = lightness - other.lightness
    let second = greenRed - other.greenRed
    let third = blueYellow - other.blueYellow
    return first * first + second * second + third * third
  }

  /// The 256 steps of an sRGB channel as amounts of light (IEC 61966-2-1).
  private static let linear: [Double] = (0...255).map { step in
    let value = Double(step) / 255
    if value <= 0.04045 { return value / 12.92 }
    // x to the power 2.4 is x squared times the fifth root of x squared.
    let base = (value + 0.055) / 1.055
    return base * base * root(base * base, degree: 5)
  }

  private static func cubeRoot(_ value: Double) -> Double { root(value, degree: 3) }

  /// Newton's method; the values here lie between 0 and 1.
  private static func root(_ value: Double, degree: Int) -> Double {
    guard value > 0 else { return 0 }
    let order = Double(degree)
    var guess = 1.0
    for _ in 0..<64 {
      var power = 1.0
      for _ in 1..<degree { power *= guess }
      let next = ((order - 1) * guess + value / power) / order
      if abs(next - guess) < 1e-12 { return next }
      guess = next
    }
    return guess
  }
}
