import TermindTerminal
import Testing

@Suite("Rows that look different than when they were drawn") struct DrawnRowsTests {
  /// What can be seen of one cell.
  private struct Look: Equatable {
    let column: Int
    let width: Int
    let text: String
    let style: TerminalStyle
  }

  /// All that can be seen of a row.
  private func look(_ terminal: Terminal, _ row: Int) -> [Look] {
    var cells: [Look] = []
    terminal.visitRow(row) { cell in
      cells.append(
        Look(
          column: cell.column,
          width: cell.width,
          text: terminal.clusterText(cell),
          style: terminal.style(cell.styleIndex)
        )
      )
    }
    return cells
  }

  @Test("every row at first, then those that were written to, cleared or moved")
  func names() {
    let screen = TestTerminal(rows: 4, columns: 10)
    var drawn = DrawnRows()
    screen.feed("a\r\nb\r\nc")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [0, 1, 2, 3])
    #expect(screen.terminal.takeChangedRows(since: &drawn).isEmpty)
    screen.feed("\(csi)2;1HB")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [1])
    // The same once more, and a cursor that goes somewhere, are nothing to be drawn.
    screen.feed("\(csi)2;1HB\(csi)4;4H")
    #expect(screen.terminal.takeChangedRows(since: &drawn).isEmpty)
    screen.feed("\(csi)1;1H\(csi)K")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [0])
    screen.feed("\(csi)3;1H\(csi)7mc")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [2])
    screen.feed("\(csi)3;1H\(esc)#6")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [2])
    screen.feed("\(csi)4;1H\n")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [0, 1, 2])
    screen.feed("\(csi)?1049h")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [0, 1])
    screen.feed("\(csi)?1049l")
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [0, 1])
  }

  @Test("every row of another size, of another terminal, and when styles were numbered anew")
  func everything() {
    let screen = TestTerminal(rows: 2, columns: 10)
    var drawn = DrawnRows()
    screen.feed("a")
    _ = screen.terminal.takeChangedRows(since: &drawn)
    screen.terminal.resize(to: TerminalSize(rows: 2, columns: 11))
    #expect(screen.terminal.takeChangedRows(since: &drawn) == [0, 1])
    let other = TestTerminal(rows: 2, columns: 11)
    other.feed("a")
    #expect(other.terminal.takeChangedRows(since: &drawn) == [0, 1])
    // More styles than are kept, each in the place of the one before.
    for number in 0..<5_000 {
      other.feed("\(csi)1;1H\(csi)4;58;2;1;\(number / 256);\(number % 256)ma")
    }
    #expect(other.terminal.takeChangedRows(since: &drawn) == [0, 1])
    #expect(other.terminal.takeChangedRows(since: &drawn).isEmpty)
  }

  @Test("whatever comes, a row that is not named looks as it did", arguments: 0..<40)
  func random(seed: Int) {
    var output = RandomOutput(seed: UInt64(seed) + 70_000)
    let terminal = Terminal(size: TerminalSize(rows: 6, columns: 17))
    var drawn = DrawnRows()
    var looks: [[Look]] = []
    for round in 0..<60 {
      terminal.feed(output.bytes(pieces: output.number(1...6)))
      if output.number(0...15) == 0 {
        terminal.resize(
          to: TerminalSize(rows: output.number(1...8), columns: output.number(1...20))
        )
      }
      let changed = Set(terminal.takeChangedRows(since: &drawn))
      for row in 0..<terminal.size.rows {
        let now = look(terminal, row)
        let isSame = row < looks.count && looks[row] == now
        #expect(isSame || changed.contains(row), "seed \(seed), round \(round), row \(row)")
      }
      looks = (0..<terminal.size.rows).map { look(terminal, $0) }
    }
  }
}
