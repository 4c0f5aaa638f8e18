import Testing

@testable import TermindUnicode

/// Columns of code points and clusters.
@Suite("Widths") struct WidthTests {
  @Test(
    "code points alone",
    arguments: [
      (0x41, 1), (0x7E, 1), (0x00, 0), (0x1B, 0), (0x7F, 0), (0x80, 0), (0x9F, 0), (0xA0, 1),
      (0xAD, 1), (0xFF, 1), (0x17F, 1), (0x2FF, 1), (0x300, 0), (0x483, 0), (0x600, 1), (0x903, 1),
      (0x1100, 2), (0x1160, 0), (0x11A8, 0), (0xAC00, 2), (0xD7B0, 0), (0x200B, 0), (0x200D, 0),
      (0x2028, 0), (0x202E, 0), (0x20E3, 0), (0x231A, 2), (0x263A, 1), (0x26A0, 1), (0x270D, 1),
      (0x2500, 1), (0x3000, 2), (0x4E00, 2), (0x9FFF, 2), (0xE000, 1), (0xF8FF, 1), (0xFE0E, 0),
      (0xFE0F, 0), (0xFF21, 2), (0xFF71, 1), (0xFFFD, 1), (0xFEFF, 0), (0x1F13C, 1), (0x1F1E6, 1),
      (0x1F600, 2), (0x1F914, 2), (0x1F3FB, 2), (0x20000, 2), (0x2FFFD, 2), (0x2FFFF, 1),
      (0x3FFFD, 2), (0x40000, 1), (0xE0001, 0), (0xE0020, 0), (0xE01EF, 0), (0xE1000, 1),
      (0xF0000, 1), (0x10FFFD, 1), (0x10FFFF, 1), (0x110000, 1), (0xD800, 1),
    ]
  )
  func scalars(scalar: UInt32, columns: Int) {
    #expect(CharacterWidth.columns(of: scalar) == columns)
  }

  @Test(
    "ambiguous characters take one column",
    arguments: ["§", "±", "α", "Ж", "─", "█", "●", "→"]
  )
  func ambiguous(text: String) {
    #expect(ClusterWidth.columns(of: text.unicodeScalars.map(\.value)) == 1)
  }

  @Test("the short way below U+0300 agrees with the table")
  func fastPath() {
    for scalar: UInt32 in 0..<0x300 {
      #expect(CharacterWidth.columns(of: scalar) == ScalarProperties.of(scalar).columns)
    }
  }

  @Test(
    "clusters",
    arguments: [
      ("\u{26A0}\u{FE0F}", 2), ("\u{2699}\u{FE0F}", 2), ("\u{2139}\u{FE0F}", 2),
      ("1\u{FE0F}\u{20E3}", 2), ("\u{1F5A5}\u{FE0F}", 2), ("\u{2601}\u{FE0F}", 2),
      ("1\u{20E3}", 1), ("\u{26A0}", 1), ("\u{26A0}\u{FE0E}", 1), ("\u{231A}\u{FE0E}", 1),
      ("\u{231A}\u{FE0F}", 2), ("\u{1F600}\u{FE0E}", 2), ("a\u{FE0F}", 1), ("a\u{FE0E}", 1),
      ("中\u{FE0E}", 2), ("🇩🇪", 2), ("🇩", 1), ("👍🏽", 2), ("✍🏽", 2), ("❤\u{FE0F}\u{200D}🔥", 2),
      ("👨\u{200D}👩\u{200D}👧", 2), ("각", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("e\u{301}", 1),
      ("क्षि", 1), ("\u{301}", 0), ("\u{200B}", 0), ("", 0), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ]
  )
  func clusters(text: String, columns: Int) {
    #expect(ClusterWidth.columns(of: text.unicodeScalars.map(\.value)) == columns)
  }

  @Test("a measure that starts with its first scalar equals one that appends it")
  func measureStart() {
    for text in ["1\u{FE0F}\u{20E3}", "🇩🇪", "e\u{301}", "\u{26A0}\u{FE0F}"] {
      let scalars = text.unicodeScalars.map(\.value)
      var measure = ClusterMeasure(first: scalars[0])
      for scalar in scalars.dropFirst() { measure.append(scalar) }
      #expect(measure.columns == ClusterWidth.columns(of: scalars))
    }
  }
}
