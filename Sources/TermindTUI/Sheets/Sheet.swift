import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// What a sheet wants after a key or a click.
enum SheetOutcome {
  /// It stays; the window is drawn again.
  case stay
  /// It goes away.
  case close
  /// It goes away, and then something is done with the focus back where it was.
  case closeThen(() -> Void)
}

/// Something that lies over a window's content and takes its keys.
///
/// The sheet on top gets every key and click; what it does in the end is a closure of its maker.
protocol Sheet: AnyObject {
  /// Names it in the window's model.
  var overlay: WindowOverlay { get }
  /// Takes a key.
  func handle(_ key: KeyEvent) -> SheetOutcome
  /// Takes pasted bytes.
  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome
  /// Takes a click or a wheel step, in canvas coordinates.
  func handle(_ mouse: MouseEvent) -> SheetOutcome
  /// Draws itself somewhere in the area.
  func draw(on canvas: inout Canvas, in area: CellRectangle, _ appearance: Appearance)
  /// Runs when it goes away without a decision: by Escape, or because its window lost its terminal.
  func dismissed()
}

extension Sheet {
  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome { .stay }
  func handle(_ mouse: MouseEvent) -> SheetOutcome { .stay }
  func dismissed() {}
}
