extension TerminalState {
  // MARK: ANSI modes

  mutating func setAnsiMode(_ mode: Int, _ value: Bool) {
    switch mode {
    case 2: settings.keyboardLocked = value
    case 4:
      settings.insert = value
      refreshPlainText()
    case 12: settings.localEchoOff = value
    case 20: modes.newLine = value
    default: break
    }
  }

  private mutating func ansiMode(_ mode: Int) -> Bool? {
    switch mode {
    case 2: settings.keyboardLocked
    case 4: settings.insert
    case 12: settings.localEchoOff
    case 20: modes.newLine
    default: nil
    }
  }

  // MARK: DEC private modes

  mutating func setPrivateMode(_ mode: Int, _ value: Bool) {
    switch mode {
    case 1: modes.applicationCursorKeys = value
    case 3: setColumnMode(value)
    case 4: settings.smoothScroll = value
    case 5: modes.reverseScreen = value
    case 6:
      settings.origin = value
      moveHome()
    case 7:
      settings.autowrap = value
      if !value { pendingWrap = false }
    case 12: cursorBlinks = value
    case 25: settings.cursorVisible = value
    case 18, 19, 42: settings.keep(mode, value)
    case 40: settings.allowsColumnMode = value
    case 41: settings.wrapsBeforeTab = value
    case 45: settings.reverseWrap = value
    case 66: modes.applicationKeypad = value
    case 67: modes.backspaceSendsBS = value
    case 69: setLeftRightMode(value)
    case 47, 1047, 1048, 1049: setScreenMode(mode, value)
    case 1036, 1039: modes.altSendsEscape = value
    case 1045: settings.extendedReverseWrap = value
    case 2026: synchronizedUpdate = value
    case 2027: modes.graphemeClusters = value
    case 2004: modes.bracketedPaste = value
    case 2031: modes.colorSchemeReports = value
    case 2048:
      modes.inBandSizeReports = value
      if value { reportInBandSize() }
    default: setInputMode(mode, value)
    }
  }

  private mutating func setInputMode(_ mode: Int, _ value: Bool) {
    switch mode {
    case 9: setTracking(.press, value)
    case 1000: setTracking(.buttons, value)
    case 1002: setTracking(.drag, value)
    case 1003: setTracking(.motion, value)
    case 1004: modes.focusReports = value
    case 1005: setEncoding(.utf8, value)
    case 1006: setEncoding(.sgr, value)
    case 1007: modes.alternateScroll = value
    case 1015: setEncoding(.urxvt, value)
    case 1016: setEncoding(.sgrPixels, value)
    default: break
    }
  }

  /// What DECRQM reports of a private mode: nil when it is not known.
  mutating func privateMode(_ mode: Int) -> Bool? {
    switch mode {
    case 1: modes.applicationCursorKeys
    case 3: settings.columnMode
    case 4: settings.smoothScroll
    case 5: modes.reverseScreen
    case 6: settings.origin
    case 7: settings.autowrap
    case 12: cursorBlinks
    case 25: settings.cursorVisible
    case 18, 19, 42: settings.keeps(mode)
    case 40: settings.allowsColumnMode
    case 41: settings.wrapsBeforeTab
    case 45: settings.reverseWrap
    case 66: modes.applicationKeypad
    case 67: modes.backspaceSendsBS
    case 69: conformanceLevel > 63 ? settings.leftRightMargins : nil
    case 47, 1047, 1049: !isMainScreen
    case 1048: true
    case 1036, 1039: modes.altSendsEscape
    case 1045: settings.extendedReverseWrap
    case 2004: modes.bracketedPaste
    case 2026: synchronizedUpdate
    case 2027: modes.graphemeClusters
    case 2031: modes.colorSchemeReports
    case 2048: modes.inBandSizeReports
    default: inputMode(mode)
    }
  }

  private mutating func inputMode(_ mode: Int) -> Bool? {
    switch mode {
    case 9: modes.mouseTracking == .press
    case 1000: modes.mouseTracking == .buttons
    case 1002: modes.mouseTracking == .drag
    case 1003: modes.mouseTracking == .motion
    case 1004: modes.focusReports
    case 1005: modes.mouseEncoding == .utf8
    case 1006: modes.mouseEncoding == .sgr
    case 1007: modes.alternateScroll
    case 1015: modes.mouseEncoding == .urxvt
    case 1016: modes.mouseEncoding == .sgrPixels
    default: nil
    }
  }

  private mutating func setTracking(_ tracking: TerminalMouseTracking, _ value: Bool) {
    modes.mouseTracking = value ? tracking : .off
  }

  private mutating func setEncoding(_ encoding: TerminalMouseEncoding, _ value: Bool) {
    if value {
      modes.mouseEncoding = encoding
    } else if modes.mouseEncoding == encoding {
      modes.mouseEncoding = .legacy
    }
  }

  /// DECCOLM: the width stays, but what else it does is done where mode 40 allows it.
  private mutating func setColumnMode(_ value: Bool) {
    guard settings.allowsColumnMode else { return }
    settings.columnMode = value
    settings.leftRightMargins = false
    resetMargins()
    eraseInDisplay(2, selective: false)
    cursorRow = 0
    cursorColumn = 0
    pendingWrap = false
  }

  private mutating func setLeftRightMode(_ value: Bool) {
    // Terminals before the VT420 do not have these margins.
    guard conformanceLevel > 63 else { return }
    settings.leftRightMargins = value
    if value {
      resetLineSizes()
    } else {
      leftMargin = 0
      rightMargin = size.columns - 1
    }
  }

  // MARK: Screens

  private mutating func setScreenMode(_ mode: Int, _ value: Bool) {
    switch mode {
    case 1048: if value { saveCursor() } else { restoreCursor() }
    case 1049:
      if value {
        guard isMainScreen else { return }
        saveCursor()
        pendingWrap = false
        showAlternateScreen()
        eraseWholeScreen()
      } else {
        guard !isMainScreen else { return }
        showMainScreen()
        restoreCursor()
      }
    default:
      if value {
        if isMainScreen { showAlternateScreen() }
      } else if !isMainScreen {
        if mode == 1047 { eraseWholeScreen() }
        showMainScreen()
      }
    }
  }

  private mutating func eraseWholeScreen() {
    for row in 0..<size.rows { grid.clearRow(row, with: eraseCell) }
  }

  private mutating func showAlternateScreen() { switchScreen() }

  private mutating func showMainScreen() { switchScreen() }

  /// Shows the other screen.
  private mutating func switchScreen() {
    swap(&grid, &hiddenGrid)
    isMainScreen.toggle()
    stayOnLine()
    screenChanged()
  }

  private mutating func screenChanged() {
    modes.isAlternateScreen = !isMainScreen
    modes.kittyKeyboardFlags = keyboards.flags(isMain: isMainScreen)
  }

  /// Shows the main screen if the alternate one is up, as mode 1049 does.
  mutating func leaveAlternateScreen() { setScreenMode(1049, false) }

  // MARK: XTSAVE and XTRESTORE

  mutating func saveMode(_ mode: Int) {
    if let value = privateMode(mode) { savedModes[mode] = value }
  }

  mutating func restoreMode(_ mode: Int) {
    if let value = savedModes[mode] { setPrivateMode(mode, value) }
  }
}
