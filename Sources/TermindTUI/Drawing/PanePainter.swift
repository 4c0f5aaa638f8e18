import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// Draws what is inside one pane's frame: its screen, its question, or why there is none.
struct PanePainter {
  private let window: Window
  private let look: Appearance

  private let last: Canvas?

  init(_ window: Window, _ look: Appearance, last: Canvas? = nil) {
    self.window = window
    self.look = look
    self.last = last
  }

  func draw(_ pane: Pane, in area: CellRectangle, isFocused: Bool, on canvas: inout Canvas) {
    guard !area.isEmpty else {
      window.prompt(of: pane.id)?.hide()
      return
    }
    if isFocused { canvas.cursor = nil }
    let cursor = drawContent(pane, in: area, isFocused: isFocused, on: &canvas)
    if isFocused { canvas.cursor = nil }
    let outer = canvas.cursor
    drawState(pane, in: area, on: &canvas)
    if let prompt = window.prompt(of: pane.id) { prompt.draw(on: &canvas, in: area, look) }
    // Only the focused pane may have the cursor: its form's, else its program's.
    if !isFocused {
      canvas.cursor = outer
    } else if canvas.cursor == nil,
      pane.session.state.isTyping || pane.copying?.origin == .keys
    {
      canvas.cursor = cursor
    }
  }

  /// Draws the pane's files or its screen, and tells where the cursor belongs.
  private func drawContent(
    _ pane: Pane,
    in area: CellRectangle,
    isFocused: Bool,
    on canvas: inout Canvas
  ) -> CanvasCursor? {
    guard let files = pane.files else { return drawSurface(pane, in: area, on: &canvas) }
    let outer = canvas.cursor
    let transfer = window.server.transfer(into: files).map {
      "\(TransferText.state($0)) \(TransferText.amounts($0))"
    }
    files.draw(on: &canvas, in: area, isFocused: isFocused, transfer: transfer ?? "", look)
    defer { canvas.cursor = outer }
    return isFocused ? canvas.cursor : nil
  }

  /// Draws what is new on a pane's screen over the last frame, in which everything else still holds.
  func redraw(_ shown: inout WindowPainter.ShownPane, on canvas: inout Canvas) {
    guard let pane = window.server.panes[shown.face.pane], !pane.isHoldingPicture else { return }
    let cursor: CanvasCursor?
    if let surface = pane.surface, pane.scrolledBack == 0 {
      cursor = SurfacePainter.redraw(
        surface,
        in: shown.area,
        theme: theme(of: pane),
        prompts: PromptMarks(look: look),
        over: &shown.drawn,
        on: &canvas
      )
    } else {
      shown.drawn = SurfacePainter.Drawn()
      cursor = drawSurface(pane, in: shown.area, on: &canvas)
    }
    if shown.face.isFocused { canvas.cursor = cursor }
  }

  private func theme(of pane: Pane) -> Theme? {
    look.usesThemeColors ? pane.hostTheme ?? look.theme : nil
  }

  private func drawSurface(_ pane: Pane, in area: CellRectangle, on canvas: inout Canvas)
    -> CanvasCursor?
  {
    guard let surface = pane.surface else { return nil }
    if pane.isHoldingPicture, let last, canvas.copy(area.rowRange, area.columnRange, from: last) {
      return last.cursor
    }
    return SurfacePainter.draw(
      surface,
      in: area,
      scrolledBack: pane.scrolledBack,
      theme: theme(of: pane),
      prompts: PromptMarks(look: look),
      marks: pane.find.marks(look),
      copying: pane.copying?.marks(look),
      on: &canvas
    )
  }

  private func drawState(_ pane: Pane, in area: CellRectangle, on canvas: inout Canvas) {
    switch pane.session.state {
    case .live, .closed: break
    case .idle:
      if case .empty = pane.content {
        let hints = [
          KeyHint("enter", "local shell"), KeyHint("c", "connect"), KeyHint("esc", "close"),
        ]
        PaneNotices.drawEmpty(hints: hints, on: &canvas, in: area, look)
      } else if let explanation = PaneText.explanation(pane) {
        PaneNotices.drawDead(explanation, on: &canvas, in: area, look)
      }
    case .connecting(let progress), .waiting(_, let progress):
      let isFirst =
        pane.surface?.withTerminal { $0.rowsScrolledOut == 0 && $0.isBlank }
        ?? (pane.files?.model.directory == nil)
      guard isFirst || progress.isSilent == false else { return }
      PaneNotices.drawConnecting(
        PaneText.progress(pane, progress),
        hints: [KeyHint("esc", "stop")],
        on: &canvas,
        in: area,
        look
      )
    case .lost, .failed, .ended:
      if let explanation = PaneText.explanation(pane) {
        _ = PaneNotices.drawDead(explanation, on: &canvas, in: area, look)
      }
    }
  }
}
