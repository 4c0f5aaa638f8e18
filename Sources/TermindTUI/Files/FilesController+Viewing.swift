import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Looking at a file: its content, its details, how much lies under it, and its path.
extension FilesController {
  /// Reads the file under the cursor.
  func view() {
    guard let row = model.selected, let path = model.path(of: row.name) else { return }
    guard !row.isDirectory else { return problem = "A directory is opened with enter." }
    view(path)
  }

  /// Reads the first part of a file and shows it.
  func view(_ path: RemotePath) {
    guard let files else { return }
    run("reading \(path.name?.text ?? path.text)") { [weak self] in
      do throws(FileError) {
        let attributes = try await files.attributes(of: path, followingLinks: true)
        await self?.read(path, attributes, of: files)
      } catch { self?.tell(error) }
    }
  }

  /// Reads the first part of a file of which it is known what it is.
  func read(
    _ path: RemotePath,
    _ attributes: FileAttributes,
    of files: any RemoteFileSystem
  ) async {
    let title = path.name?.text ?? path.text
    guard !attributes.kind.isSpecial else {
      return problem = "\(title) is a \(FileText.kind(attributes.kind)), which has no end."
    }
    do throws(FileError) {
      let (bytes, isCut) = try await FileStart.read(path, of: files, limit: FilePager.limit)
      pager = FilePager(
        title: title,
        bytes: bytes,
        cutFrom: isCut ? max(attributes.size ?? 0, UInt64(bytes.count)) : nil
      )
      changed()
    } catch { tell(error) }
  }

  /// Opens an editor: of a file of this machine itself, of a server's a copy.
  func edit(in window: Window) {
    guard let row = model.selected, let path = model.path(of: row.name), !row.isDirectory else {
      return problem = "There is no file under the cursor."
    }
    guard target.host == nil else { return editCopy(of: path, in: window) }
    guard let text = String(validating: path.bytes, as: UTF8.self) else {
      return problem = "The name of the file is no text, and cannot be told to an editor."
    }
    window.openBeside(
      .local(.command(services.editorWords(for: text)), directory: localDirectory)
    )
  }

  private func editCopy(of path: RemotePath, in window: Window) {
    guard let files else { return }
    let (edits, target, name) = (window.server.edits, target, path.name?.text ?? path.text)
    run("fetching \(name)") { [weak self, weak window] in
      do throws(CopyFailure) {
        let resolved: RemotePath
        do throws(FileError) {
          resolved = try await files.resolve(path)
          let kind = try await files.attributes(of: resolved, followingLinks: true).kind
          guard !kind.isSpecial, kind != .directory else {
            throw FileError(.unsupported, text: "only files can be edited")
          }
        } catch { throw CopyFailure(.operation(.reading, error)) }
        await edits.settled()
        if let open = edits.edit(of: resolved, at: target.place) {
          guard let window else { return }
          // Whoever wants the server's file must not get the older copy unasked.
          if open.isInConflict {
            window.server.present(open, in: window)
          } else {
            window.server.openEditor(open, in: window)
          }
          return
        }
        let edit = try await edits.begin(resolved, of: target, files) { [weak self] bytes in
          Task { @MainActor [weak self] in
            self?.progress("fetching \(name): \(FileText.size(bytes))")
          }
        }
        guard let window else { return edits.end(edit) }
        window.server.openEditor(edit, in: window)
      } catch {
        guard error.reason != .cancelled else { return }
        self?.problem = ErrorText.sentence(error, copying: path)
      }
    }
  }

  /// Shows everything that is known of the entry under the cursor.
  func showDetails(in window: Window) {
    guard let files, let row = model.selected, let path = model.path(of: row.name) else { return }
    run("looking") { [weak self, weak window] in
      do throws(FileError) {
        let attributes = try await files.attributes(of: path, followingLinks: false)
        var lines = Self.lines(path, attributes, row.entry)
        if attributes.kind == .symbolicLink {
          let link = try await files.link(at: path)
          lines.append("Leads to: \(link.text)\(link.isBroken ? " (nothing is there)" : "")")
        }
        guard let self, let window else { return }
        if let size = sizes[row.name] { lines.append("Under it: \(FileText.exactSize(size))") }
        window.present(
          QuestionSheet(
            ConfirmSheet(
              title: row.name.text,
              lines: lines,
              buttons: [ConfirmSheet.Button(id: "close", label: "Close", role: .cancel)]
            )
          ) { _ in }
        )
      } catch { self?.tell(error) }
    }
  }

  private static func lines(
    _ path: RemotePath,
    _ attributes: FileAttributes,
    _ entry: FileEntry
  ) -> [String] {
    var lines = ["Path: \(path.text)", "Kind: \(FileText.kind(attributes.kind))"]
    if attributes.kind != .directory, let size = attributes.size {
      lines.append("Size: \(FileText.exactSize(size))")
    }
    if let permissions = attributes.permissions {
      lines.append(
        "Permissions: \(FileModeText.letters(attributes.kind, permissions)) "
          + "(\(FileModeText.octal(permissions)))"
      )
    }
    if let user = attributes.userID {
      let name = entry.ownerName.map { " (\($0))" } ?? ""
      lines.append("Owner: \(user)\(name)")
    }
    if let group = attributes.groupID {
      let name = entry.groupName.map { " (\($0))" } ?? ""
      lines.append("Group: \(group)\(name)")
    }
    if let time = attributes.modified { lines.append("Changed: \(WallClock.date(time.seconds))") }
    if let time = attributes.accessed { lines.append("Read: \(WallClock.date(time.seconds))") }
    return lines
  }

  /// Counts how much lies under the chosen directories.
  func measure() {
    let chosen = model.chosen.map(\.entry).filter { $0.attributes.kind == .directory }
    guard let files, let directory = model.directory, !chosen.isEmpty else {
      return problem = "There is no directory under the cursor."
    }
    run("counting") { [weak self] in
      var all = FileTreeTotals()
      var failures: [FileError] = []
      do throws(FileError) {
        for entry in chosen {
          let before = all.bytes
          let totals = try await FileTreeWalk.count([entry], in: directory, of: files) {
            [weak self] totals in
            await self?.progress("counting: \(FileText.size(before &+ totals.bytes))")
          }
          all.bytes &+= totals.bytes
          failures += totals.failures
          self?.sizes[entry.name] = totals.bytes
        }
        self?.tell(failures, "directories could not be looked into")
      } catch { self?.tell(error) }
    }
  }

  /// Puts the paths of what is chosen into the clipboard, quoted for a shell where that is needed.
  func copyPath(in window: Window) {
    guard let directory = model.directory else { return }
    let paths = model.chosen.map { directory.appending($0.name) }
    let bytes =
      paths.isEmpty
      ? directory.shellWord : Array(paths.map(\.shellWord).joined(separator: [0x20]))
    window.copyText(bytes, saying: paths.count > 1 ? "\(paths.count) paths" : "the path")
  }
}

/// The first part of a file.
nonisolated enum FileStart {
  /// Reads it.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - files: Whose.
  ///   - limit: Most bytes.
  /// - Returns: The bytes, and whether there is more.
  /// - Throws: Why it cannot be read.
  @concurrent
  static func read(
    _ path: RemotePath,
    of files: any RemoteFileSystem,
    limit: Int
  ) async throws(FileError) -> ([UInt8], isCut: Bool) {
    let small = try await files.readSmallFile(path, limit: 131_072)
    guard small.isCut else { return (Array(small.bytes), false) }
    let file = try await files.open(path, .read)
    var bytes: [UInt8] = []
    do throws(FileError) {
      while bytes.count <= limit {
        let part = try await file.read(at: UInt64(bytes.count), count: 131_072)
        guard !part.isEmpty else { break }
        bytes += part
      }
    } catch {
      // Why it could not be read matters more than how the closing went.
      try? await file.close()
      throw error
    }
    // It was only read.
    try? await file.close()
    let isCut = bytes.count > limit
    return (isCut ? Array(bytes.prefix(limit)) : bytes, isCut)
  }
}
