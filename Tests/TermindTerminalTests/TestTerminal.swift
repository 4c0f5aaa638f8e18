import TermindTerminal

/// A terminal with what tests ask of it.
struct TestTerminal {
  let terminal: Terminal

  init(
    rows: Int = 4,
    columns: Int = 10,
    configuration: TerminalConfiguration = TerminalConfiguration()
  ) {
    terminal = Terminal(
      size: TerminalSize(rows: rows, columns: columns),
      configuration: configuration
    )
  }

  func feed(_ text: String) { terminal.feed(Array(text.utf8)) }

  var screen: [String] { terminal.screenText() }

  var cursor: CellPosition { terminal.cursor.position }

  /// The replies as text, with ESC as `␛`.
  func replies() -> String {
    String(decoding: terminal.takeReplies(), as: UTF8.self).replacingEscapes()
  }

  func cells(row: Int, scrolledBack: Int = 0) -> [TerminalCell] {
    var cells: [TerminalCell] = []
    terminal.visitRow(row, scrolledBack: scrolledBack) { cells.append($0) }
    return cells
  }

  func style(row: Int, column: Int) -> TerminalStyle {
    var style = TerminalStyle()
    terminal.visitRow(row) { cell in
      if cell.column <= column, column < cell.column + cell.width {
        style = terminal.style(cell.styleIndex)
      }
    }
    return style
  }

  /// The text of all rows, of the scrollback first.
  var everything: String { terminal.captureText(includingScrollback: true) }
}

extension String {
  func replacingEscapes() -> String {
    String(map { $0 == "\u{1B}" ? "␛" : $0 })
  }
}

let esc = "\u{1B}"
let csi = "\u{1B}["
let osc = "\u{1B}]"
let dcs = "\u{1B}P"
let st = "\u{1B}\\"
