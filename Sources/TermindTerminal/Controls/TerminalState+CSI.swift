extension TerminalState {
  /// Performs a control sequence; unknown ones do nothing.
  mutating func perform(_ sequence: ControlSequence) {
    if sequence.final == 0x6D, sequence.leader == 0, sequence.intermediate == 0 {
      selectGraphicRendition(sequence.parameters)
      lastGraphic = 0
      return
    }
    isClusterOpen = false
    // REP repeats only what stands right before it.
    let graphic = lastGraphic
    lastGraphic = 0
    switch (sequence.leader, sequence.intermediate) {
    case (0, 0) where sequence.final == 0x62:
      repeatGraphic(graphic, sequence.parameters.repeatCount())
    case (0, 0): performPlain(sequence)
    case (0x3F, 0): performPrivate(sequence)
    case (0x3E, 0): performGreater(sequence)
    case (0x3C, 0) where sequence.final == 0x75:
      popKeyboardFlags(sequence.parameters.repeatCount())
    case (0x3D, 0): performEquals(sequence)
    case (0, _): performIntermediate(sequence)
    case (0x3F, 0x24) where sequence.final == 0x70:
      reportMode(sequence.parameters.value(0, default: 0), isPrivate: true)
    case (0x3F, 0x57), (0x3F, 0x22): break
    default: break
    }
  }

  private mutating func performPlain(_ sequence: ControlSequence) {
    let p = sequence.parameters
    let count = p.repeatCount()
    switch Unicode.Scalar(sequence.final) {
    case "@": insertBlanks(count)
    case "A": moveUp(count)
    case "B", "e": moveDown(count, stops: sequence.final == 0x42)
    case "C": moveRight(count)
    case "D": moveLeft(count)
    case "E":
      moveDown(count, stops: true)
      carriageReturn()
    case "F":
      moveUp(count)
      carriageReturn()
    case "G", "`": moveTo(column: count - 1)
    case "H", "f": moveTo(row: count - 1, column: p.repeatCount(1) - 1)
    case "I": tabForward(count)
    case "J": eraseInDisplay(p.value(0, default: 0), selective: false)
    case "K": eraseInLine(p.value(0, default: 0), selective: false)
    case "L": shiftRows(down: count)
    case "M": shiftRows(down: -count)
    case "P": deleteCharacters(count)
    case "S": if p.count <= 1 { scrollUp(count) }
    case "T": if p.count <= 1 { scrollDown(count) }
    case "^": scrollDown(count)
    case "X": eraseCharacters(count)
    case "Z": tabBackward(count)
    case "a": moveRight(count, byPosition: true)
    case "c": if p.value(0, default: 0) == 0 { reportDeviceAttributes() }
    case "d": moveTo(row: count - 1)
    case "g": clearTabs(p.value(0, default: 0))
    case "h": forEach(p) { $0.setAnsiMode($1, true) }
    case "l": forEach(p) { $0.setAnsiMode($1, false) }
    case "n": reportStatus(p.value(0, default: 0))
    case "r":
      setVerticalMargins(
        top: count - 1,
        bottom: (p[1].flatMap { $0 > 0 ? $0 : nil } ?? size.rows) - 1
      )
    case "s": saveOrSetMargins(p)
    case "t": windowOperation(p)
    case "u": restoreCursor()
    case "x": reportTerminalParameters(p.value(0, default: 0))
    default: break
    }
  }

  private mutating func performPrivate(_ sequence: ControlSequence) {
    let p = sequence.parameters
    switch Unicode.Scalar(sequence.final) {
    case "J": eraseInDisplay(p.value(0, default: 0), selective: true)
    case "K": eraseInLine(p.value(0, default: 0), selective: true)
    case "W": if p.value(0, default: 0) == 5 { tabStops.reset() }
    case "h": forEach(p) { $0.setPrivateMode($1, true) }
    case "l": forEach(p) { $0.setPrivateMode($1, false) }
    case "m": reportKeyOption(p.value(0, default: 0))
    case "n": reportPrivateStatus(p.value(0, default: 0), label: p.value(1, default: 0))
    case "r": forEach(p) { $0.restoreMode($1) }
    case "s": forEach(p) { $0.saveMode($1) }
    case "u": reportKeyboardFlags()
    case "S": reportGraphics(p)
    default: break
    }
  }

  private mutating func performGreater(_ sequence: ControlSequence) {
    let p = sequence.parameters
    switch Unicode.Scalar(sequence.final) {
    case "c": if p.value(0, default: 0) == 0 { reportSecondaryAttributes() }
    case "f": setFormatKeys(p)
    case "m": setKeyOption(p)
    case "n": resetKeyOption(p)
    case "q": if p.value(0, default: 0) == 0 { reportVersion() }
    case "T": changeTitleModes(p, to: false)
    case "t": changeTitleModes(p, to: true)
    case "u": pushKeyboardFlags(p.value(0, default: 0))
    default: break
    }
  }

  private mutating func performEquals(_ sequence: ControlSequence) {
    let p = sequence.parameters
    switch Unicode.Scalar(sequence.final) {
    case "c": if p.value(0, default: 0) == 0 { reportTertiaryAttributes() }
    case "u": changeKeyboardFlags(p.value(0, default: 0), how: p.value(1, default: 1))
    default: break
    }
  }

  private mutating func performIntermediate(_ sequence: ControlSequence) {
    let p = sequence.parameters
    switch (Unicode.Scalar(sequence.intermediate), Unicode.Scalar(sequence.final)) {
    case ("!", "p"): softReset()
    case (" ", "q"): setCursorShape(p.value(0, default: 0))
    case (" ", "@"): shiftScreen(by: -p.repeatCount())
    case (" ", "A"): shiftScreen(by: p.repeatCount())
    case ("\"", "q"): selectProtection(p.value(0, default: 0))
    case ("\"", "p"): setConformance(p)
    case ("#", "{"), ("#", "p"): break
    case ("#", "y"): checksumFlags = p.value(0, default: 0) & 31
    case ("$", "p"):
      // A VT220 does not have the request.
      if conformanceLevel > 62 { reportMode(p.value(0, default: 0), isPrivate: false) }
    case ("$", "r"): changeAttributes(p, reversing: false)
    case ("$", "t"): changeAttributes(p, reversing: true)
    case ("$", "v"): copyRectangle(p)
    case ("$", "w"): reportPresentation(p.value(0, default: 0))
    case ("$", "x"): fillRectangle(p)
    case ("$", "z"): eraseRectangle(p, selective: false)
    case ("$", "{"): eraseRectangle(p, selective: true)
    case ("*", "x"): attributeExtent = min(p.value(0, default: 0), 2)
    case ("*", "y"): reportChecksum(p)
    case ("'", "}"): insertColumns(p.repeatCount())
    case ("'", "~"): deleteColumns(p.repeatCount())
    default: break
    }
  }

  private mutating func forEach(
    _ parameters: SequenceParameters,
    _ body: (inout TerminalState, Int) -> Void
  ) {
    for index in 0..<parameters.count {
      if let number = parameters[index] { body(&self, number) }
    }
  }

  private mutating func saveOrSetMargins(_ p: SequenceParameters) {
    if settings.leftRightMargins {
      setHorizontalMargins(
        left: p.repeatCount() - 1,
        right: (p[1].flatMap { $0 > 0 ? $0 : nil } ?? size.columns) - 1
      )
    } else if p.isEmpty {
      saveCursor()
    }
  }
}
