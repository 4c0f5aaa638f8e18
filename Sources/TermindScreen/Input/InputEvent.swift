/// Something that came from the outer terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key.
  case key(KeyEvent)
  /// The mouse.
  case mouse(MouseEvent)
  /// Pasted bytes, as they were; a large paste comes in several pieces, cut between characters.
  case paste([UInt8])
  /// The terminal window got the focus or lost it.
  case focus(Bool)
  /// The person's desktop changed to a dark or a light look.
  case colorScheme(dark: Bool)
  /// An answer to a query, or a report that the terminal sends by itself.
  case reply(TerminalReply)
}
