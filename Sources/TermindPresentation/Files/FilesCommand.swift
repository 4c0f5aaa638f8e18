public import TermindScreen

/// What a key does in a file pane.
public enum FilesCommand: String, Hashable, Sendable, CaseIterable {
  // Moving
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  case open, parent, back, forward, home, goToPath, places, jump, jumpNext
  // Choosing
  case mark, markRange, invertMarks, markAll, markPattern, unmarkPattern, leave
  // The list
  case filter, sort, reverse, hidden, refresh, find
  // Doing
  case view, edit, edits, details, size, checksum, compare, compareDirectories, inStep, batchRename,
    chown, newDirectory,
    newFile, rename, chmod, link, delete, undo
  case copyPath, pickUpCopy, pickUpMove, drop, dropMove, copyAcross, moveAcross, terminal, asRoot,
    help
}

/// The keys of a command in a file pane.
public struct FilesBinding: Hashable, Sendable {
  /// Where it is listed.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// Moving about.
    case moving = "Move"
    /// Marks.
    case marks = "Mark"
    /// How the list looks.
    case list = "List"
    /// What is done with files.
    case doing = "Do"
    /// Carrying files to another place.
    case carrying = "Carry"
  }

  /// What it does.
  public let command: FilesCommand
  /// The keys as a keymap writes them; each of them does it.
  public let keys: [String]
  /// A few words.
  public let label: String
  /// Where it is listed.
  public let group: Group

  init(_ command: FilesCommand, _ keys: [String], _ label: String, _ group: Group) {
    self.command = command
    self.keys = keys
    self.label = label
    self.group = group
  }

  /// As a hint.
  public var hint: KeyHint { KeyHint(keys.first ?? "", label) }

  /// Every binding, in the order in which they are listed.
  public static let all: [FilesBinding] = [
    FilesBinding(.open, ["enter", "l", "right"], "open", .moving),
    FilesBinding(.parent, ["backspace", "h", "left"], "up", .moving),
    FilesBinding(.down, ["j", "down"], "next row", .moving),
    FilesBinding(.up, ["k", "up"], "row above", .moving),
    FilesBinding(.pageDown, ["page_down", "ctrl+f"], "page down", .moving),
    FilesBinding(.pageUp, ["page_up", "ctrl+b"], "page up", .moving),
    FilesBinding(.halfPageDown, ["ctrl+d"], "half page down", .moving),
    FilesBinding(.halfPageUp, ["ctrl+u"], "half page up", .moving),
    FilesBinding(.first, ["home", "<"], "first row", .moving),
    FilesBinding(.last, ["end", "G", ">"], "last row", .moving),
    FilesBinding(.back, ["alt+left", "["], "back", .moving),
    FilesBinding(.forward, ["alt+right", "]"], "forward", .moving),
    FilesBinding(.home, ["~"], "home directory", .moving),
    FilesBinding(.goToPath, ["g"], "go to a path", .moving),
    FilesBinding(.places, ["b"], "places: bookmarks, directories above, history", .moving),
    FilesBinding(.jump, ["f"], "jump to a name", .moving),
    FilesBinding(.jumpNext, [";"], "jump on", .moving),
    FilesBinding(.mark, ["space", "insert"], "mark", .marks),
    FilesBinding(.markRange, ["V"], "mark from the last mark to here", .marks),
    FilesBinding(.invertMarks, ["*"], "turn marks round", .marks),
    FilesBinding(.markAll, ["ctrl+a"], "mark all or none", .marks),
    FilesBinding(.markPattern, ["+"], "mark by a pattern", .marks),
    FilesBinding(.unmarkPattern, ["-"], "take marks away by a pattern", .marks),
    FilesBinding(.leave, ["escape"], "stop, or take filter, marks and held files away", .marks),
    FilesBinding(.filter, ["/"], "filter", .list),
    FilesBinding(.find, ["F"], "find by name in all directories below", .list),
    FilesBinding(.sort, ["s"], "sort by the next thing", .list),
    FilesBinding(.reverse, ["S"], "turn the order round", .list),
    FilesBinding(.hidden, ["."], "hidden files", .list),
    FilesBinding(.refresh, ["r", "ctrl+r"], "refresh", .list),
    FilesBinding(.view, ["v", "f3"], "view", .doing),
    FilesBinding(.edit, ["e", "f4"], "edit", .doing),
    FilesBinding(.edits, ["E"], "files edited here: upload, compare, discard", .doing),
    FilesBinding(.details, ["i"], "details", .doing),
    FilesBinding(.size, ["z"], "size of directories", .doing),
    FilesBinding(.checksum, ["c"], "SHA-256 of files", .doing),
    FilesBinding(.compare, ["="], "differences of two files", .doing),
    FilesBinding(
      .compareDirectories,
      ["W"],
      "compare with the other file pane; copy or mirror what differs",
      .doing
    ),
    FilesBinding(.inStep, ["w"], "go through both file panes in step", .moving),
    FilesBinding(.newDirectory, ["n", "f7"], "new directory", .doing),
    FilesBinding(.newFile, ["N"], "new file", .doing),
    FilesBinding(.rename, ["R", "f2"], "rename", .doing),
    FilesBinding(.batchRename, ["B"], "rename many in an editor", .doing),
    FilesBinding(.chmod, ["m"], "permissions", .doing),
    FilesBinding(.chown, ["O"], "owner and group", .doing),
    FilesBinding(.link, ["L"], "make a link", .doing),
    FilesBinding(.delete, ["D", "f8", "delete"], "delete", .doing),
    FilesBinding(.undo, ["u"], "undo", .doing),
    FilesBinding(.terminal, ["t"], "terminal here", .doing),
    FilesBinding(.asRoot, ["#"], "the same directory as root", .doing),
    FilesBinding(.copyPath, ["Y"], "copy the path", .doing),
    FilesBinding(.pickUpCopy, ["y"], "pick up to copy", .carrying),
    FilesBinding(.pickUpMove, ["x"], "pick up to move", .carrying),
    FilesBinding(.drop, ["p"], "drop here", .carrying),
    FilesBinding(.dropMove, ["P"], "move here", .carrying),
    FilesBinding(.copyAcross, ["f5"], "copy to the other file pane", .carrying),
    FilesBinding(.moveAcross, ["f6"], "move to the other file pane", .carrying),
    FilesBinding(.help, ["?"], "keys", .list),
  ]

  private static let byChord: [KeyChord: FilesCommand] = {
    var found: [KeyChord: FilesCommand] = [:]
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
  public static func command(of event: KeyEvent) -> FilesCommand? {
    if event.code == .keypad(.enter) { return .open }
    return KeyIdentity.chords(of: event).lazy.compactMap { byChord[$0] }.first
  }
}
