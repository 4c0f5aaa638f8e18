import Testing

@testable import TermindUnicode

/// Cluster edges against Unicode's own samples and against another implementation's cuts.
@Suite("Grapheme clusters") struct GraphemeBreakerTests {
  @Test("cuts every sample where Unicode does")
  func samples() throws {
    let lines = GraphemeBreakSamples.text.split(separator: "\n")
    try #require(lines.count > GraphemeBreakSamples.officialCount)
    var wrong: [Substring] = []
    for line in lines {
      let clusters = line.split(separator: "|").map { cluster in
        cluster.split(separator: " ").compactMap { UInt32($0, radix: 16) }
      }
      if clustersOf(clusters.flatMap { $0 }) != clusters { wrong.append(line) }
    }
    #expect(wrong == [])
  }

  @Test("is at a boundary before the first scalar, also an extending one, and after a reset")
  func starts() {
    var breaker = GraphemeBreaker()
    let atStart = breaker.isBoundary(before: 0x301)
    let after = breaker.isBoundary(before: 0x301)
    breaker.reset()
    let afterReset = breaker.isBoundary(before: 0x301)
    #expect([atStart, after, afterReset] == [true, false, true])
  }

  @Test(
    "keeps these together",
    arguments: [
      "👩\u{200D}🚀", "👍🏽", "🇩🇪", "1\u{FE0F}\u{20E3}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "각", "e\u{301}\u{302}", "\r\n", "क्षि",
      "❤\u{FE0F}\u{200D}🔥", "👨\u{200D}👩\u{200D}👧\u{200D}👦",
    ]
  )
  func whole(text: String) {
    #expect(clustersOf(text.unicodeScalars.map(\.value)).count == 1)
  }

  @Test(
    "cuts these apart",
    arguments: [
      ("🇩🇪🇫", 2), ("a\u{200D}🚀", 2), ("\r\r", 2), ("\n\u{301}", 2), ("👍a", 2), ("がく", 2), ("🇩🇪🇫🇷", 2),
    ]
  )
  func apart(text: String, count: Int) {
    #expect(clustersOf(text.unicodeScalars.map(\.value)).count == count)
  }

  @Test("the short way for Latin gives the classes' answers")
  func latinFastPath() {
    let before: [UInt32] = [0x61, 0x0D, 0x0A, 0x600, 0x1F1E6, 0x1100, 0x1F600, 0x915, 0x200D]
    var wrong: [[UInt32]] = []
    for first in before {
      for second: UInt32 in 0..<0x310 {
        var fast = GraphemeBreaker()
        var slow = GraphemeBreaker()
        for scalar in [first, second] {
          let expected = slow.advance(over: ScalarProperties.of(scalar).rawValue >> 2)
          let answer = fast.isBoundary(before: scalar)
          if answer != expected { wrong.append([first, second]) }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test("reads numbers that are no scalar values without harm")
  func hostileNumbers() {
    var breaker = GraphemeBreaker()
    for scalar: UInt32 in [0xD800, 0xDFFF, 0x110000, .max, 0x1FFFF, 0xE0FFF, 0xE1000] {
      _ = breaker.isBoundary(before: scalar)
    }
    let atLetter = breaker.isBoundary(before: 0x61)
    #expect(atLetter)
  }

  private func clustersOf(_ scalars: [UInt32]) -> [[UInt32]] {
    var breaker = GraphemeBreaker()
    var clusters: [[UInt32]] = []
    for scalar in scalars {
      if breaker.isBoundary(before: scalar) { clusters.append([]) }
      clusters[clusters.count - 1].append(scalar)
    }
    return clusters
  }
}
