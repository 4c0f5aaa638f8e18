extension TerminalState {
  /// DECSTR.
  mutating func softReset() {
    resetMargins()
    settings.leftRightMargins = false
    settings.insert = false
    settings.origin = false
    settings.autowrap = true
    settings.reverseWrap = false
    settings.extendedReverseWrap = false
    settings.cursorVisible = true
    settings.keyboardLocked = false
    modes.applicationCursorKeys = false
    modes.applicationKeypad = false
    modes.graphemeClusters = true
    pen = .plain
    isProtecting = false
    isIsoProtection = false
    charsets = CharacterSets()
    refreshPlainText()
    attributeExtent = 0
    pendingWrap = false
    if isMainScreen { savedMain = SavedCursor() } else { savedAlternate = SavedCursor() }
  }

  /// RIS: as new, but scrollback, size and colours of the theme stay.
  mutating func reset() {
    leaveAlternateScreen()
    softReset()
    commands = CommandTrack()
    for row in 0..<size.rows {
      grid.clearRow(row, with: .erased)
      hiddenGrid.clearRow(row, with: .erased)
    }
    settings = ScreenModes()
    modes = TerminalModes()
    keyboards = KeyboardStacks()
    savedMain = SavedCursor()
    savedAlternate = SavedCursor()
    savedModes = [:]
    tabStops.reset()
    cursorRow = 0
    cursorColumn = 0
    cursorShape = .block
    cursorBlinks = true
    synchronizedUpdate = false
    checksumFlags = 0
    conformanceLevel = 64
    sendsEightBit = false
    titleStack = []
    titleModes = TitleModes()
    setTitle("")
    setIconTitle("")
    palette.resetAll()
    lastGraphic = 0
    refreshPlainText()
  }

  /// Takes back what a program that is gone may have left on: mouse, focus and paste modes, key modes, hidden
  /// cursor, margins, synchronized update; the alternate screen is left only when it is shown.
  mutating func resetProgramModes() {
    leaveAlternateScreen()
    resetMargins()
    settings = ScreenModes()
    modes = TerminalModes()
    keyboards = KeyboardStacks()
    savedModes = [:]
    cursorShape = .block
    cursorBlinks = true
    synchronizedUpdate = false
    pen = .plain
    isProtecting = false
    isIsoProtection = false
    charsets = CharacterSets()
    refreshPlainText()
    decoder.reset()
    isClusterOpen = false
    pendingWrap = false
  }

  /// Writes a line of its own on the main screen, below what is there, such as a note of a lost connection.
  ///
  /// Control characters in it are shown as U+FFFD. The cursor stands at the start of the row after it.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - isFaint: Whether it is drawn faint.
  mutating func writeNotice(_ text: String, isFaint: Bool = false) {
    leaveAlternateScreen()
    decoder.reset()
    if cursorColumn > 0 || pendingWrap {
      carriageReturn()
      index()
    }
    let kept = pen
    pen = .plain
    if isFaint { pen.attributes.insert(.faint) }
    isClusterOpen = false
    for scalar in text.unicodeScalars.prefix(4_096) {
      let value = scalar.value
      if value < 0x20 || (0x7F...0x9F).contains(value) {
        printScalar(0xFFFD)
      } else if value < 0x7F {
        lastScalar = value
        isClusterOpen = true
        isBreakerFresh = false
        place(value, width: 1)
      } else {
        printScalar(value)
      }
    }
    pen = kept
    carriageReturn()
    index()
  }

  mutating func setConformance(_ p: SequenceParameters) {
    let level = p.value(0, default: 0)
    guard (61...65).contains(level) else { return }
    softReset()
    conformanceLevel = min(level, 64)
    sendsEightBit = level > 61 && p.value(1, default: 0) != 1
  }
}
