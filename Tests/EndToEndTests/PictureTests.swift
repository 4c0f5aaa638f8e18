import Foundation
import TermindTestSupport
import Testing

/// The picture of README.md, which `Scripts/picture` makes from a real screen.
private struct Picture {
  let rows: [String]

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appending(path: "Docs/Pictures/demo.svg"),
      encoding: .utf8
    )
    var rows: [[(column: Int, text: String)]] = []
    for match in text.matches(of: /<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>([^<]*)<\/text>/) {
      guard let x = Double(match.1), let y = Double(match.2) else { continue }
      let row = Int(y / 18)
      while rows.count <= row { rows.append([]) }
      let shown = match.3.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&quot;", with: "\"").replacing("&#x27;", with: "'").replacing(
          "&amp;",
          with: "&"
        )
      rows[row].append((Int((x / 8.4).rounded()), String(shown)))
    }
    self.rows = rows.map { runs in
      runs.sorted { $0.column < $1.column }.reduce(into: "") { line, run in
        line += String(repeating: " ", count: max(run.column - line.count, 0)) + run.text
      }
    }
  }
}

@Suite("The picture of the README") struct PictureTests {
  /// A row without what differs from one machine and one moment to the next.
  private static func lasting(_ row: String) -> String {
    row.replacing(/[a-z_][a-z0-9_-]*@/, with: "user@").replacing(/[0-9]+/, with: "0")
      .replacing(/─+/, with: "─").replacing(#/ +$/#, with: "")
      .replacing(#/ +/#, with: " ")
  }

  /// The rows and columns of a screen that the program draws itself: bars, sidebar and titles.
  private static func frame(_ rows: [String]) throws -> [String] {
    let title = try #require(rows.dropFirst().first)
    let border = try #require(title.firstIndex(of: "├"))
    let columns = title.distance(from: title.startIndex, to: border)
    let sidebar = rows.dropFirst().prefix(12).map { String($0.prefix(columns)) }
    return ([rows[0], String(title.dropFirst(columns))] + sidebar + [rows.last ?? ""]).map(lasting)
  }

  @Test("shows what the program draws; else run Scripts/picture")
  func isCurrent() async throws {
    let picture = try Picture()
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["--demo"], columns: 110, rows: 30)
    _ = try await home.poll("three live panes", { try? await $0.panes() }) {
      $0?.map(\.state) == ["up", "up", "up"]
    }
    try await home.verb("focus", "--pane", "1")
    let wanted = try Self.frame(picture.rows)
    let rows = try await terminal.wait("the screen of the picture: \(wanted)") { rows in
      (try? Self.frame(rows)) == wanted
    }
    #expect(rows.count == picture.rows.count)
  }
}
