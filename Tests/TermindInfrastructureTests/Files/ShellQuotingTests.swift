import TermindDomain
import TermindTestSupport
import Testing

@Suite("Names as words of a shell") struct ShellQuotingTests {
  static let names: [[UInt8]] =
    [
      "plain", "with blank", "it's", "-rf", "~root", "$HOME `id` \"x\" \\ *?[", "tab\there",
      "line\nbreak", "cr\r", "esc\u{1B}[2J", "雪人", "\u{202E}x", "a\u{1}b2", "trailing ", "#x", "!x",
      "{a,b}",
      "=x", "'", "a&b;c|d<e>f",
    ].map { Array($0.utf8) } + [[0x61, 0xFF, 0x30], [0xC3, 0x28]]

  @Test("bash takes every word as exactly the name", arguments: names)
  func roundTrip(name: [UInt8]) async throws {
    let word = ShellQuoting.word(name)
    #expect(word.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    let text = try #require(String(validating: word, as: UTF8.self))
    // Octal digits, since the output is taken as text.
    let output = try await TestProgram.run(
      "/bin/bash",
      ["--norc", "-c", "printf '%s' \(text) | od -An -v -tx1 | tr -d ' \\n'"]
    )
    let expected = name.first == 0x2D ? [0x2E, 0x2F] + name : name
    let digits = expected.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(output == digits)
  }

  @Test("plain names stay as they are")
  func plain() {
    #expect(ShellQuoting.word(Array("a-b_c.d/e".utf8)) == Array("a-b_c.d/e".utf8))
    #expect(ShellQuoting.word([]) == Array("''".utf8))
  }
}
