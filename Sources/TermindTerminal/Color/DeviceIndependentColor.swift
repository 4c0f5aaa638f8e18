/// A colour as the CIE measures them, in its XYZ space, with the screen's white at a lightness of 1.
struct DeviceIndependentColor {
  var x: Double
  /// The lightness, from 0 to 1.
  var y: Double
  var z: Double

  /// Reads one of the forms `KIND:n/n/n` that XParseColor knows, in lower case.
  init?(specification: String) {
    let halves = specification.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let numbers = halves[1].split(separator: "/", omittingEmptySubsequences: false).map(Self.number)
    guard numbers.count == 3, let first = numbers[0], let second = numbers[1],
      let third = numbers[2]
    else { return nil }
    let made: DeviceIndependentColor?
    switch halves[0] {
    case "ciexyz": made = DeviceIndependentColor(x: first, y: second, z: third)
    case "cieuvy": made = Self.uniform(u: first, v: second, lightness: third)
    case "ciexyy": made = Self.chromatic(x: first, y: second, lightness: third)
    case "cielab": made = Self.lab(first, first: second, second: third)
    case "cieluv": made = Self.luv(first, u: second, v: third)
    case "tekhvc": made = Self.hvc(hue: first, value: second, chroma: third)
    default: made = nil
    }
    guard let made, (0...1).contains(made.y), made.x.isFinite, made.z.isFinite else { return nil }
    self = made
  }

  private init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  private static func number(_ text: Substring) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x65: true
      default: false
      }
    }
    guard isPlain, let value = Double(text), value.isFinite, value.magnitude < 1_000_000 else {
      return nil
    }
    return value
  }

  // MARK: The kinds

  /// The white of the screen: its X and Z, and where it stands in the uniform plane.
  private static let white = (x: 0.949_664_4, z: 1.406_040_3)
  private static let whiteSum = white.x + 15 + 3 * white.z
  private static let whitePlace = (u: 4 * white.x / whiteSum, v: 9 / whiteSum)

  /// CIE 1976 u'v'Y.
  private static func uniform(u: Double, v: Double, lightness: Double) -> DeviceIndependentColor? {
    let sum = 6 * u - 16 * v + 12
    guard sum != 0 else { return nil }
    return chromatic(x: 9 * u / sum, small: 4 * v / sum, lightness: lightness)
  }

  /// CIE xyY, which has no colours outside its unit square.
  private static func chromatic(x: Double, y: Double, lightness: Double) -> DeviceIndependentColor?
  {
    guard (0...1).contains(x), (0...1).contains(y) else { return nil }
    return chromatic(x: x, small: y == 0 ? 0.000_01 : y, lightness: lightness)
  }

  private static func chromatic(
    x: Double,
    small y: Double,
    lightness: Double
  ) -> DeviceIndependentColor {
    let z = 1 - x - y
    guard y != 0 else { return DeviceIndependentColor(x: x, y: lightness, z: z) }
    return DeviceIndependentColor(x: x * lightness / y, y: lightness, z: z * lightness / y)
  }

  /// CIE L*a*b*, in X's scale: a* and b* are parts of one, and dark colours have a slope of their own.
  private static func lab(
    _ lightness: Double,
    first: Double,
    second: Double
  ) -> DeviceIndependentColor? {
    guard (0...100).contains(lightness) else { return nil }
    let root = (lightness + 16) / 116
    if cube(root) < 0.008_856 {
      let y = lightness / 9.032_92
      return DeviceIndependentColor(
        x: white.x * (first / 3_893.5 + y),
        y: y,
        z: white.z * (y - second / 1_557.4)
      )
    }
    return DeviceIndependentColor(
      x: white.x * cube(root + first / 5),
      y: cube(root),
      z: white.z * cube(root - second / 2)
    )
  }

  /// CIE L*u*v*.
  private static func luv(_ lightness: Double, u: Double, v: Double) -> DeviceIndependentColor? {
    guard let y = relativeLight(lightness) else { return nil }
    let scale = lightness == 0 ? 0 : 100 / (13 * lightness)
    return uniform(u: whitePlace.u + u * scale, v: whitePlace.v + v * scale, lightness: y)
  }

  /// TekHVC: hue in degrees from the best red, value, chroma.
  private static func hvc(hue: Double, value: Double, chroma: Double) -> DeviceIndependentColor? {
    guard let y = relativeLight(value), chroma >= 0 else { return nil }
    guard value > 0, value < 100 else {
      return uniform(u: whitePlace.u, v: whitePlace.v, lightness: y)
    }
    let red = (u: 0.712_7 - whitePlace.u, v: 0.493_1 - whitePlace.v)
    let length = (red.u * red.u + red.v * red.v).squareRoot()
    let turn = (sine: sine(degrees: hue), cosine: sine(degrees: hue + 90))
    let distance = chroma / (value * 7.507_25 * length)
    return uniform(
      u: whitePlace.u + (turn.cosine * red.u - turn.sine * red.v) * distance,
      v: whitePlace.v + (turn.sine * red.u + turn.cosine * red.v) * distance,
      lightness: y
    )
  }

  /// The light of a lightness from 0 to 100 that the eye sees in even steps.
  private static func relativeLight(_ lightness: Double) -> Double? {
    guard (0...100).contains(lightness) else { return nil }
    return lightness < 7.999_536_24 ? lightness / 903.29 : cube((lightness + 16) / 116)
  }

  private static func cube(_ value: Double) -> Double { value * value * value }

  /// The sine, by its series near 0; the standard library has none.
  private static func sine(degrees: Double) -> Double {
    var angle = degrees.truncatingRemainder(dividingBy: 360)
    if angle > 180 { angle -= 360 }
    if angle < -180 { angle += 360 }
    if angle > 90 { angle = 180 - angle }
    if angle < -90 { angle = -180 - angle }
    let turn = angle * .pi / 180
    var term = turn
    var sum = turn
    for step in 1...9 {
      term *= -turn * turn / Double(2 * step * (2 * step + 1))
      sum += term
    }
    return sum
  }

  // MARK: On the screen

  /// The nearest colour that the screen can show: of the same hue and lightness, with as much chroma as there is.
  var screenColor: RGBColor {
    let light = linearLight
    if light.allSatisfy({ $0 >= -0.001 && $0 <= 1.001 }) { return Self.shown(light) }
    let sum = x + 15 * y + 3 * z
    let place = sum == 0 ? Self.whitePlace : (u: 4 * x / sum, v: 9 * y / sum)
    var known = 0.0
    var beyond = 1.0
    for _ in 0..<50 {
      let part = (known + beyond) / 2
      let isInside = paler(place, by: part)?.linearLight.allSatisfy { $0 >= 0 && $0 <= 1 } ?? false
      if isInside { known = part } else { beyond = part }
    }
    // A channel at the edge of the gamut is not quite dark.
    let found = paler(place, by: known)?.linearLight ?? [y, y, y]
    return Self.shown(found.map { max($0, 1e-9) })
  }

  private func paler(_ place: (u: Double, v: Double), by part: Double) -> DeviceIndependentColor? {
    Self.uniform(
      u: Self.whitePlace.u + (place.u - Self.whitePlace.u) * part,
      v: Self.whitePlace.v + (place.v - Self.whitePlace.v) * part,
      lightness: y
    )
  }

  private static func shown(_ light: [Double]) -> RGBColor {
    ScreenResponse.color(red: light[0], green: light[1], blue: light[2])
  }

  /// Parts of full light of red, green and blue, by the phosphors of X's unknown screen.
  private var linearLight: [Double] {
    [
      3.483_404_8 * x - 1.521_763_7 * y - 0.559_231_3 * z,
      -1.071_527_5 * x + 1.965_938_0 * y + 0.036_736_9 * z,
      0.063_511_8 * x - 0.200_205_0 * y + 0.810_709_4 * z,
    ]
  }
}
