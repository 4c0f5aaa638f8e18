import TermindUnicode
import Testing

/// A person's own widths.
@Suite("Width overrides") struct WidthOverrideTests {
  @Test("decide for their code point only, also inside a cluster")
  func decide() {
    let overrides = WidthOverrides([0x270D: 2, 0x1F600: 1, 0x41: 7, 0x42: -1])
    #expect(overrides.columns(of: 0x270D) == 2)
    #expect(overrides.columns(of: 0x1F600) == 1)
    #expect(overrides.columns(of: 0x41) == 2)
    #expect(overrides.columns(of: 0x42) == 0)
    #expect(overrides.columns(of: 0x270E) == 1)
    #expect(overrides.columns(of: [0x270D, 0x301]) == 2)
    #expect(overrides.columns(of: [0x270D, 0xFE0F]) == 2)
    #expect(overrides.columns(of: [0x1F1E9, 0x1F1EA]) == 2)
    #expect(WidthOverrides().columns(of: 0x270D) == 1)
    #expect(WidthOverrides().columns(of: [0x270D, 0xFE0F]) == 2)
  }

  @Test("are read from words")
  func reading() throws {
    let overrides = try WidthOverrides.parse("U+270D=2, 2500-2502=2\n1f600=1 ").get()
    #expect(overrides == WidthOverrides([0x270D: 2, 0x2500: 2, 0x2501: 2, 0x2502: 2, 0x1F600: 1]))
    #expect(try WidthOverrides.parse("").get().isEmpty)
  }

  @Test(
    "a wrong word is named",
    arguments: [
      "270D", "270D=3", "270D=", "=1", "x=1", "3-2=1", "0-FFFFF=1", "110000=1", "1-2-3=1", "-5=1",
      "+5=1", "270D=1=2",
    ]
  )
  func wrong(word: String) {
    #expect(throws: InvalidWidthOverride(word: word)) {
      try WidthOverrides.parse("41=1 \(word) 42=1").get()
    }
  }
}
