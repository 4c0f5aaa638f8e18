import TermindUnicode

/// Rows of text in columns that are as wide as their widest cell on a terminal.
nonisolated enum TextTable {
  /// The lines of a table; nothing in it is raw, so that it may be shown.
  ///
  /// - Parameters:
  ///   - titles: What stands above each column.
  ///   - rows: The cells, as many in each row as there are titles.
  /// - Returns: One line for the titles and one for each row; none when there is no row.
  static func text(_ titles: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    let cells = ([titles] + rows).map { $0.map(Cell.init) }
    var widths = [Int](repeating: 0, count: titles.count)
    for row in cells {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.columns) }
    }
    return cells.map { row in
      var line = ""
      var gap = 0
      for (column, cell) in row.enumerated() where column < widths.count {
        if cell.columns > 0 {
          line += String(repeating: " ", count: gap) + cell.text
          gap = 0
        }
        gap += widths[column] - cell.columns + 2
      }
      return line + "\n"
    }.joined()
  }

  /// A list of fields with what stands in them; of texts of several lines the later ones are indented.
  static func fields(_ fields: [(name: String, value: String)]) -> String {
    let width = fields.map(\.name.count).max() ?? 0
    return fields.map { field in
      let lines = field.value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let indent = String(repeating: " ", count: width + 2)
      let text = lines.map { Cell(String($0)).text }.joined(separator: "\n" + indent)
      return field.name + ":" + String(repeating: " ", count: width - field.name.count + 1) + text
        + "\n"
    }.joined()
  }

  private struct Cell {
    var text = ""
    var columns = 0

    init(_ raw: String) {
      for item in DisplayText(raw) {
        text += item.text
        columns += item.columns
      }
    }
  }
}
