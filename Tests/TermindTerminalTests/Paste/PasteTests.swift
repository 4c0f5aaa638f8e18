import Testing

@testable import TermindTerminal

/// What a program gets when the person pastes.
@Suite("Paste") struct PasteTests {
  private static let start = "\u{1B}[200~"
  private static let end = "\u{1B}[201~"

  @Test(
    "between marks only text, tabs and line ends are left",
    arguments: [
      ("plain", "plain"), ("", ""), ("a\nb\r\nc\td", "a\nb\r\nc\td"), ("a\u{1B}[201~b", "ab"),
      ("a\u{1B}[200~b", "ab"), ("\u{1B}[201~", ""), ("\u{1B}[20\u{1B}[201~1~x", "[201~x"),
      ("\u{1B}\u{1B}[201~x", "x"), ("\u{9B}201~x", "x"), ("é\u{85}ü", "éü"),
      ("a\u{0}\u{3}\u{8}\u{7F}b", "ab"),
      ("\u{1B}[31mred", "[31mred"), ("\u{1B}[202~", "[202~"), ("\u{1B}[201", "[201"),
      ("x\u{1B}", "x"),
      ("日本 £ ±", "日本 £ ±"), ("rm -rf\u{1B}[201~\nrm", "rm -rf\nrm"),
    ]
  )
  func bracketed(text: String, expected: String) {
    let bytes = PasteEncoder.encode(Array(text.utf8), isBracketed: true)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.start + expected + Self.end)
  }

  @Test(
    "without the mode it is typed, with CR for every line end",
    arguments: [
      ("a\nb", "a\rb"), ("a\r\nb", "a\rb"), ("a\rb", "a\rb"), ("a\n\nb\r\n\r\n", "a\r\rb\r\r"),
      ("a\r\n\n", "a\r\r"), ("\u{1B}[201~x", "x"), ("\u{1B}[A", "[A"), ("a\tb", "a\tb"), ("", ""),
    ]
  )
  func plain(text: String, expected: String) {
    let bytes = PasteEncoder.encode(Array(text.utf8), isBracketed: false)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test("pieces give the same as the whole, wherever it is cut", arguments: [true, false])
  func pieces(isBracketed: Bool) {
    let text = Array("a\u{1B}[201~b\r\n\u{9B}201~c\u{1B}[20£\u{1B}é\n\u{1B}[2".utf8)
    let whole = PasteEncoder.encode(text, isBracketed: isBracketed)
    for cut in 0...text.count {
      var stream = PasteStream(isBracketed: isBracketed)
      let bytes =
        stream.feed(Array(text[..<cut])) + stream.feed(Array(text[cut...])) + stream.finish()
      #expect(bytes == whole, "cut at \(cut)")
    }
  }

  @Test("no input brings an escape byte or a C1 control between the marks")
  func nothingEscapes() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("\u{1B}[201~0\u{9B}".utf8) + [0xC2, 0x9B, 0x0D, 0x0A, 0x00, 0x7F, 0xFF]
    for _ in 0..<2000 {
      let text = (0..<24).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let bytes = PasteEncoder.encode(text, isBracketed: true)
      let inside = bytes.dropFirst(6).dropLast(6)
      #expect(!inside.contains(0x1B), "\(text)")
      let isClean = zip(inside, inside.dropFirst()).allSatisfy {
        $0 != 0xC2 || !(0x80...0x9F).contains($1)
      }
      #expect(isClean, "\(text)")
    }
  }

  @Test("a paste without an end is closed by finish, and only an open one is")
  func finishing() {
    var stream = PasteStream(isBracketed: true)
    #expect(stream.finish() == [])
    _ = stream.feed(Array("half".utf8))
    let end = stream.finish()
    #expect(end == Array(Self.end.utf8))
    let again = stream.finish()
    #expect(again == [])
  }

  @Test("a large paste comes in chunks that split no character", arguments: [true, false])
  func chunks(isBracketed: Bool) {
    let text = Array(String(repeating: "日本語🤔x\n", count: 5_000).utf8)
    let chunks = PasteEncoder.chunks(text, isBracketed: isBracketed)
    #expect(Array(chunks.joined()) == PasteEncoder.encode(text, isBracketed: isBracketed))
    #expect(chunks.allSatisfy { !$0.isEmpty && $0.count <= PasteEncoder.chunkSize })
    #expect(chunks.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    #expect(PasteEncoder.chunks([], isBracketed: false).isEmpty)
  }

  @Test("bytes that are no text still come out in bounded chunks")
  func chunksOfContinuationBytes() {
    let chunks = PasteEncoder.chunks([UInt8](repeating: 0x80, count: 10_000), isBracketed: false)
    #expect(chunks.joined().count == 10_000)
    #expect(chunks.count <= 4)
  }
}
