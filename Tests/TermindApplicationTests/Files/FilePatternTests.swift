import TermindApplication
import TermindDomain
import Testing

@Suite("Patterns for names") struct FilePatternTests {
  @Test(
    "matches whole names",
    arguments: [
      ("*", "anything", true), ("*.txt", "a.txt", true), ("*.txt", "a.txt~", false),
      ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-c-b", false), ("?", "日", true), ("?", "ab", false),
      ("[a-c]1", "b1", true), ("[!a-c]1", "b1", false), ("[", "[", true), ("\\*", "*", true),
      ("\\*", "x", false), ("*.md *.txt", "x.txt", true), ("-rf", "-rf", true),
      ("a\u{1B}*", "a\u{1B}[31m", true), ("**a**", "xax", true),
    ] as [(String, String, Bool)]
  )
  func matches(pattern: String, name: String, expected: Bool) throws {
    #expect(try #require(FilePattern(pattern)).matches(try FileName(name)) == expected)
  }

  @Test("a pattern of nothing is none")
  func empty() { #expect(FilePattern("  ") == nil) }

  @Test("many stars cost no more than the name squared")
  func manyStars() throws {
    let pattern = try #require(FilePattern(String(repeating: "*a", count: 60) + "b"))
    #expect(!pattern.matches(try FileName(String(repeating: "a", count: 250))))
  }
}
