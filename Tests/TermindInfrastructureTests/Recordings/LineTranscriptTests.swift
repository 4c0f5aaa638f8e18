import Testing

@testable import TermindInfrastructure

@Suite("Plain text of a session") struct LineTranscriptTests {
  static func lines(_ output: String, pieces: Int? = nil) -> String {
    var transcript = LineTranscript()
    let bytes = Array(output.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(start + (pieces ?? bytes.count), bytes.count)
      unsafe Array(bytes[start..<end]).withUnsafeBytes { unsafe transcript.feed($0) }
      start = end
    }
    transcript.finish()
    return transcript.takeLines()
  }

  @Test(
    "keeps the lines as a person saw them",
    arguments: [
      ("plain\r\nlines\r\n", "plain\nlines\n"),
      ("no end", "no end\n"),
      ("\u{1B}[1;31mred\u{1B}[0m word\r\n", "red word\n"),
      ("\u{1B}]0;a title\u{07}text\u{1B}]8;;http://x\u{1B}\\link\r\n", "textlink\n"),
      ("\u{1B}(B\u{1B}=x\r\n", "x\n"),
      ("10%\r50%\r100%\r\n", "100%\n"),
      ("helo\u{08}\u{1B}[@l\r\n", "hello\n"),
      ("abc\u{08} \u{08}d\r\n", "abd\n"),
      ("$ make tset\u{08}\u{08}\u{08}\u{1B}[Kest\r\n", "$ make test\n"),
      ("ls /tmp\u{1B}[7D\u{1B}[2P\u{1B}[2@cd\r\n", "cd /tmp\n"),
      ("grüße 日本 👍\r\n", "grüße 日本 👍\n"),
      ("one\u{1B}[5;1Htwo\r\n", "one\ntwo\n"),
      ("a\tb   \r\n", "a\tb\n"),
      ("before\r\n\u{1B}[?1049hfull screen\r\nof vim\u{1B}[?1049lafter\r\n", "before\nafter\n"),
      ("\u{1B}[?25l\u{1B}[>4;1m\u{1B}[38:2::1:2:3mx\r\n", "x\n"),
      ("\u{9B}31mc1\r\n", "31mc1\n"),
    ]
  )
  func kept(_ output: String, _ expected: String) {
    #expect(Self.lines(output) == expected)
    for size in 1...3 { #expect(Self.lines(output, pieces: size) == expected, "pieces of \(size)") }
  }

  @Test("a line without an end is broken, and invalid bytes are replaced")
  func bounds() {
    let long = String(repeating: "x", count: LineTranscript.longestLine + 10)
    let lines = Self.lines(long).split(separator: "\n")
    #expect(lines.map(\.count) == [LineTranscript.longestLine, 10])
    var transcript = LineTranscript()
    let bytes: [UInt8] = [0x61, 0xC3, 0x28, 0xFF, 0x62, 0x0A]
    unsafe bytes.withUnsafeBytes { unsafe transcript.feed($0) }
    #expect(transcript.takeLines() == "a\u{FFFD}(\u{FFFD}b\n")
  }
}
