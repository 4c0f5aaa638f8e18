import TermindPresentation
import TermindScreen

/// The way of a key while a sheet lies over the panes.
extension Window {
  /// Gives a key to the sheet on top, unless it is, or begins, the sequence that closes a pane: that takes the sheet away.
  ///
  /// Keys that turned out to begin nothing reach the sheet in their order.
  func handleOverSheet(_ key: KeyEvent) {
    guard key.kind == .press, let chord = KeyChord(key) else { return giveToSheet(key) }
    let chords = sheetKeys.compactMap { KeyChord($0) } + [chord]
    let sequences = server.looks.keymap.bindings(of: .closePane).map(\.keys)
    if sequences.contains(chords) { return dismissTopSheet() }
    if sequences.contains(where: { $0.starts(with: chords) }) {
      sheetKeys.append(key)
      return
    }
    let waiting = sheetKeys + [key]
    sheetKeys = []
    for key in waiting { giveToSheet(key) }
  }

  private func giveToSheet(_ key: KeyEvent) {
    guard let sheet = sheets.last else { return }
    finish(sheet.handle(key), of: sheet)
  }
}
