/// A shell-integration mark (OSC 133).
public enum TerminalPromptMark: Hashable, Sendable {
  /// The prompt begins (A).
  case promptStart
  /// The typed command begins (B).
  case commandStart
  /// The command's output begins (C).
  case outputStart
  /// The command ended (D), with its exit status where the shell tells it.
  case commandEnd(status: Int?)
}

/// The state of a progress report (OSC 9;4).
public enum TerminalProgressState: UInt8, Hashable, Sendable {
  /// No progress is shown.
  case none
  /// The value is a percentage.
  case running
  /// The work failed.
  case failed
  /// The end is unknown.
  case indeterminate
  /// The work is paused.
  case paused
}

/// Something that a program did besides drawing.
public enum TerminalEvent: Hashable, Sendable {
  /// BEL.
  case bell
  /// The window title changed (OSC 0, 2).
  case title(String)
  /// The icon title changed (OSC 0, 1).
  case iconTitle(String)
  /// The program's directory changed (OSC 7); a `file:` address or a path as the shell told it, decoded.
  case workingDirectory(String)
  /// Text for the clipboard (OSC 52); `selection` holds the selection letters.
  case clipboardWrite(selection: [UInt8], bytes: [UInt8])
  /// A clipboard text was larger than 1 MiB and was not taken.
  case clipboardTooLarge
  /// The program asks for the clipboard; answer with `Terminal.replyClipboard(selection:bytes:)`.
  case clipboardRead(selection: [UInt8])
  /// A desktop notification (OSC 9, 99, 777).
  case notification(title: String, body: String)
  /// Progress of the program's work (OSC 9;4); the value is a percentage.
  case progress(state: TerminalProgressState, value: Int)
  /// A shell-integration mark (OSC 133) was set on the cursor's line.
  case promptMark(TerminalPromptMark)
  /// The shell runs a command (OSC 133 C) whose line it told, or which stands between prompt and output; nil when
  /// neither tells it.
  case commandStarted(String?)
  /// That command has ended (OSC 133 D).
  case commandEnded(CommandResult)
  /// The mouse pointer's form (OSC 22), a CSS cursor name; empty for the usual one.
  case pointerShape(String)
}
