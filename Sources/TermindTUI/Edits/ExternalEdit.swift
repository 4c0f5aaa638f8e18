import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// A file of a server that is edited in a copy on this machine.
final class ExternalEdit {
  /// What is known of the copy.
  enum State: Hashable {
    /// It is what the server has; left by a save.
    case clean
    /// It was saved with other bytes; left by an upload, or by a save that takes them back.
    case changed
    /// It is on its way; left by the end of that.
    case uploading
    /// The original was changed meanwhile; the person decides.
    case conflict
    /// The original was deleted meanwhile; the person decides.
    case gone
    /// The last upload failed for this reason; the copy is still changed.
    case failed(String)
  }

  /// The copy as it was looked at last; what differs from it is another save.
  nonisolated struct Save: Hashable, Sendable {
    let digest: [UInt8]
    let modified: FileTime?
  }

  let number: Int
  /// Whose file it is.
  let target: PaneContent.FilesTarget
  /// The file, links in its path resolved.
  var path: RemotePath
  /// The directory of the copy, which is its own.
  let directory: RemotePath
  /// The copy.
  let file: RemotePath
  /// What the original was last.
  var original: EditOriginal
  var state = State.clean
  /// Where its editor runs, or ran last.
  var pane: PaneID?
  /// When that was started.
  var started: ContinuousClock.Instant?
  /// What was looked at last.
  var lastSave: Save?
  /// Whether anything was saved since its editor was started.
  var hasBeenSaved = false
  /// Whether its editor has left the pane and may go on elsewhere, so that only the person knows its end.
  var isElsewhere = false
  private let watch: DirectoryWatch
  private var source: ReadinessSource?

  init?(
    number: Int,
    target: PaneContent.FilesTarget,
    path: RemotePath,
    file: RemotePath,
    original: EditOriginal,
    onSave: @escaping @MainActor () -> Void
  ) {
    guard let directory = file.parent,
      let text = String(validating: directory.bytes, as: UTF8.self),
      let watch = DirectoryWatch(text)
    else { return nil }
    self.number = number
    self.target = target
    self.path = path
    self.file = file
    self.directory = directory
    self.original = original
    self.watch = watch
    source = ReadinessSource(watch.descriptor, .reading) {
      watch.drain()
      onSave()
    }
    source?.setRunning(true)
  }

  /// What it is called: `index.html on web1`.
  var name: String { "\(path.name?.text ?? path.text) on \(target.name)" }

  /// Whether something of it would be lost with the copy.
  var isUnsaved: Bool { state != .clean }

  /// Whether the original is not what was edited.
  var isInConflict: Bool { state == .conflict || state == .gone }

  /// Its state where there is little room.
  var shortState: String {
    if case .failed = state { return "not uploaded" }
    return stateText
  }

  /// The words of its state.
  var stateText: String {
    switch state {
    case .clean: isElsewhere ? "as on the server, still open" : "as on the server"
    case .changed: "changed, not uploaded"
    case .uploading: "being uploaded"
    case .conflict: "changed here and on the server"
    case .gone: "changed here, deleted on the server"
    case .failed(let reason): "not uploaded: \(reason)"
    }
  }

  /// Ends the watch.
  func stop() { source = nil }
}
