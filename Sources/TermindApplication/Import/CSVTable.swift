/// Rows of comma-separated values (RFC 4180).
struct CSVTable {
  /// One row and where it begins.
  struct Row: Equatable {
    /// The number of its first line, from 1.
    var line: Int
    var fields: [String]
  }

  private(set) var rows: [Row] = []
  /// Rows that cannot be read, by their first lines; reading goes on behind them.
  private(set) var broken: [Int] = []

  /// Reads a text; empty lines are no rows.
  ///
  /// Fields are divided by commas; by semicolons or tabs when the first line has those and no comma,
  /// as spreadsheets of some languages write it.
  init(_ text: String) {
    let separator = Self.separator(text)
    var row = Row(line: 1, fields: [])
    var field: [Unicode.Scalar] = []
    var state = State.start
    var line = 1
    var isBroken = false
    func end(_ row: inout Row, _ field: inout [Unicode.Scalar]) {
      row.fields.append(field.reduce(into: "") { $0.unicodeScalars.append($1) })
      field = []
    }
    func finish(_ table: inout CSVTable) {
      end(&row, &field)
      if isBroken {
        table.broken.append(row.line)
      } else if row.fields.count > 1 || row.fields[0] != "" {
        table.rows.append(row)
      }
      isBroken = false
    }
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\n" { line += 1 }
      switch (state, scalar) {
      case (.quoted, "\""):
        if scalars.first == "\"" {
          scalars.removeFirst()
          field.append("\"")
        } else {
          state = .closed
        }
      case (.quoted, _):
        field.append(scalar)
      case (_, "\r") where scalars.first == "\n":
        continue
      case (_, "\n"), (_, "\r"):
        finish(&self)
        row = Row(line: line, fields: [])
        state = .start
      case (_, separator):
        end(&row, &field)
        state = .start
      case (.start, "\""):
        state = .quoted
      case (.closed, _):
        // Something behind a closing quote.
        isBroken = true
        field.append(scalar)
      default:
        field.append(scalar)
        state = .plain
      }
    }
    if state == .quoted { isBroken = true }
    if !row.fields.isEmpty || !field.isEmpty || isBroken { finish(&self) }
  }

  private enum State {
    case start
    case plain
    case quoted
    case closed
  }

  private static func separator(_ text: String) -> Unicode.Scalar {
    let head = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    if head.contains(",") { return "," }
    return head.contains(";") ? ";" : head.contains("\t") ? "\t" : ","
  }
}
