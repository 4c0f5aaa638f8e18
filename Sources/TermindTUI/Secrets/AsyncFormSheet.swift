import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// A form whose answers take a while to be checked, such as a passphrase; it stays until they are right.
final class AsyncFormSheet: Sheet {
  let overlay: WindowOverlay
  private var form: Form
  private let busyText: String
  private let submit: ([SecretBytes]) async -> String?
  private weak var window: Window?
  private var work: Task<Void, Never>?
  private var isOver = false
  private let given: (() -> Void)?

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - form: The fields.
  ///   - window: The window that it lies over.
  ///   - overlay: What it is among the window's overlays.
  ///   - busyText: What is said while the answers are checked.
  ///   - givenUp: Runs when the person leaves it.
  ///   - submit: Takes the answers; what it returns is a problem to show, and the form stays.
  init(
    _ form: Form,
    in window: Window,
    overlay: WindowOverlay,
    busyText: String,
    givenUp: (() -> Void)? = nil,
    submit: @escaping ([SecretBytes]) async -> String?
  ) {
    self.form = form
    self.window = window
    self.overlay = overlay
    self.busyText = busyText
    self.submit = submit
    given = givenUp
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    if work != nil { return key.code == .escape ? leave() : .stay }
    switch form.handle(key) {
    case .none: return .stay
    case .cancelled: return leave()
    case .submitted:
      start()
      return .stay
    }
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome {
    if work == nil { form.paste(String(decoding: bytes, as: UTF8.self)) }
    return .stay
  }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    var shown = form
    if work != nil { shown.problem = busyText }
    shown.draw(on: &canvas, in: shown.area(in: area), look)
    if work != nil { canvas.cursor = nil }
  }

  func dismissed() { _ = leave() }

  private func leave() -> SheetOutcome {
    guard !isOver else { return .close }
    isOver = true
    work?.cancel()
    guard let given else { return .close }
    return .closeThen(given)
  }

  private func start() {
    let answers = form.rows.map(\.field.answer)
    work = Task { [weak self, submit] in
      let problem = await submit(answers)
      self?.finish(problem)
    }
  }

  private func finish(_ problem: String?) {
    work = nil
    guard !isOver, let window else { return }
    if let problem {
      form.problem = problem
      for place in form.rows.indices where form.rows[place].field.isSecret {
        form.rows[place].field.apply(.clear)
      }
      form.focus(0)
      window.requestFrame()
    } else {
      isOver = true
      window.finish(.close, of: self)
    }
  }
}
