import FoundationEssentials

/// The table of Docs/Architecture.md: rows of `| target | owns | may import |`.
struct ArrowTable {
  /// Allowed module names by target; modules of the Swift toolchain that hold no policy are always in.
  let arrows: [String: Set<String>]

  private static let always: Set<String> = ["Synchronization", "Dispatch", "_Concurrency"]

  init(architecturePage: URL) throws {
    let text = String(decoding: try Data(contentsOf: architecturePage), as: UTF8.self)
    var arrows: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { Self.codeWords(in: String($0)) }
      guard cells.count >= 3, let target = cells[0].first else { continue }
      arrows[target] = Set(cells[2]).union(Self.always)
    }
    self.arrows = arrows
  }

  /// The words between back quotes.
  private static func codeWords(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
