import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// Draws a pane's screen, or a part of its scrollback, into the window's canvas.
enum SurfacePainter {
  /// Copies the visible rows under the surface's lock.
  ///
  /// - Parameters:
  ///   - surface: What to draw.
  ///   - area: The pane's cells on the canvas.
  ///   - scrolledBack: How many rows above the live screen the view begins.
  ///   - theme: The window's theme; nil follows the outer terminal.
  ///   - prompts: What commands came to.
  ///   - marks: What was found, to be marked.
  ///   - copying: What is selected, with the cursor of copy mode.
  ///   - canvas: The window's frame.
  /// - Returns: Where the program's cursor stands on the canvas, when it is shown.
  static func draw(
    _ surface: Surface,
    in area: CellRectangle,
    scrolledBack: Int,
    theme: Theme?,
    prompts: PromptMarks? = nil,
    marks: FindMarks? = nil,
    copying: CopyMarks? = nil,
    on canvas: inout Canvas
  ) -> CanvasCursor? {
    canvas.clip(rows: area.rowRange, columns: area.columnRange)
    defer { canvas.removeClip() }
    return surface.withGuess { terminal, guess in
      var bridge = StyleBridge(StyleBridge.Colors(of: terminal, theme: theme))
      canvas.fill(rows: area.rowRange, columns: area.columnRange, style: bridge.blank)
      for row in 0..<min(area.rows, terminal.size.rows) {
        draw(row, of: terminal, in: area, scrolledBack: scrolledBack, &bridge, on: &canvas)
      }
      let shown = scrolledBack == 0 ? guess : nil
      draw(shown, in: area, style: bridge.blank, on: &canvas)
      // The numbers of rows stand where the marks would.
      if copying?.showsNumbers != true {
        prompts?.draw(terminal, in: area, scrolledBack: scrolledBack, on: &canvas)
      }
      marks?.draw(terminal, in: area, scrolledBack: scrolledBack, on: &canvas)
      if let copying {
        let cursor = copying.draw(terminal, in: area, scrolledBack: scrolledBack, on: &canvas)
        if copying.cursor != nil { return cursor }
      }
      return cursor(of: terminal, in: area, scrolledBack: scrolledBack, after: shown)
    }
  }

  /// The program's cursor, behind what is guessed.
  private static func cursor(
    of terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int,
    after guess: EchoPredictor.Guess?
  ) -> CanvasCursor? {
    let cursor = cursor(of: terminal, in: area, scrolledBack: scrolledBack)
    guard let guess, var cursor, guess.cursorColumn < area.columns else { return cursor }
    cursor.column = area.column + guess.cursorColumn
    return cursor
  }

  /// Underlines what is only guessed to stand there, and leaves out what is guessed to go.
  private static func draw(
    _ guess: EchoPredictor.Guess?,
    in area: CellRectangle,
    style: ScreenStyle,
    on canvas: inout Canvas
  ) {
    guard let guess, guess.row < area.rows else { return }
    var underlined = style
    underlined.underline = .single
    for cell in guess.cells where cell.column < area.columns {
      let letter = cell.scalar.flatMap { Unicode.Scalar($0) }
      canvas.put(
        letter.map { String($0) } ?? " ",
        row: area.row + guess.row,
        column: area.column + cell.column,
        limit: 1,
        style: letter == nil ? style : underlined
      )
    }
  }

  /// A live screen as it was drawn over the last whole frame of its window.
  struct Drawn {
    fileprivate var rows = DrawnRows()
    fileprivate var colors: StyleBridge.Colors?
    fileprivate var hasGuess = false
  }

  /// Draws those rows of the live screen that look different than what is on the canvas.
  ///
  /// - Parameters:
  ///   - surface: What to draw.
  ///   - area: The pane's cells on the canvas.
  ///   - theme: The window's theme; nil follows the outer terminal.
  ///   - prompts: What commands came to.
  ///   - drawn: What was drawn before in this area of this canvas; brought up to date.
  ///   - canvas: The window's last frame.
  /// - Returns: Where the program's cursor stands on the canvas, when it is shown.
  static func redraw(
    _ surface: Surface,
    in area: CellRectangle,
    theme: Theme?,
    prompts: PromptMarks? = nil,
    over drawn: inout Drawn,
    on canvas: inout Canvas
  ) -> CanvasCursor? {
    canvas.clip(rows: area.rowRange, columns: area.columnRange)
    defer { canvas.removeClip() }
    return surface.withGuess { terminal, guess in
      let colors = StyleBridge.Colors(of: terminal, theme: theme)
      var bridge = StyleBridge(colors)
      let blank = bridge.blank
      // Where a guess stands, or stood, the rows are no longer as they were drawn.
      if drawn.colors != colors || drawn.hasGuess || guess != nil {
        drawn = Drawn(colors: colors)
        canvas.fill(rows: area.rowRange, columns: area.columnRange, style: blank)
      }
      for row in terminal.takeChangedRows(since: &drawn.rows) where row < area.rows {
        let line = area.row + row
        canvas.fill(rows: line..<line + 1, columns: area.columnRange, style: blank)
        draw(row, of: terminal, in: area, scrolledBack: 0, &bridge, on: &canvas)
      }
      draw(guess, in: area, style: blank, on: &canvas)
      drawn.hasGuess = guess != nil
      // A command that ends marks the row of its prompt, which changes nothing else there.
      prompts?.draw(terminal, in: area, scrolledBack: 0, on: &canvas)
      return cursor(of: terminal, in: area, scrolledBack: 0, after: guess)
    }
  }

  /// Draws one row over blanks.
  private static func draw(
    _ row: Int,
    of terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int,
    _ bridge: inout StyleBridge,
    on canvas: inout Canvas
  ) {
    // Neighbours mostly look alike.
    var known: (index: UInt32, style: StyleIndex)?
    terminal.visitRow(row, scrolledBack: scrolledBack) { cell in
      if cell.scalar == 0, cell.styleIndex == 0 { return }
      let style: StyleIndex
      if let known, known.index == cell.styleIndex {
        style = known.style
      } else {
        style = bridge.style(cell.styleIndex, of: terminal, in: &canvas)
        known = (cell.styleIndex, style)
      }
      if cell.isCluster {
        canvas.set(
          row: area.row + row,
          column: area.column + cell.column,
          cluster: terminal.clusterText(cell),
          width: cell.width,
          style: style
        )
      } else {
        canvas.set(
          row: area.row + row,
          column: area.column + cell.column,
          scalar: cell.scalar == 0 ? 0x20 : cell.scalar,
          width: cell.width,
          style: style
        )
      }
    }
  }

  private static func cursor(
    of terminal: Terminal,
    in area: CellRectangle,
    scrolledBack: Int
  ) -> CanvasCursor? {
    let cursor = terminal.cursor
    let row = cursor.position.row + scrolledBack
    guard cursor.isVisible, row < area.rows, cursor.position.column < area.columns else {
      return nil
    }
    let shape: CursorShape =
      switch cursor.shape {
      case .block: .block
      case .underline: .underline
      case .bar: .bar
      }
    return CanvasCursor(
      row: area.row + row,
      column: area.column + cursor.position.column,
      shape: shape,
      blinks: cursor.blinks
    )
  }
}
