import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// A form over a window, such as the one for a name.
final class FormSheet: Sheet {
  let overlay: WindowOverlay
  private var form: Form
  private let submit: ([String]) -> String?

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - form: The fields.
  ///   - overlay: What it is among the window's overlays.
  ///   - submit: Takes the texts; what it returns is a problem to show, and the form stays.
  init(
    _ form: Form,
    overlay: WindowOverlay = WindowOverlay("form"),
    submit: @escaping ([String]) -> String?
  ) {
    self.form = form
    self.overlay = overlay
    self.submit = submit
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    switch form.handle(key) {
    case .none: return .stay
    case .cancelled: return .close
    case .submitted:
      guard let problem = submit(form.texts) else { return .close }
      form.problem = problem
      return .stay
    }
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome {
    form.paste(String(decoding: bytes, as: UTF8.self))
    return .stay
  }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    form.draw(on: &canvas, in: form.area(in: area), look)
  }
}
