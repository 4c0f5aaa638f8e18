extension TerminalState {
  /// OSC 9: progress as ConEmu has it (`4;STATE;VALUE`), else a notification (iTerm2).
  mutating func performOSC9(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    if parts.count >= 2, parts[0].elementsEqual([0x34]) {
      guard let code = Self.number(parts[1]), code <= 4,
        let state = TerminalProgressState(rawValue: UInt8(code))
      else { return }
      let value = parts.count > 2 ? Self.number(parts[2]) ?? 0 : 0
      events.append(.progress(state: state, value: min(value, 100)))
      return
    }
    // ConEmu's other numbers are no notifications.
    if parts.count >= 2, let number = Self.number(parts[0]), number <= 12 { return }
    notify(title: "", body: bytes)
  }

  /// OSC 777: `notify;TITLE;BODY` (urxvt).
  mutating func performNotification777(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0x3B, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].elementsEqual("notify".utf8) else { return }
    notify(title: Self.cleanText(parts[1], limit: 256), body: parts.count > 2 ? parts[2] : [])
  }

  /// OSC 99 (kitty): `METADATA;TEXT`; a title or a body that is complete in itself.
  mutating func performKittyNotification(_ bytes: ArraySlice<UInt8>) {
    guard let separator = bytes.firstIndex(of: 0x3B) else { return }
    var isBody = false
    var isEncoded = false
    for part in bytes[..<separator].split(separator: 0x3A) {
      if part.elementsEqual("p=body".utf8) { isBody = true }
      if part.elementsEqual("e=1".utf8) { isEncoded = true }
      if part.starts(with: Array("p=".utf8)), !isBody, !part.elementsEqual("p=title".utf8) {
        return
      }
    }
    var text = bytes[(separator + 1)...]
    if isEncoded { text = Base64.decode(text)[...] }
    guard !text.isEmpty else { return }
    if isBody {
      notify(title: "", body: text)
    } else {
      events.append(.notification(title: Self.cleanText(text, limit: 256), body: ""))
    }
  }

  private mutating func notify(title: String, body: ArraySlice<UInt8>) {
    events.append(.notification(title: title, body: Self.cleanText(body, limit: 1_024)))
  }
}
