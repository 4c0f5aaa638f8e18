import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// A question of a connection attempt that belongs to no pane, over the window.
final class PromptSheet: Sheet {
  let overlay = WindowOverlay("vault-question")
  private let view: PanePromptView
  private let left: () -> Void

  /// Makes a sheet of a question.
  ///
  /// - Parameters:
  ///   - view: The question.
  ///   - left: Runs when the window goes without an answer.
  init(_ view: PanePromptView, left: @escaping () -> Void) {
    self.view = view
    self.left = left
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    view.handle(key)
    return .stay
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome {
    view.paste(bytes)
    return .stay
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    if mouse.kind == .press { _ = view.click(row: mouse.row, column: mouse.column) }
    return .stay
  }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    view.draw(on: &canvas, in: area, look)
  }

  func dismissed() { left() }
}
