public import TermindScreen

/// What a key does in the transfers sheet.
public enum TransfersCommand: String, Hashable, Sendable, CaseIterable {
  case down, up, pageDown, pageUp, first, last, toggle, collapse
  case pause, pauseAll, retry, cancel, skip, moveUp, moveDown, clear, clearAll, limits, close
}

/// The keys of a command in the transfers sheet.
public struct TransfersBinding: Hashable, Sendable {
  /// What it does.
  public let command: TransfersCommand
  /// The keys as a keymap writes them; each of them does it.
  public let keys: [String]
  /// A few words.
  public let label: String

  init(_ command: TransfersCommand, _ keys: [String], _ label: String) {
    self.command = command
    self.keys = keys
    self.label = label
  }

  /// Every binding, in the order in which they are listed.
  public static let all: [TransfersBinding] = [
    TransfersBinding(.down, ["j", "down"], "next row"),
    TransfersBinding(.up, ["k", "up"], "row above"),
    TransfersBinding(.pageDown, ["page_down", "ctrl+f"], "page down"),
    TransfersBinding(.pageUp, ["page_up", "ctrl+b"], "page up"),
    TransfersBinding(.first, ["home", "g"], "first row"),
    TransfersBinding(.last, ["end", "G"], "last row"),
    TransfersBinding(
      .toggle,
      ["enter", "l", "right"],
      "show the files of a transfer, or hide them"
    ),
    TransfersBinding(.collapse, ["h", "left"], "back to the transfer of a file"),
    TransfersBinding(.pause, ["space", "p"], "pause or go on: a transfer or a file"),
    TransfersBinding(.pauseAll, ["P"], "pause everything, or let everything go on"),
    TransfersBinding(.retry, ["r"], "try again: what failed, or a lost connection"),
    TransfersBinding(.skip, ["s"], "leave a file out"),
    TransfersBinding(.cancel, ["x", "delete"], "cancel a transfer"),
    TransfersBinding(.moveUp, ["K"], "move up: before the transfer above, or next of its files"),
    TransfersBinding(
      .moveDown,
      ["J"],
      "move down: behind the transfer below, or last of its files"
    ),
    TransfersBinding(.clear, ["c"], "clear a transfer that is over"),
    TransfersBinding(.clearAll, ["C"], "clear all that are over"),
    TransfersBinding(.limits, ["b"], "limits: files at once, and bandwidth"),
    TransfersBinding(.close, ["escape", "q"], "close"),
  ]

  private static let byChord: [KeyChord: TransfersCommand] = {
    var found: [KeyChord: TransfersCommand] = [:]
    for binding in all {
      for key in binding.keys {
        // A test proves that every key can be read.
        guard let chord = try? KeyChord(text: key) else { continue }
        found[chord] = binding.command
      }
    }
    return found
  }()

  /// The command of a key.
  public static func command(of event: KeyEvent) -> TransfersCommand? {
    if event.code == .keypad(.enter) { return .toggle }
    return KeyIdentity.chords(of: event).lazy.compactMap { byChord[$0] }.first
  }
}
