import TermindApplication
import TermindDomain
import TermindTerminal

/// What a person types, clicks and pastes, in the form that the pane's program asked for.
extension Pane {
  private static let mostKeysBehindPaste = 256

  /// Lets keys wait for a paste that is being looked at.
  func holdKeys() { keysBehindPaste = keysBehindPaste ?? [] }

  /// Types the keys that waited, or drops those that were meant for something else.
  func releaseKeys(dropping: Bool = false) {
    let waiting = keysBehindPaste ?? []
    keysBehindPaste = nil
    if !dropping { for key in waiting { type(key) } }
  }

  /// Types a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether the program got it, or hears nothing of such keys.
  @discardableResult
  func type(_ key: TerminalKey) -> Bool {
    if let waiting = keysBehindPaste, waiting.count < Self.mostKeysBehindPaste {
      keysBehindPaste = waiting + [key]
      return true
    }
    guard let bytes = surface?.withTerminal({ $0.encode(key) }), !bytes.isEmpty else { return true }
    expectAnswer()
    return send(bytes)
  }

  /// Pastes bytes, framed when the program asked for that.
  ///
  /// - Returns: Whether all of them were taken; else none was, so that no frame stays open.
  func paste(_ bytes: [UInt8]) -> Bool {
    guard let surface else { return false }
    scroll(to: 0)
    wasUsed = true
    // What a paste looks like is not guessed.
    _ = surface.guess([])
    return surface.send(surface.withTerminal { $0.encodePaste(bytes) }.flatMap(\.self))
  }

  /// Reports a mouse action to the program, when it wants to hear of it.
  ///
  /// - Returns: Whether the action belongs to the program, also when nothing had to be sent.
  func report(_ mouse: TerminalMouse) -> Bool {
    guard let surface, session.state.isTyping else { return false }
    guard let bytes = surface.withTerminal({ $0.encode(mouse) }) else { return false }
    surface.send(bytes)
    return true
  }

  /// Tells the program whether its window has the focus, when it wants to know.
  func reportFocus(_ hasFocus: Bool) {
    guard let surface, session.state.isTyping else { return }
    surface.send(surface.withTerminal { $0.encodeFocus(hasFocus) })
  }

  /// Turns a wheel step: the program's, its arrow keys on the alternate screen, or the scrollback's.
  func turnWheel(_ mouse: TerminalMouse, isBypassing: Bool) {
    if !isBypassing, report(mouse) { return }
    switch mouse.kind {
    case .wheel(.up): scroll(to: scrolledBack + 3)
    case .wheel(.down): scroll(to: scrolledBack - 3)
    default: break
    }
  }
}
