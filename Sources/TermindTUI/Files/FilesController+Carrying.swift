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
    let drop = FileDrop(held: held, target: target, directory: directory, isMove: isMove)
    // Within one host a move is a change of names.
    let isChange = isMove && held.place == target.place
    let move: (FileDrop, DropChoice) -> Void = { [weak self, weak window] drop, choice in
      guard let self, let window else { return }
      self.move(drop, choice, in: window)
    }
    window.look(
      drop,
      from: window.server.openFiles(at: held.place),
      at: files,
      within: isChange ? move : nil
    )
  }

  /// What becomes of one entry that is moved by its name.
  private struct Change {
    let entry: FileEntry
    let to: RemotePath
    let replaces: Bool
  }

  /// Decides what a move within one file system does; directories that are merged, and what cannot be renamed, are copied.
  ///
  /// - Parameters:
  ///   - drop: What was looked at.
  ///   - choice: What the person decided.
  ///   - names: The names in the directory, where free ones are needed.
  ///   - canReplace: Whether a rename may take the place of a file.
  /// - Returns: The changes of names, what is copied in place of that, and what cannot be.
  private static func changes(
    _ drop: FileDrop,
    _ choice: DropChoice,
    names: Set<FileName>,
    canReplace: Bool
  ) -> (changes: [Change], copied: [FileEntry], failures: [FileError]) {
    var (names, changes, copied, failures) = (names, [Change](), [FileEntry](), [FileError]())
    let taken = Dictionary(drop.taken.map { ($0.name, $0.attributes) }) { first, _ in first }
    for entry in drop.held.entries where !choice.leftOut.contains(entry.name) {
      let name = choice.newNames[entry.name] ?? entry.name
      let decision = ConflictRules.decide(
        name,
        source: entry.attributes,
        target: name == entry.name ? taken[name] : nil,
        policy: choice.policies[entry.name] ?? choice.policy
      ) { names.contains($0) }
      switch decision {
      case .create:
        changes.append(Change(entry: entry, to: drop.directory.appending(name), replaces: false))
      case .createUnder(let free):
        names.insert(free)
        changes.append(Change(entry: entry, to: drop.directory.appending(free), replaces: false))
      case .replace where canReplace:
        changes.append(Change(entry: entry, to: drop.directory.appending(name), replaces: true))
      case .replace, .merge: copied.append(entry)
      case .skip: break
      case .refuse:
        failures.append(FileError(.exists, path: drop.held.directory.appending(entry.name)))
      }
    }
    return (changes, copied, failures)
  }

  private func move(_ drop: FileDrop, _ choice: DropChoice, in window: Window) {
    guard let files else { return problem = "There is no connection." }
    let held = drop.held
    run("moving") { [weak self, weak window] in
      var names: Set<FileName> = []
      if !drop.taken.isEmpty {
        do throws(FileError) {
          names = Set(try await FileTreeWalk.list(drop.directory, files).map(\.name))
        } catch { return self?.tell(error) ?? () }
      }
      let work = Self.changes(
        drop,
        choice,
        names: names,
        canReplace: files.abilities.contains(.replacingRename)
      )
      var (copied, failures) = (work.copied, work.failures)
      var moves: [(from: RemotePath, to: RemotePath)] = []
      var replaced: [FileName] = []
      for change in work.changes {
        let from = held.directory.appending(change.entry.name)
        do throws(FileError) {
          try await files.rename(from, to: change.to, replacing: change.replaces)
          if change.replaces {
            replaced.append(change.entry.name)
          } else {
            moves.append((from, change.to))
          }
          let count = moves.count + replaced.count
          self?.progress("moving \(count) of \(work.changes.count)")
        } catch {
          // Another file system of the same host: copied, and then gone from where it was.
          if error.reason == .crossDevice {
            copied.append(change.entry)
            continue
          }
          failures.append(error.about(from))
          if error.isCancellation || error.endsConnection { break }
        }
      }
      guard let self else { return }
      if !copied.isEmpty, let window {
        let rest = HeldFiles(
          place: held.place,
          source: held.source,
          directory: held.directory,
          entries: copied,
          isMove: true
        )
        window.server.transfers.start(rest, to: target, drop.directory, choice)
      }
      if !moves.isEmpty { undos.append(.moved(moves)) }
      if let window, let now = window.server.held, now.isSame(as: held), failures.isEmpty {
        window.server.putDown()
      }
      let moved = moves.compactMap(\.to.name) + replaced
      if model.directory == drop.directory { refresh(selecting: moved.first) }
      window?.server.filesChanged(at: target.place, held.directory, except: self)
      if failures.isEmpty, copied.isEmpty {
        let undo = replaced.isEmpty ? "; u takes it back" : ""
        let text =
          moved.isEmpty ? "Nothing was moved." : "Moved \(FileText.names(moved))\(undo)."
        window?.show(Notice(moved.isEmpty ? .info : .done, text))
      }
      tell(failures, "were not moved")
    }
  }

  /// Copies or moves what is chosen to the directory of the other file pane of the workspace.
  func carryAcross(isMove: Bool, in window: Window) {
    guard let held = chosenFiles(isMove: isMove) else {
      return problem = "There is nothing under the cursor."
    }
    guard let other = onlyOther(in: window, instead: "y or x picks up, p drops") else { return }
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
  /// The files of an account, where a pane has them open.
  func openFiles(at place: FilePlace) -> (any RemoteFileSystem)? {
    panes.values.lazy.compactMap { $0.files }.first { $0.target.place == place && $0.files != nil }?
      .files
  }

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
