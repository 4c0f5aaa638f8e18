import TermindApplication
import TermindDomain
import TermindTerminal

/// What a person types, clicks and pastes, in the form that the pane's program asked for.
extension Pane {
  /// Types a key.
  func type(_ key: TerminalKey) {
    guard let bytes = surface?.withTerminal({ $0.encode(key) }), !bytes.isEmpty else { return }
    send(bytes)
  }

  /// Pastes bytes, framed when the program asked for that.
  ///
  /// - Returns: Whether all of them were taken.
  func paste(_ bytes: [UInt8]) -> Bool {
    guard let surface else { return false }
    scroll(to: 0)
    let pieces = surface.withTerminal { $0.encodePaste(bytes) }
    for piece in pieces where !surface.send(piece) { return false }
    return true
  }

  /// Reports a mouse action to the program, when it wants to hear of it.
  ///
  /// - Returns: Whether the action belongs to the program, also when nothing had to be sent.
  func report(_ mouse: TerminalMouse) -> Bool {
    guard let surface, session.state.isTyping else { return false }
    let bytes = surface.withTerminal { terminal -> [UInt8]? in
      terminal.modes.mouseTracking == .off ? nil : terminal.encode(mouse) ?? []
    }
    guard let bytes else { return false }
    surface.send(bytes)
    return true
  }

  /// Tells the program whether its window has the focus, when it wants to know.
  func reportFocus(_ hasFocus: Bool) {
    guard let surface, session.state.isTyping else { return }
    let bytes = surface.withTerminal { $0.modes.focusReports ? $0.encodeFocus(hasFocus) : [] }
    surface.send(bytes)
  }

  /// Turns a wheel step: the program's, its arrow keys on the alternate screen, or the scrollback's.
  func turnWheel(_ mouse: TerminalMouse, isBypassing: Bool) {
    if !isBypassing, report(mouse) { return }
    guard case .wheel(let direction) = mouse.kind else { return }
    let modes = surface?.withTerminal { $0.modes }
    if let modes, modes.isAlternateScreen {
      guard modes.alternateScroll, session.state.isTyping else { return }
      let code: TerminalKeyCode = direction == .up ? .up : .down
      guard direction == .up || direction == .down else { return }
      for _ in 0..<3 { type(TerminalKey(code: code)) }
      return
    }
    switch direction {
    case .up: scroll(to: scrolledBack + 3)
    case .down: scroll(to: scrolledBack - 3)
    case .left, .right: break
    }
  }
}
