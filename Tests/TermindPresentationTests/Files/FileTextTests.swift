import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Sizes, times and keys of files") struct FileTextTests {
  @Test(
    "writes sizes in at most six columns",
    arguments: [
      (0, "0"), (12, "12"), (999, "999"), (1_000, "1.0 K"), (1_024, "1.0 K"), (8_294, "8.1 K"),
      (10_200, "10 K"), (421_888, "412 K"), (1_024_000, "1.0 M"), (1_048_576, "1.0 M"),
      (5_000_000_000, "4.7 G"),
      (UInt64.max, "16 E"),
    ] as [(UInt64, String)]
  )
  func sizes(bytes: UInt64, text: String) {
    #expect(FileText.size(bytes) == text)
    #expect(FileText.size(bytes).count <= 6)
  }

  @Test("writes times of this year with the minute and others with the year, in twelve columns")
  func times() {
    let now = FileText.time(year: 2026, month: 11, day: 3, hour: 9, minute: 5, thisYear: 2026)
    #expect(now == "Nov  3 09:05")
    let later = FileText.time(year: 2049, month: 1, day: 1, hour: 0, minute: 0, thisYear: 2026)
    #expect(later == "Jan  1  2049")
  }

  @Test("every key can be read, and no key means two things")
  func keys() throws {
    var seen: [KeyChord: FilesCommand] = [:]
    for binding in FilesBinding.all {
      for key in binding.keys {
        let chord = try KeyChord(text: key)
        #expect(seen[chord] == nil, "\(key) is \(String(describing: seen[chord])) as well")
        seen[chord] = binding.command
        #expect(FilesBinding.command(of: chord.event) == binding.command)
      }
    }
    #expect(Set(FilesBinding.all.map(\.command)) == Set(FilesCommand.allCases))
  }

  @Test("a capital letter is another key than its small one, on every kind of terminal")
  func capitals() {
    let reported = KeyEvent(code: .character(0x73), shifted: 0x53, modifiers: .shift, text: "S")
    #expect(FilesBinding.command(of: reported) == .reverse)
    #expect(FilesBinding.command(of: KeyEvent(code: .character(0x73), text: "s")) == .sort)
    let star = KeyEvent(code: .character(0x2A), text: "*")
    #expect(FilesBinding.command(of: star) == .invertMarks)
  }
}

/// The page that lists the keys of a file pane.
enum FileKeysPage {
  static var text: String {
    var lines = [
      "# Keys of a file pane", "",
      "Generated from the program; a test fails when it is stale (`TERMIND_RECORD=1 swift test",
      "--filter DocumentationTests` writes it anew). No leader is needed; `?` shows this list in the pane.",
    ]
    for group in FilesBinding.Group.allCases {
      lines += ["", "## \(group.rawValue)", "", "| keys | what |", "| --- | --- |"]
      for binding in FilesBinding.all where binding.group == group {
        let keys = binding.keys.map { "`\($0)`" }.joined(separator: ", ")
        lines.append("| \(keys) | \(binding.label) |")
      }
    }
    lines += [
      "", "# Keys of the transfers sheet", "",
      "`leader t` opens it; a click on a running transfer in the sidebar does too.", "",
      "| keys | what |", "| --- | --- |",
    ]
    for binding in TransfersBinding.all {
      let keys = binding.keys.map { "`\($0)`" }.joined(separator: ", ")
      lines.append("| \(keys) | \(binding.label) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
