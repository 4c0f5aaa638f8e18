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
  ///   - window: Where it comes by itself, and not by a key: what is being typed for something else answers nothing.
  ///   - answered: Takes the id of the pressed button; the sheet is gone by then.
  init(
    _ question: ConfirmSheet,
    byItselfIn window: Window? = nil,
    answered: @escaping (String) -> Void
  ) {
    self.question = question
    self.answered = answered
    guard let window else { return }
    self.question.isReady = false
    Task { [weak self, weak window] in
      // Nobody cancels it.
      guard (try? await Task.sleep(for: Self.typeAheadTime)) != nil else { return }
      self?.question.isReady = true
      window?.requestFrame()
    }
  }

  /// How long keys are still taken for what they were typed for.
  private static let typeAheadTime = Duration.milliseconds(500)

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
