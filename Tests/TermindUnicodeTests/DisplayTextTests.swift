import Testing

@testable import TermindUnicode

/// Hostile text as something that can be shown.
@Suite("Display text") struct DisplayTextTests {
  @Test(
    "shows what it may and stands in for the rest",
    arguments: [
      ("plain", "plain"), ("a\u{1B}[31m", "a␛[31m"), ("a\nb\tc\r\n", "a␊b␉c␍␊"),
      ("\u{7F}\u{0}", "␡␀"),
      ("\u{85}x", "⟨0085⟩x"), ("exe\u{202E}gnp", "exe⟨202E⟩gnp"), ("a\u{200B}b", "a⟨200B⟩b"),
      ("\u{FEFF}a", "⟨FEFF⟩a"), ("soft\u{AD}", "soft⟨00AD⟩"), ("\u{2028}", "⟨2028⟩"),
      ("\u{FFFE}\u{1FFFF}", "⟨FFFE⟩⟨1FFFF⟩"), ("日本", "日本"), ("e\u{301}", "e\u{301}"),
      ("\u{301}x", "⟨0301⟩x"), ("\n\u{301}", "␊⟨0301⟩"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
      ("\u{E0041}", "⟨E0041⟩"), ("\u{2066}a\u{2069}", "⟨2066⟩a⟨2069⟩"), ("", ""),
    ]
  )
  func shown(text: String, expected: String) {
    #expect(DisplayText(text).text == expected)
    #expect(DisplayText(bytes: Array(text.utf8)).text == expected)
  }

  @Test("no control, direction control or invisible cluster is ever drawn, whatever the scalar")
  func everyScalar() {
    var bad: [UInt32] = []
    for value: UInt32 in 0...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for item in DisplayText(String(Character(scalar))) {
        let isHarmless = item.text.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
            && !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
        }
        if !isHarmless || item.columns < 1 || item.columns > 10 { bad.append(value) }
      }
    }
    #expect(bad == [])
  }

  @Test(
    "shows bytes that are no UTF-8",
    arguments: [
      ([0x61, 0xFF, 0x62], "a⟨xFF⟩b"), ([0xC3], "⟨xC3⟩"), ([0xE2, 0x82], "⟨xE2⟩⟨x82⟩"),
      ([0xC0, 0x80], "⟨xC0⟩⟨x80⟩"), ([0xED, 0xA0, 0x80], "⟨xED⟩⟨xA0⟩⟨x80⟩"),
      ([0xF4, 0x90, 0x80, 0x80], "⟨xF4⟩⟨x90⟩⟨x80⟩⟨x80⟩"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
      ([0xC3, 0xA9], "é"), ([0xFF, 0xCC, 0x81], "⟨xFF⟩⟨0301⟩"),
    ] as [([UInt8], String)]
  )
  func bytes(bytes: [UInt8], expected: String) {
    #expect(DisplayText(bytes: bytes).text == expected)
  }

  @Test("counts columns item by item")
  func columns() {
    let items = Array(DisplayText("a日\u{1B}⚠\u{FE0F}\u{202E}"))
    #expect(items.map(\.columns) == [1, 2, 1, 2, 6])
    #expect(items.map(\.isEscape) == [false, false, true, false, true])
    #expect(items.map(\.scalar) == [0x61, 0x65E5, 0x241B, nil, nil])
    #expect(DisplayText("a日\u{1B}").columns == 4)
  }

  @Test("a cluster has a bound, and what is above it is counted")
  func clusterBound() {
    let text = "e" + String(repeating: "\u{301}", count: 40) + "x"
    let items = Array(DisplayText(text))
    #expect(items.map(\.columns) == [1, 4, 1])
    #expect(items[0].text.unicodeScalars.count == DisplayText.clusterLimit)
    #expect(items[1].text == "⟨+9⟩")
    #expect(items[2].text == "x")
  }

  @Test(
    "clips to columns and never splits a wide cluster",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"), ("日本語", 1, "…"), ("日本語", 0, ""), ("", 3, ""), ("a日", 2, "a…"),
      ("ab日", 3, "ab…"), ("a\u{1B}bcd", 3, "a␛…"), ("abc", -1, ""),
    ]
  )
  func clipping(text: String, limit: Int, expected: String) {
    let result = DisplayText(text).clipped(to: limit)
    #expect(result.text == expected)
    #expect(result.columns == DisplayText(expected).columns)
    #expect(result.columns <= max(0, limit))
  }

  @Test("the items are the clusters of the text when nothing is hostile")
  func clusters() {
    let text = "héllo 日本 🇩🇪👍🏽 क्षि 각"
    #expect(DisplayText(text).map(\.text) == text.map(String.init))
  }
}
