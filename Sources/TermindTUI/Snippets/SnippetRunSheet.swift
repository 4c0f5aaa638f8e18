import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// The outputs of a snippet's run, side by side, while it goes on and after.
final class SnippetRunSheet: Sheet {
  let overlay = WindowOverlay("run")
  private let run: SnippetRun
  private let title: String
  private var first = 0
  private var scrolled = 0

  /// Shows a run; `changed` is called when the sheet looks different.
  init(_ run: SnippetRun, title: String, changed: @escaping () -> Void) {
    self.run = run
    self.title = title
    run.onChange = changed
  }

  private var screen: RunScreen {
    RunScreen(
      title: title,
      columns: run.columns,
      first: first,
      scrolled: scrolled,
      isRunning: run.isRunning
    )
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard key.kind != .release else { return .stay }
    switch key.code {
    case .escape, .character(0x71):
      run.cancel()
      return .close
    case .character(0x63): run.cancel()
    case .left, .character(0x68): first = max(first - 1, 0)
    case .right, .character(0x6C): first = min(first + 1, max(run.columns.count - 1, 0))
    case .up, .character(0x6B): scroll(-1)
    case .down, .character(0x6A): scroll(1)
    case .pageUp: scroll(-20)
    case .pageDown: scroll(20)
    case .home: scrolled = 0
    case .end: scroll(.max / 2)
    default: break
    }
    return .stay
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    switch mouse.kind {
    case .wheel(.up): scroll(-3)
    case .wheel(.down): scroll(3)
    default: break
    }
    return .stay
  }

  func dismissed() { run.cancel() }

  private func scroll(_ rows: Int) {
    let most = (run.columns.map(\.lines.count).max() ?? 1) - 1
    scrolled = min(max(scrolled + rows, 0), max(most, 0))
  }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    screen.draw(on: &canvas, in: area, look)
  }
}
