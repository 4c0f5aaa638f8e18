import TermindApplication
import TermindDomain
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

  /// Drops what is held where the focused pane is; a terminal that does not tell its directory is asked about.
  func dropFiles() {
    guard let held = server.held else {
      return show(Notice(.info, "Nothing is held: y in a file pane picks up, x to move."))
    }
    guard let pane = focusedPane else { return }
    if let files = pane.files {
      files.drop(isMove: nil, in: self)
      return files.changed()
    }
    let target: PaneContent.FilesTarget
    switch pane.content {
    case .ssh(let host): target = PaneContent.FilesTarget(host: host, directory: nil)
    case .local: target = localFiles(nil)
    case .empty, .files, .noRoute: return
    }
    let told = target.host == nil ? pane.workingDirectory : pane.shownDirectory
    if let directory = told.flatMap({ RemotePath($0) }) {
      return drop(held, at: target, directory)
    }
    let form = Form(
      title: "Drop \(held.entries.count) on \(target.name)",
      lines: ["The terminal does not tell its directory."],
      rows: [Form.Row("Directory", placeholder: "/absolute/path")]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard let path = RemotePath(texts.first ?? ""), path.isAbsolute else {
          return "Type a path from the root on."
        }
        self?.drop(held, at: target, path)
        return nil
      }
    )
  }

  private func drop(
    _ held: HeldFiles,
    at target: PaneContent.FilesTarget,
    _ directory: RemotePath
  ) {
    if let refusal = FileDropCheck.refusal(held, into: directory, at: target.place) {
      return show(Notice(.problem, refusal))
    }
    // What is there stays: a terminal shows no list in which names that are taken could be seen.
    server.transfers.start(held, to: target, directory, policy: .skip, isMove: held.isMove)
    server.putDown()
    show(Notice(.info, "\(held.entries.count) on the way to \(target.name):\(directory.text)."))
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

  /// Puts bytes into the clipboard of the outer terminal.
  func copyText(_ bytes: [UInt8], saying what: String) {
    guard let terminal, terminal.notify(ClipboardSequence.write(bytes)) else {
      return show(Notice(.problem, "It was not copied: the terminal takes no more just now."))
    }
    show(Notice(.done, "Copied \(what)."))
  }
}
