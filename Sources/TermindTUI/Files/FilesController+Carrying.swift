import TermindApplication
import TermindDomain
import TermindPresentation

/// Carrying files to another place: picking up, dropping, and across to the other file pane.
extension FilesController {
  /// Takes what is chosen up.
  func pickUp(isMove: Bool, in window: Window) {
    guard let held = chosenFiles(isMove: isMove) else {
      return problem = "There is nothing under the cursor."
    }
    window.server.pickUp(held)
  }

  /// What is marked, else what is under the cursor.
  func chosenFiles(isMove: Bool) -> HeldFiles? {
    let entries = model.chosen.map(\.entry)
    guard let directory = model.directory, !entries.isEmpty else { return nil }
    return HeldFiles(
      place: target.place,
      source: target,
      directory: directory,
      entries: entries,
      isMove: isMove
    )
  }

  /// Drops what is held into the directory in front.
  ///
  /// - Parameters:
  ///   - isMove: Whether it is moved; nil as it was picked up.
  ///   - window: Where the key was pressed.
  func drop(isMove: Bool?, in window: Window) {
    guard let held = window.server.held else {
      return problem = "Nothing is held: y picks up to copy, x to move."
    }
    receive(held, isMove: isMove ?? held.isMove, in: window)
  }

  /// Takes files into the directory in front.
  func receive(_ held: HeldFiles, isMove: Bool, in window: Window) {
    guard let directory = model.directory else { return }
    if let refusal = FileDropCheck.refusal(held, into: directory, at: target.place) {
      return problem = refusal
    }
    // Within one host a move is a change of names.
    if isMove, held.place == target.place { return move(held, into: directory, in: window) }
    carry(held, into: directory, isMove: isMove, in: window)
  }

  /// Starts a transfer; what stands in its way is what the pane lists.
  private func carry(
    _ held: HeldFiles,
    into directory: RemotePath,
    isMove: Bool,
    in window: Window
  ) {
    window.carry(
      FileDrop(
        held: held,
        target: target,
        directory: directory,
        isMove: isMove,
        taken: model.listed(Set(held.entries.map(\.name))),
        space: space
      )
    )
  }

  private func move(_ held: HeldFiles, into directory: RemotePath, in window: Window) {
    guard let files else { return }
    run("moving") { [weak self, weak window] in
      var moves: [(from: RemotePath, to: RemotePath)] = []
      var failures: [FileError] = []
      var others: [FileEntry] = []
      for entry in held.entries {
        let from = held.directory.appending(entry.name)
        let to = directory.appending(entry.name)
        do throws(FileError) {
          try await files.rename(from, to: to, replacing: false)
          moves.append((from, to))
          self?.progress("moving \(moves.count) of \(held.entries.count)")
        } catch {
          if error.reason == .crossDevice {
            others.append(entry)
            continue
          }
          failures.append(error.about(from))
          if error.isCancellation || error.endsConnection { break }
        }
      }
      guard let self else { return }
      if !others.isEmpty, let window {
        // Another file system of the same host: copied, and then gone from where it was.
        let rest = HeldFiles(
          place: held.place,
          source: held.source,
          directory: held.directory,
          entries: others,
          isMove: true
        )
        carry(rest, into: directory, isMove: true, in: window)
      }
      if !moves.isEmpty {
        undos.append(.moved(moves))
        window?.server.putDown()
      }
      if model.directory == directory { refresh(selecting: moves.first?.to.name) }
      window?.server.filesChanged(at: target.place, held.directory, except: self)
      if failures.isEmpty, others.isEmpty {
        window?.show(
          Notice(
            .done,
            "Moved \(FileText.names(moves.compactMap { $0.to.name })); u takes it back."
          )
        )
      }
      tell(failures, "were not moved")
    }
  }

  /// Copies or moves what is chosen to the directory of the other file pane of the workspace.
  func carryAcross(isMove: Bool, in window: Window) {
    guard let held = chosenFiles(isMove: isMove) else {
      return problem = "There is nothing under the cursor."
    }
    let others = (window.workspace?.panes ?? []).compactMap { window.server.panes[$0]?.files }
      .filter { $0 !== self && $0.model.directory != nil }
    guard let other = others.first else {
      return problem = "There is no other file pane in this workspace."
    }
    guard others.count == 1 else {
      return problem = "There are several other file panes: y or x picks up, p drops."
    }
    other.receive(held, isMove: isMove, in: window)
    // What is wrong is said where the key was pressed.
    if other.work == nil, !other.problem.isEmpty {
      problem = other.problem
      other.problem = ""
    }
  }
}

/// What may not be dropped where.
enum FileDropCheck {
  /// Why files cannot be dropped into a directory; nil when they can.
  static func refusal(
    _ held: HeldFiles,
    into directory: RemotePath,
    at place: FilePlace
  ) -> String? {
    guard held.place == place else { return nil }
    if held.directory == directory {
      return "They are in this directory already."
    }
    for entry in held.entries {
      let path = held.directory.appending(entry.name)
      if path == directory || entry.attributes.kind == .directory && path.contains(directory) {
        return "\(path.text) cannot go into itself."
      }
    }
    return nil
  }
}

extension WindowServer {
  /// Reads a directory again in the other panes that show it.
  func filesChanged(at place: FilePlace, _ directory: RemotePath, except one: FilesController?) {
    for pane in panes.values {
      guard let files = pane.files, files !== one, files.target.place == place,
        files.model.directory == directory, files.model.loading == nil
      else { continue }
      files.refresh()
    }
  }
}
