import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure
import TermindTerminal

/// Files to and from terminals: drops, uploads of what is pasted, downloads of what is named.
extension Window {
  /// Drops what is held where the focused pane is; a terminal that does not tell its directory is asked about.
  func dropFiles() {
    guard let held = server.held else {
      return show(Notice(.info, "Nothing is held: y in a file pane picks up, x to move."))
    }
    guard let pane = focusedPane else { return }
    drop(held, on: pane)
  }

  /// Drops files where a pane is.
  func drop(_ held: HeldFiles, on pane: Pane) {
    if let files = pane.files {
      if files.model.directory != nil { files.receive(held, isMove: held.isMove, in: self) }
      return files.changed()
    }
    guard let target = filesTarget(of: pane) else { return }
    drop([held], at: target, told: directory(of: pane, target))
  }

  /// Whose files a terminal's are; nil for a pane without a machine.
  private func filesTarget(of pane: Pane) -> PaneContent.FilesTarget? {
    switch pane.content {
    case .ssh(let host): PaneContent.FilesTarget(host: host, directory: nil)
    case .local: PaneContent.FilesTarget(host: nil, directory: nil)
    case .empty, .files, .noRoute: nil
    }
  }

  /// The directory that a terminal is known to be in.
  private func directory(of pane: Pane, _ target: PaneContent.FilesTarget) -> RemotePath? {
    let told = target.host == nil ? pane.workingDirectory : pane.shownDirectory
    return told.flatMap { RemotePath($0) }
  }

  /// The directory in which something that is dropped on a terminal lands; nil where that is asked.
  func dropDirectory(_ pane: Pane) -> String? {
    filesTarget(of: pane).flatMap { directory(of: pane, $0) }?.text
  }

  /// Drops files at a directory; it is asked for where none is told, and again where nothing can go there.
  func drop(_ held: [HeldFiles], at target: PaneContent.FilesTarget, told: RemotePath?) {
    guard let told else { return askDirectory(for: held, at: target) }
    show(Notice(.info, "Looking at \(target.name):\(told.text) …"))
    Task { [weak self] in
      guard let problem = await self?.begin(held, at: target, told) else { return }
      self?.askDirectory(for: held, at: target, told.text, problem)
    }
  }

  private func askDirectory(
    for held: [HeldFiles],
    at target: PaneContent.FilesTarget,
    _ text: String = "",
    _ problem: String = ""
  ) {
    let names = FileText.names(held.flatMap(\.entries).map(\.name))
    var form = Form(
      title: "Drop \(names) on \(target.name)",
      lines: ["In which directory?"],
      rows: [Form.Row("Directory", text: text, placeholder: "home directory")]
    )
    form.problem = problem
    present(
      AsyncFormSheet(
        form,
        in: self,
        overlay: WindowOverlay("form"),
        busyText: "looking at \(target.name) …"
      ) { [weak self] answers in
        let bytes = answers.first?.copyBytes() ?? []
        guard let path = bytes.isEmpty ? RemotePath.start : RemotePath(bytes) else {
          return "Type a path."
        }
        return await self?.begin(held, at: target, path)
      }
    )
  }

  /// Looks at a directory, and starts what goes there.
  ///
  /// - Returns: Why nothing can go there.
  private func begin(
    _ held: [HeldFiles],
    at target: PaneContent.FilesTarget,
    _ directory: RemotePath
  ) async -> String? {
    var found: [FileDrop] = []
    do throws(FileError) {
      for held in held {
        if let refusal = FileDropCheck.refusal(held, into: directory, at: target.place) {
          return refusal
        }
        let drop = FileDrop(
          held: held,
          target: target,
          directory: directory,
          isMove: held.isMove
        )
        found.append(try await DropLook(drop, server.services, nil, nil, counts: true).run())
      }
    } catch { return ErrorText.sentence(error) }
    guard !Task.isCancelled else { return nil }
    // The form goes away before a question comes.
    let drops = found
    Task { for drop in drops { carry(drop) } }
    return nil
  }

  // MARK: Uploads

  /// Offers to upload pasted paths of this machine, when a remote shell would get them.
  ///
  /// - Parameters:
  ///   - bytes: What is pasted.
  ///   - pane: Where it is pasted.
  ///   - paste: Pastes it as text.
  /// - Returns: Whether the paste waits for an answer.
  func offerUpload(_ bytes: [UInt8], to pane: Pane, or paste: @escaping () -> Void) -> Bool {
    guard server.looks.preferences.offersUpload, case .ssh(let host) = pane.content,
      pane.surface?.withTerminal({ $0.modes.isAlternateScreen }) == false,
      let paths = PastedPaths.read(bytes)
    else { return false }
    let target = PaneContent.FilesTarget(host: host, directory: nil)
    let told = directory(of: pane, target)
    pane.holdKeys()
    Task { [weak self, weak pane] in
      let found = await Self.held(paths)
      // Text that only looks like paths is text.
      guard let self, !found.isEmpty else {
        paste()
        pane?.releaseKeys()
        return
      }
      // What was typed on was meant for the shell, which gets nothing of this before the answer.
      pane?.releaseKeys(dropping: true)
      let names = FileText.names(found.flatMap(\.entries).map(\.name))
      let question = ConfirmSheet(
        title: "Upload \(names)?",
        lines: [
          "What is pasted names files of this machine, and \(target.name) is another one.",
          "Uploaded to \(told?.text ?? "a directory that is asked for").",
        ],
        buttons: [
          ConfirmSheet.Button(id: "paste", label: "Paste the text", role: .plain),
          ConfirmSheet.Button(id: "upload", label: "Upload", role: .plain),
          ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
        ]
      )
      present(
        QuestionSheet(question) { [weak self] answer in
          switch answer {
          case "paste": paste()
          case "upload": self?.drop(found, at: target, told: told)
          default: break
          }
        }
      )
    }
    return true
  }

  /// How long a paste may wait for the file system.
  private static let longestLook = Duration.seconds(1)

  /// What there is at paths of this machine; nothing where the file system does not answer soon.
  private static func held(_ paths: [RemotePath]) async -> [HeldFiles] {
    let answer = Answer()
    await BoundedWait.run(within: longestLook) { finish in
      Task {
        answer.found = await LocalDrop.held(paths)
        finish()
      }
    }
    return answer.found
  }

  private final class Answer { var found: [HeldFiles] = [] }

  // MARK: Downloads

  /// Offers to copy a file that the focused terminal names to this machine.
  func downloadFile() {
    guard let pane = focusedPane, case .ssh(let host) = pane.content else {
      return show(Notice(.info, "A download begins in the terminal of a server."))
    }
    let source = PaneContent.FilesTarget(host: host, directory: nil)
    let base = directory(of: pane, source)
    let form = Form(
      title: "Download from \(source.name)",
      lines: base.map { ["Paths begin at \($0.text)."] } ?? [],
      rows: [
        Form.Row("File", text: Self.namedPath(in: pane), placeholder: "a file or directory there"),
        Form.Row("To", text: downloadDirectory, placeholder: "a directory of this machine"),
      ]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard texts.count == 2, let path = RemotePath(texts[0]), let to = RemotePath(texts[1])
        else { return "Type a path there and a directory here." }
        Task { await self?.download(path, from: source, base: base, to: to) }
        return nil
      }
    )
  }

  /// Where downloads go unless the person says otherwise.
  private var downloadDirectory: String {
    let home = server.services.home
    let usual = "\(home)/Downloads"
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: usual, isDirectory: &isDirectory) else {
      return home
    }
    return isDirectory ? usual : home
  }

  private func download(
    _ path: RemotePath,
    from source: PaneContent.FilesTarget,
    base: RemotePath?,
    to directory: RemotePath
  ) async {
    show(Notice(.info, "Looking at \(source.name):\(path.text) …"))
    let services = server.services
    do throws(FileError) {
      let held = try await LocalDrop.named(path, from: source, base: base, services)
      let local = PaneContent.FilesTarget(host: nil, directory: nil)
      var drop = FileDrop(held: held, target: local, directory: directory, isMove: false)
      // It is called here as it was asked for, whatever the server says it is called.
      if let name = held.entries.first?.name, let wanted = path.name {
        drop.newNames = [name: wanted]
      }
      look(drop)
    } catch {
      show(Notice(.problem, ErrorText.sentence(error)))
    }
  }

  /// What is selected in a terminal, else the word at its cursor that could be a path.
  private static func namedPath(in pane: Pane) -> String {
    guard let surface = pane.surface else { return "" }
    let selected = pane.copying?.text
    let cursor = pane.copying?.cursor
    let text =
      selected
      ?? surface.withTerminal { terminal in
        var reader = TextReader(terminal)
        let place = cursor.flatMap { reader.position(of: $0) } ?? terminal.cursor.position
        let word = reader.word(at: place, isBig: true)
        return terminal.text(
          of: TextSelection(
            .characters,
            anchor: reader.place(of: word.first),
            head: reader.place(of: word.last)
          )
        )
      }
    return trimmed(text)
  }

  /// A path without what stands around it in a sentence or a listing; nothing when it is more than a line.
  static func trimmed(_ text: String) -> String {
    var path = text[...]
    while let last = path.last, last.isWhitespace || ",;:'\")]".contains(last) { path.removeLast() }
    while let first = path.first, first.isWhitespace || "'\"([".contains(first) {
      path.removeFirst()
    }
    return path.contains(where: \.isNewline) || path.count > 4_096 ? "" : String(path)
  }
}

/// Looks at files that are named rather than picked up.
enum LocalDrop {
  /// Files of this machine, by directory; nothing when one of them is not there.
  static func held(_ paths: [RemotePath]) async -> [HeldFiles] {
    let files = LocalFileSystem(home: .root)
    var directories: [RemotePath] = []
    var entries: [RemotePath: [FileEntry]] = [:]
    for path in paths {
      guard let directory = path.parent, let name = path.name,
        // A path that cannot be looked at is no file that could be uploaded.
        let attributes = try? await files.attributes(of: path, followingLinks: false)
      else { return [] }
      if entries[directory] == nil { directories.append(directory) }
      entries[directory, default: []].append(FileEntry(name: name, attributes: attributes))
    }
    return directories.map { directory in
      HeldFiles(
        place: .thisMachine,
        source: PaneContent.FilesTarget(host: nil, directory: nil),
        directory: directory,
        entries: entries[directory] ?? [],
        isMove: false
      )
    }
  }

  /// A file of a server, by its path from a directory.
  static func named(
    _ path: RemotePath,
    from source: PaneContent.FilesTarget,
    base: RemotePath?,
    _ services: Services
  ) async throws(FileError) -> HeldFiles {
    let files: any RemoteFileSystem
    do throws(TransferOpenFailure) {
      files = try await services.openTransferEnd(source)
    } catch { throw error.error }
    do throws(FileError) {
      var whole = path
      if let base, !path.isAbsolute, path.bytes.first != 0x7E {
        whole = RemotePath(base.bytes + [0x2F] + path.bytes) ?? path
      }
      // Where a link leads is what is wanted.
      let place = try await files.resolve(whole)
      let attributes = try await files.attributes(of: place, followingLinks: true)
      await files.close()
      guard let directory = place.parent, let name = place.name,
        // Without a name that was typed the server would choose one of ours.
        path.name != nil || !name.isHidden
      else {
        throw FileError(.badName, path: place)
      }
      return HeldFiles(
        place: source.place,
        source: source,
        directory: directory,
        entries: [FileEntry(name: name, attributes: attributes)],
        isMove: false
      )
    } catch {
      await files.close()
      throw error
    }
  }
}
