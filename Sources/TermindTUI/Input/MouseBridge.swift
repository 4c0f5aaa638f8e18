import TermindScreen
import TermindTerminal

/// Turns mouse events of the outer terminal into those for the program in a pane.
enum MouseBridge {
  /// The event at a cell of the pane.
  static func mouse(_ event: MouseEvent, row: Int, column: Int) -> TerminalMouse {
    TerminalMouse(
      kind: kind(event.kind),
      button: event.button.map(button),
      row: row,
      column: column,
      modifiers: KeyBridge.modifiers(event.modifiers)
    )
  }

  private static func kind(_ kind: MouseEvent.Kind) -> TerminalMouse.Kind {
    switch kind {
    case .press: .press
    case .release: .release
    case .motion: .motion
    case .wheel(.up): .wheel(.up)
    case .wheel(.down): .wheel(.down)
    case .wheel(.left): .wheel(.left)
    case .wheel(.right): .wheel(.right)
    }
  }

  private static func button(_ button: MouseEvent.Button) -> TerminalMouse.Button {
    switch button {
    case .left: .left
    case .middle: .middle
    case .right: .right
    case .other(let number): .other(number)
    }
  }
}
