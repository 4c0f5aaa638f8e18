extension TerminalState {
  // MARK: kitty keyboard protocol

  mutating func reportKeyboardFlags() { reply(csi: "?\(keyboards.flags(isMain: isMainScreen))u") }

  mutating func pushKeyboardFlags(_ flags: Int) {
    keyboards.push(flags, isMain: isMainScreen)
    keyboardChanged()
  }

  mutating func popKeyboardFlags(_ count: Int) {
    keyboards.pop(count, isMain: isMainScreen)
    keyboardChanged()
  }

  /// Sets (1), adds (2) or removes (3) flags.
  mutating func changeKeyboardFlags(_ flags: Int, how: Int) {
    let present = keyboards.flags(isMain: isMainScreen)
    switch how {
    case 1: keyboards.set(flags, isMain: isMainScreen)
    case 2: keyboards.set(present | flags, isMain: isMainScreen)
    case 3: keyboards.set(present & ~flags, isMain: isMainScreen)
    default: return
    }
    keyboardChanged()
  }

  private mutating func keyboardChanged() {
    modes.kittyKeyboardFlags = keyboards.flags(isMain: isMainScreen)
  }

  // MARK: XTMODKEYS and XTFMTKEYS

  mutating func setKeyOption(_ p: SequenceParameters) {
    if p.isEmpty {
      modes.modifyOtherKeys = 0
    } else if p[0] == 4 {
      modes.modifyOtherKeys = min(p.value(1, default: 0), 3)
    }
  }

  mutating func resetKeyOption(_ p: SequenceParameters) {
    if p.isEmpty || p[0] == 4 { modes.modifyOtherKeys = 0 }
  }

  mutating func reportKeyOption(_ kind: Int) {
    guard kind == 4 else { return }
    reply(csi: ">4;\(modes.modifyOtherKeys)m")
  }

  mutating func setFormatKeys(_ p: SequenceParameters) {
    if p.isEmpty {
      modes.formatOtherKeys = 0
    } else if p[0] == 4 {
      modes.formatOtherKeys = min(p.value(1, default: 0), 1)
    }
  }

  // MARK: XTSMGRAPHICS

  /// No graphics here: every question is answered with an error.
  mutating func reportGraphics(_ p: SequenceParameters) {
    let item = p.value(0, default: 0)
    reply(csi: "?\(item);1S")
  }
}
