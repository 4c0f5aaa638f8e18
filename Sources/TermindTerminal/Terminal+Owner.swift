extension Terminal {
  /// Changes the size.
  ///
  /// The main screen is wrapped anew with its cursor and saved cursor kept on their text; what no longer fits
  /// goes to the scrollback, and comes back when there is room again. Scrollback is wrapped only when shown. The
  /// alternate screen is cut or padded, as its program draws it anew. Margins are reset.
  public func resize(to size: TerminalSize) {
    guard size != state.size else { return }
    state.resize(to: size)
    noteChange()
  }

  /// Takes another configuration; lines beyond its limit are forgotten at once.
  ///
  /// Widths stay as they were, since text is laid out by them, and the colour scheme, which `setDarkScheme` tells.
  public func adopt(_ configuration: TerminalConfiguration) {
    state.configuration.reportsTitle = configuration.reportsTitle
    state.configuration.allowsClipboardRead = configuration.allowsClipboardRead
    guard configuration.scrollbackLines != state.configuration.scrollbackLines else { return }
    setScrollbackLimit(configuration.scrollbackLines)
  }

  /// Changes how many lines of scrollback are kept, from 0 to 1,000,000.
  public func setScrollbackLimit(_ lines: Int) {
    state.setScrollbackLimit(lines)
    noteChange()
  }

  /// Forgets the lines above the screen.
  public func clearScrollback() {
    state.scrollback.removeAll()
    noteChange()
  }

  /// Resets the terminal as RIS does, for a screen that a program left in disorder; scrollback stays.
  public func reset() {
    gate = SequenceGate()
    state.reset()
    noteChange()
  }

  /// Whether nothing was ever shown: no scrollback, and no character on the screen.
  public var isBlank: Bool { scrollbackRows == 0 && screenText().allSatisfy(\.isEmpty) }

  /// The colours in force: the owner's theme, and what the program changed.
  public var palette: TerminalPalette { state.palette }

  /// Gives the terminal a theme; what the program changed stays.
  public func setTheme(_ theme: TerminalPalette) {
    state.palette.setTheme(theme)
    noteChange()
  }

  /// Tells the terminal that the owner's colour scheme changed; programs that asked for it hear of it.
  public func setDarkScheme(_ isDark: Bool) { state.setDarkScheme(isDark) }

  /// Takes back what a program that is gone may have left on: mouse, focus and paste modes, key modes, hidden
  /// cursor, margins, synchronized update; the alternate screen is left only when it is shown.
  public func resetProgramModes() {
    gate = SequenceGate()
    state.resetProgramModes()
    noteChange()
  }

  /// Writes a line of its own on the main screen, below what is there, such as a note of a lost connection.
  ///
  /// Control characters in it are shown as U+FFFD. The cursor stands at the start of the row after it.
  public func writeNotice(_ text: String) {
    gate = SequenceGate()
    state.writeNotice(text)
    noteChange()
  }

  /// Writes lines of the past, faint, as if a program had printed them; controls in them are shown as U+FFFD.
  public func showPast(_ lines: [String]) {
    gate = SequenceGate()
    for line in lines { state.writeNotice(line, isFaint: true) }
    noteChange()
  }

  /// Answers a `clipboardRead` event.
  ///
  /// - Parameters:
  ///   - selection: The letters of the event.
  ///   - bytes: The text; empty refuses. What is longer than the reply queue takes is refused too.
  public func replyClipboard(selection: [UInt8], bytes: [UInt8]) {
    state.replyClipboard(selection: selection, bytes: bytes)
  }
}
