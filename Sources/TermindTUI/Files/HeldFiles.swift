import TermindApplication
import TermindDomain
import TermindPresentation

/// What was picked up in a file pane, to be dropped in another; it follows through every window of the server.
struct HeldFiles {
  /// Whose files they are.
  let place: FilePlace
  /// The target that they were picked up from.
  let source: PaneContent.FilesTarget
  /// Where they are.
  let directory: RemotePath
  /// What they are.
  let entries: [FileEntry]
  /// Whether they are to be gone from there once they are dropped.
  let isMove: Bool

  /// Whether other files are the same ones.
  func isSame(as other: HeldFiles) -> Bool {
    place == other.place && directory == other.directory && entries == other.entries
  }

  /// The bytes of the files among them.
  var size: UInt64 {
    entries.reduce(0) { sum, entry in
      entry.attributes.kind == .directory ? sum : sum &+ (entry.attributes.size ?? 0)
    }
  }

  /// What the status line says.
  var text: String { "\(verb) \(entries.count) from \(source.name):\(directory.text)\(amount)" }

  /// What it says where a drop would land in a directory.
  func text(for place: String) -> String { "\(verb) \(entries.count)\(amount) for \(place)" }

  private var verb: String { isMove ? "moving" : "holding" }
  private var amount: String { size > 0 ? " (\(FileText.amount(size)))" : "" }
}

extension WindowServer {
  /// Takes files up.
  func pickUp(_ files: HeldFiles) {
    held = files
    for window in windows.values { window.requestFrame() }
  }

  /// Lets go of them.
  func putDown() {
    held = nil
    for window in windows.values { window.requestFrame() }
  }
}
