import TermindPresentation
import TermindScreen

/// The way of a key while a sheet lies over the panes.
extension Window {
  /// Gives a key to the sheet on top, unless it is, or begins, the sequence that closes a pane: that takes the sheet away.
  ///
  /// The leader means something to the keymap only: neither it nor the key behind it reaches a sheet. Other keys that
  /// turned out to begin nothing reach the sheet in their order.
  func handleOverSheet(_ key: KeyEvent) {
    guard !isMeantForProgram(key) else { return }
    guard key.kind == .press, let chord = KeyChord(key) else { return giveToSheet(key) }
    let chords = sheetKeys.compactMap { KeyChord($0) } + [chord]
    let sequences = server.looks.keymap.bindings(of: .closePane).map(\.keys)
    if sequences.contains(chords) { return dismissTopSheet() }
    let isLeader = sheetKeys.isEmpty && resolver.isLeader(key)
    if isLeader || sequences.contains(where: { $0.starts(with: chords) }) {
      sheetKeys.append(key)
      return
    }
    let waiting = sheetKeys + [key]
    sheetKeys = []
    guard !resolver.isLeader(waiting[0]) else { return }
    for key in waiting { giveToSheet(key) }
  }

  /// Whether a key belongs to what was being typed into a program when the sheet came by itself.
  ///
  /// Until a pause has shown that the person has seen the sheet, nothing of it answers a question unread.
  private func isMeantForProgram(_ key: KeyEvent) -> Bool {
    guard key.kind != .release, let end = typingEnd else { return false }
    let now = server.services.now
    typingEnd = now < end ? now + Self.typeAheadTime : nil
    return typingEnd != nil
  }

  private func giveToSheet(_ key: KeyEvent) {
    guard let sheet = sheets.last else { return }
    finish(sheet.handle(key), of: sheet)
  }
}
