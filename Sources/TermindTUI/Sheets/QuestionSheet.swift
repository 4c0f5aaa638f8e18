import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// A question with buttons over a window.
final class QuestionSheet: Sheet {
  let overlay = WindowOverlay.confirmation
  private var question: ConfirmSheet
  private var buttons: [CellRectangle] = []
  private let answered: (String) -> Void

  /// Makes a question.
  ///
  /// - Parameters:
  ///   - question: The text and the buttons.
  ///   - answered: Takes the id of the pressed button; the sheet is gone by then.
  init(_ question: ConfirmSheet, answered: @escaping (String) -> Void) {
    self.question = question
    self.answered = answered
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard case .pressed(let id) = question.handle(key) else { return .stay }
    return .closeThen { [answered] in answered(id) }
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    guard mouse.kind == .press, mouse.button == .left,
      let index = buttons.firstIndex(where: { $0.contains(row: mouse.row, column: mouse.column) })
    else { return .stay }
    let id = question.buttons[index].id
    return .closeThen { [answered] in answered(id) }
  }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    buttons = question.draw(on: &canvas, in: question.area(in: area), look)
  }
}
