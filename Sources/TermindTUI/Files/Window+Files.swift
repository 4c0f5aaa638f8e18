import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Files beside a terminal, and terminals beside files.
extension Window {
  /// Opens the files of the focused pane's machine beside it, at its directory; from files, a terminal there.
  func openFiles() {
    guard let pane = focusedPane else {
      server.openWorkspace(in: id, [.files(localFiles(nil))])
      return
    }
    if let files = pane.files { return files.openTerminal(in: self) }
    switch pane.content {
    case .empty:
      pane.fill(with: .files(localFiles(directory)))
      pane.start()
    case .ssh(let host):
      let told = pane.shownDirectory.flatMap { RemotePath($0) }
      openBeside(.files(PaneContent.FilesTarget(host: host, directory: told)))
    case .local: openBeside(.files(localFiles(pane.workingDirectory)))
    case .files, .noRoute: break
    }
  }

  /// Opens the files of the focused pane's server beside it as root sees them, at its directory.
  func openRootFiles() {
    if let files = focusedPane?.files {
      files.openAsRoot(in: self)
      return files.changed()
    }
    guard case .ssh(let host) = focusedPane?.content else {
      return show(Notice(.problem, "Files as root need a pane of a server."))
    }
    let told = focusedPane?.shownDirectory.flatMap { RemotePath($0) }
    openBeside(.files(PaneContent.FilesTarget(host: host, directory: told, isRoot: true)))
  }

  /// Opens the files of this machine beside the focused pane.
  func openLocalFiles() {
    guard let pane = focusedPane else {
      server.openWorkspace(in: id, [.files(localFiles(directory))])
      return
    }
    if case .empty = pane.content {
      pane.fill(with: .files(localFiles(directory)))
      pane.start()
    } else {
      openBeside(.files(localFiles(pane.workingDirectory)))
    }
  }

  private func localFiles(_ directory: String?) -> PaneContent.FilesTarget {
    PaneContent.FilesTarget(host: nil, directory: directory.flatMap { RemotePath($0) })
  }

  /// Opens a pane at the right of the focused one, or under it where that is too narrow.
  ///
  /// - Parameters:
  ///   - content: What it holds.
  ///   - input: What is typed into its shell once it runs.
  /// - Returns: The pane; nil when there was no room.
  @discardableResult
  func openBeside(_ content: PaneContent, typing input: [UInt8] = []) -> PaneID? {
    guard let workspace else {
      return server.openWorkspace(in: id, [content])?.panes.first
    }
    let sides: [PaneDirection] = [.right, .down]
    guard
      let side = sides.first(where: { hasRoom(in: workspace, beside: workspace.focus, for: $0) })
    else {
      show(Notice(.problem, "There is no room for another pane; zoom out or close one."))
      return nil
    }
    guard let made = server.split(workspace.focus, at: side, content) else { return nil }
    server.panes[made]?.firstInput = input
    return made
  }

  /// How long a program runs at least that a person has used.
  private static let shortestUse = Duration.seconds(1)

  /// Opens a pane for a program on a file of Termind's own.
  ///
  /// It closes with a program that ended well. No restart starts it again.
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - directory: Where it runs; nil is where local programs do.
  ///   - title: What the pane is called.
  ///   - showsText: Whether its text is all that it is for: one that ended at once, without a pager, keeps its pane then.
  ///   - whenEnded: Runs once it has ended or was closed; told whether it was used.
  /// - Returns: The pane; nil when there was no room.
  @discardableResult
  func openHelper(
    _ words: [String],
    in directory: String?,
    titled title: String,
    showsText: Bool = false,
    whenEnded: @escaping (_ isUsed: Bool) -> Void = { _ in }
  ) -> PaneID? {
    guard let made = openBeside(.local(.command(words), directory: directory)) else { return nil }
    server.panes[made]?.customName = title
    server.panes[made]?.isHelper = true
    let started = ContinuousClock.now
    server.afterEnds[made] = { [weak server] in
      let isUsed = started.duration(to: .now) >= Self.shortestUse
      if isUsed || !showsText, let server, server.panes[made]?.endedWell == true {
        // The pane is just telling of its end.
        Task {
          _ = server.model.close(made)
          server.reconcile()
        }
      }
      whenEnded(isUsed)
    }
    return made
  }

  /// Puts bytes into the clipboard of the outer terminal.
  func copyText(_ bytes: [UInt8], saying what: String) {
    guard let terminal, terminal.notify(ClipboardSequence.write(bytes)) else {
      return show(Notice(.problem, "It was not copied: the terminal takes no more just now."))
    }
    show(Notice(.done, "Copied \(what)."))
  }
}
