import TermindTerminal

/// What was found, with the text under each match.
struct TestFind {
  let results: FindResults

  init(_ test: TestTerminal, _ query: FindQuery) throws {
    let finder = try Finder(query)
    results = finder.search(test.terminal.findText()) ?? FindResults.none(finder, test.terminal)
  }

  var matches: [FindMatch] { (0..<results.count).compactMap { results.match($0) } }
}

extension FindResults {
  static func none(_ finder: Finder, _ terminal: Terminal) -> FindResults {
    preconditionFailure("the search was ended")
  }
}

extension TestTerminal {
  /// Finds something in everything that the terminal keeps.
  func find(
    _ text: String,
    caseRule: FindQuery.CaseRule = .smart,
    isWholeWord: Bool = false,
    isRegex: Bool = false
  ) throws -> [FindMatch] {
    try TestFind(
      self,
      FindQuery(text, caseRule: caseRule, isWholeWord: isWholeWord, isRegex: isRegex)
    ).matches
  }

  /// The marked cells of each shown row, as `#` for marked columns.
  func marks(_ matches: [FindMatch], scrolledBack: Int = 0) -> [String] {
    (0..<terminal.size.rows).map { row in
      var line = [Character](repeating: ".", count: terminal.size.columns)
      for part in terminal.shownParts(row: row, scrolledBack: scrolledBack) {
        for match in matches {
          guard let columns = match.columns(in: part) else { continue }
          for column in columns where column < line.count { line[column] = "#" }
        }
      }
      return String(line)
    }
  }
}

/// The same numbers in every run.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
