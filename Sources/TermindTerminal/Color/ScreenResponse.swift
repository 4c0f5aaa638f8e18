/// How bright the screen is that X takes for granted when it knows nothing of the real one.
///
/// Specifications of linear light (`rgbi:`) and of the CIE's kinds go through these curves, so that programs get
/// the numbers that XParseColor gives: a level of one channel for a part of full light.
enum ScreenResponse {
  /// The levels of a colour of linear light; what is outside 0 to 1 stands at the edge.
  static func color(red: Double, green: Double, blue: Double) -> RGBColor {
    RGBColor(
      red: level(red, redCurve, from: 10),
      green: level(green, greenCurve, from: 20),
      blue: level(blue, blueCurve, from: 15)
    )
  }

  /// Interpolates between the points of a curve; below the first one the light falls to nothing in one level.
  private static func level(_ light: Double, _ curve: [Int32], from first: Int) -> UInt8 {
    guard light > 0 else { return 0 }
    guard light < 1 else { return 255 }
    let wanted = light * 1_000_000
    var below = (level: Double(first - 1), light: 0.0)
    for (index, point) in curve.enumerated() {
      let here = (level: Double(first + 5 * index), light: Double(point))
      if wanted <= here.light {
        let part = (wanted - below.light) / (here.light - below.light)
        return UInt8((below.level + (here.level - below.level) * part).rounded())
      }
      below = here
    }
    return 255
  }

  // Millionths of full light at every fifth level, as XParseColor answers.
  private static let redCurve: [Int32] = [
    936, 1_481, 2_329, 3_529, 5_127, 7_169, 9_699, 12_759, 16_392, 20_637, 25_533, 31_119, 37_431,
    44_504, 52_373, 61_069, 70_624, 81_070, 92_433, 104_744, 118_026, 132_307, 147_610, 163_958,
    181_371, 199_871, 219_475, 240_202, 262_069, 285_089, 309_278, 334_647, 361_208, 388_971,
    417_945, 448_138, 479_555, 512_202, 546_082, 581_199, 617_552, 655_144, 693_971, 734_031,
    775_322, 817_837, 861_571, 906_515, 952_662, 1_000_000,
  ]
  private static let greenCurve: [Int32] = [
    832, 1_998, 3_612, 5_736, 8_428, 11_745, 15_740, 20_463, 25_960, 32_275, 39_449, 47_519,
    56_520, 66_484, 77_439, 89_409, 102_418, 116_485, 131_625, 147_853, 165_176, 183_604, 203_140,
    223_783, 245_533, 268_384, 292_327, 317_351, 343_441, 370_580, 398_747, 427_919, 458_068,
    489_165, 521_176, 554_067, 587_797, 622_324, 657_604, 693_588, 730_225, 767_459, 805_235,
    843_491, 882_164, 921_187, 960_490, 1_000_000,
  ]
  private static let blueCurve: [Int32] = [
    1_341, 2_080, 3_188, 4_729, 6_766, 9_357, 12_559, 16_424, 21_004, 26_344, 32_489, 39_481,
    47_357, 56_154, 65_903, 76_634, 88_373, 101_145, 114_968, 129_862, 145_841, 162_915, 181_095,
    200_386, 220_791, 242_309, 264_937, 288_670, 313_499, 339_410, 366_390, 394_421, 423_481,
    453_547, 484_592, 516_587, 549_498, 583_291, 617_925, 653_361, 689_553, 726_454, 764_013,
    802_178, 840_891, 880_093, 919_723, 959_715, 1_000_000,
  ]
}
