import TermindTerminal
import Testing

/// The engine against the simplest search there is, in random text at random widths.
@Suite("Find agrees with a simple search") struct FindAgreementTests {
  private static let pieces = [
    "a", "b", "ab", "A", " ", "  ", "é", "漢", "e\u{301}", "👍🏽", "xyz", "\u{1B}[31m", "\u{1B}[0m",
    "\r\n", "\r\n", "aaaa", "\u{1B}[38;2;1;2;3mq",
  ]

  private func count(_ pattern: String, _ text: String, ignoresCase: Bool) -> Int {
    var count = 0
    let wanted = Array((ignoresCase ? pattern.lowercased() : pattern).utf8)
    for line in text.split(separator: "\n") {
      let bytes = Array((ignoresCase ? line.lowercased() : String(line)).utf8)
      var place = 0
      while place + wanted.count <= bytes.count {
        if Array(bytes[place..<place + wanted.count]) == wanted {
          count += 1
          place += wanted.count
        } else {
          place += 1
        }
      }
    }
    return count
  }

  @Test("counts are the same", arguments: 0..<40)
  func counts(seed: Int) throws {
    var random = SeededNumbers(state: UInt64(seed))
    let columns = Int.random(in: 2...30, using: &random)
    let test = TestTerminal(rows: 4, columns: columns)
    for _ in 0..<400 { test.feed(Self.pieces.randomElement(using: &random) ?? "") }
    if Bool.random(using: &random) {
      test.terminal.resize(
        to: TerminalSize(rows: 5, columns: Int.random(in: 2...30, using: &random))
      )
    }
    for pattern in ["a", "ab", "aa", "b a", "é", "漢a", "e", "👍🏽", "yz", "A", "qx"] {
      let expected = count(pattern, test.everything, ignoresCase: pattern != "A")
      #expect(try test.find(pattern).count == expected, "\(pattern)")
      #expect(try test.find(pattern, isRegex: true).count == expected, "\(pattern), expression")
    }
  }

  @Test("every match is where the screen shows its text", arguments: 0..<40)
  func places(seed: Int) throws {
    var random = SeededNumbers(state: UInt64(1_000 + seed))
    let columns = Int.random(in: 4...30, using: &random)
    let test = TestTerminal(rows: 4, columns: columns)
    for _ in 0..<400 { test.feed(Self.pieces.randomElement(using: &random) ?? "") }
    test.terminal.resize(to: TerminalSize(rows: 5, columns: Int.random(in: 4...30, using: &random)))
    for (pattern, width) in [("b", 1), ("漢", 2), ("xyz", 3), ("q", 1)] {
      for match in try test.find(pattern, caseRule: .exact) {
        let row = try #require(test.terminal.shownRow(of: match.start))
        let back = max(-row, 0)
        var text = ""
        var marked = 0
        for step in 0..<3 where row + back + step < 5 {
          for part in test.terminal.shownParts(row: row + back + step, scrolledBack: back) {
            guard let columns = match.columns(in: part) else { continue }
            marked += columns.count
            for cell in test.cells(row: row + back + step, scrolledBack: back)
            where columns.contains(cell.column) {
              text += test.terminal.clusterText(cell)
            }
          }
        }
        #expect(text == pattern)
        #expect(marked == width)
      }
    }
  }
}
