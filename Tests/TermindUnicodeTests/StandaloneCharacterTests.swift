import Testing

@testable import TermindUnicode

/// Characters that a terminal may write by the run, against the general rules.
@Suite("Standalone characters") struct StandaloneCharacterTests {
  /// One scalar or more of every break class, and what stands at the edges of tables.
  private static let before: [UInt32] = [
    0x41, 0x20, 0xE9, 0x416, 0x301, 0x600, 0x903, 0x915, 0x94D, 0x1100, 0x1160, 0x11A8, 0x200B,
    0x200C, 0x200D, 0x231A, 0x2500, 0x3042, 0x4E00, 0xAC00, 0xAC01, 0xA97C, 0xFE0E, 0xFE0F,
    0x110BD, 0x11D46, 0x1F1E6, 0x1F3FB, 0x1F600, 0x20000, 0xE0061,
  ]

  @Test("have the width of the table")
  func allScalars() {
    var wrong: [UInt32] = []
    var found = 0
    for scalar in UInt32(0)..<0x2_0100 {
      let columns = CharacterWidth.standaloneColumns(of: scalar)
      guard columns > 0 else { continue }
      found += 1
      if columns != CharacterWidth.columns(of: scalar) { wrong.append(scalar) }
    }
    #expect(wrong == [])
    #expect(found > 90_000)
    #expect(CharacterWidth.standaloneColumns(of: 0x10FFFF) == 0)
    #expect(CharacterWidth.standaloneColumns(of: .max) == 0)
  }

  @Test("start a cluster after everything but what joins them", arguments: before)
  func boundaries(before: UInt32) {
    let joins = CharacterWidth.joinsStandalone(before)
    var joined = 0
    var after = GraphemeBreaker()
    _ = after.isBoundary(before: before)
    for scalar in UInt32(0)..<0x20000 where CharacterWidth.standaloneColumns(of: scalar) > 0 {
      var breaker = after
      if !breaker.isBoundary(before: scalar) { joined += 1 }
    }
    // A joiner alone joins nothing: it needs a picture before it.
    #expect(joins || joined == 0)
    if before == 0x600 || before == 0x1100 || before == 0xA97C { #expect(joins && joined > 0) }
  }

  @Test(
    "are not: marks, joiners, flags' halves, conjoining jamo, controls, values of the upper planes"
  )
  func others() {
    let others: [UInt32] = [
      0, 0x1B, 0x85, 0x300, 0x600, 0x903, 0x915, 0x1100, 0x1160, 0x11A8, 0x200B, 0x200D, 0x3099,
      0xFE0F, 0xFEFF, 0x1F1E6, 0x1F3FB, 0x20000, 0xE0061,
    ]
    for scalar in others { #expect(CharacterWidth.standaloneColumns(of: scalar) == 0, "\(scalar)") }
  }

  @Test("a picture joins a joiner after a picture, and that is told")
  func joiner() {
    var breaker = GraphemeBreaker()
    for scalar: UInt32 in [0x1F469, 0x200D] { _ = breaker.isBoundary(before: scalar) }
    let starts = breaker.isBoundary(before: 0x1F680)
    #expect(!starts)
    #expect(CharacterWidth.joinsStandalone(0x200D))
  }
}
