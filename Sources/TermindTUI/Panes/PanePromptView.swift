import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// The question of a pane's connection attempt, drawn in the pane and answered there.
///
/// It belongs to the pane and not to the window, so that twenty panes can ask at once and the person
/// answers where they want to.
final class PanePromptView {
  private enum Sheet {
    case hostKey(HostKeySheet)
    case credentials(CredentialSheet)
    case places(SnippetRecord, Form)
  }

  /// The question's number in its queue.
  let number: Int
  private var sheet: Sheet
  private let queue: PromptQueue
  private var buttons: [CellRectangle] = []
  /// Where the question was drawn last.
  private var area = CellRectangle(rows: 0, columns: 0)
  /// Whether the pane has no line for the question.
  private var isOutOfSight = false

  init(_ question: PromptQueue.Question, number: Int, queue: PromptQueue) {
    self.number = number
    self.queue = queue
    switch question {
    case .hostKey(let question): sheet = .hostKey(HostKeySheet(question))
    case .credentials(let challenge): sheet = .credentials(CredentialSheet(challenge))
    case .places(let snippet):
      let line = "This host runs the snippet first, once it is filled in."
      sheet = .places(snippet, .filling(snippet, lines: [line], verb: "run"))
    }
  }

  /// Takes a key.
  func handle(_ key: KeyEvent) {
    // Nothing is typed into a question that nobody can see.
    guard !isOutOfSight || key.code == .escape else { return }
    switch sheet {
    case .hostKey(var host):
      let decision = host.handle(key)
      sheet = .hostKey(host)
      answer(decision, for: host)
    case .credentials(var form):
      let answer = form.handle(key)
      sheet = .credentials(form)
      switch answer {
      case .none: break
      case .submitted(let answers): queue.answer(number, with: .credentials(answers))
      case .cancelled: queue.answer(number, with: .credentials(nil))
      }
    case .places(let snippet, var form):
      switch form.handle(key) {
      case .none: break
      case .submitted:
        form.problem = snippet.problem(of: form.texts) ?? ""
        if form.problem.isEmpty { queue.answer(number, with: .places(form.texts)) }
      case .cancelled: queue.answer(number, with: .places(nil))
      }
      sheet = .places(snippet, form)
    }
  }

  /// Takes pasted text.
  func paste(_ bytes: [UInt8]) {
    guard !isOutOfSight else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    switch sheet {
    case .hostKey: break
    case .credentials(var form):
      form.paste(text)
      sheet = .credentials(form)
    case .places(let snippet, var form):
      form.paste(text)
      sheet = .places(snippet, form)
    }
  }

  /// Takes a click; `true` when it was on a button.
  func click(row: Int, column: Int) -> Bool {
    guard case .hostKey(var host) = sheet,
      let index = buttons.firstIndex(where: { $0.contains(row: row, column: column) })
    else { return false }
    let decision = host.press(button: index)
    sheet = .hostKey(host)
    answer(decision, for: host)
    return true
  }

  /// A key that was never shown in full is not trusted, whatever is pressed.
  private func answer(_ decision: HostKeyDecision?, for host: HostKeySheet) {
    guard let decision, decision == .reject || host.fits(in: host.area(in: area)) else { return }
    queue.answer(number, with: .hostKey(decision))
  }

  /// The pane has no cells to draw the question in.
  func hide() {
    buttons = []
    isOutOfSight = true
  }

  /// Draws the question in the pane's area.
  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    buttons = []
    isOutOfSight = false
    self.area = area
    switch sheet {
    case .hostKey(let host): buttons = host.draw(on: &canvas, in: host.area(in: area), look)
    case .credentials(let form): form.draw(on: &canvas, in: form.area(in: area), look)
    case .places(_, let form): form.draw(on: &canvas, in: form.area(in: area), look)
    }
  }
}
