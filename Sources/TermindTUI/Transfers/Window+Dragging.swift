import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// Files that are dragged with the mouse from one pane to another.
extension Window {
  /// Follows the mouse with the button held; letting go over another pane drops what is chosen there, with Shift as a move.
  func dragFiles(_ source: PaneID, _ mouse: MouseEvent) {
    let isMove = mouse.modifiers.contains(.shift)
    let over = split?.pane(row: mouse.row, column: mouse.column).flatMap { server.panes[$0] }
    let target = over.flatMap { $0.id == source ? nil : $0 }
    switch mouse.kind {
    case .motion:
      guard let held = server.panes[source]?.files?.chosenFiles(isMove: isMove), let target else {
        return
      }
      let verb = isMove ? "move" : "copy"
      let names = FileText.names(held.entries.map(\.name))
      show(Notice(.info, "Let go to \(verb) \(names) to \(PaneText.title(target))."))
    case .release:
      grip = nil
      guard let held = server.panes[source]?.files?.chosenFiles(isMove: isMove), let target else {
        return
      }
      drop(held, on: target)
    case .press, .wheel: break
    }
  }
}
