import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// The files of servers that are edited on this machine; they belong to no window.
///
/// What is edited is written down, so that the next server of Termind goes on with it.
final class ExternalEdits {
  private(set) var edits: [ExternalEdit] = []
  /// Hears that something of an edit is different, to be drawn.
  var onChange: ((ExternalEdit) -> Void)?
  /// Hears of a save that is not on the server.
  var onSave: ((ExternalEdit) -> Void)?
  unowned let services: Services
  private var looks: [Int: Task<Bool, Never>] = [:]
  private var lastNumber = 0
  /// The edits as the next server finds them; nil where nothing is kept.
  let journal: KeptFile<[KeptEdit]>?
  /// What was edited with an earlier server and cannot be any more; its copies stay.
  var orphans: [KeptEdit] = []
  /// Brings back those of the last server.
  var reading: Task<Returned, Never>?
  /// Whether those are back.
  var hasRead = false
  /// The last change of the journal.
  var writing: Task<Void, Never>?

  init(_ services: Services) {
    self.services = services
    journal = DemoHome.isAdopted(by: services.paths) ? nil : KeptFile(path: services.paths.edits)
  }

  /// How many would lose something.
  var unsavedCount: Int { edits.count { $0.isUnsaved } }

  /// The edit of a file, if there is one.
  func edit(of path: RemotePath, at place: FilePlace) -> ExternalEdit? {
    edits.first { $0.path == path && $0.target.place == place }
  }

  /// The edit whose editor runs in a pane.
  func edit(in pane: PaneID) -> ExternalEdit? { edits.first { $0.pane == pane } }

  // MARK: Beginning

  /// Takes a copy of a file, and watches it.
  ///
  /// - Parameters:
  ///   - path: The file, resolved.
  ///   - target: Whose it is.
  ///   - files: Its file system.
  ///   - progress: Told how many bytes are there.
  /// - Returns: The edit.
  /// - Throws: Why there is none.
  func begin(
    _ path: RemotePath,
    of target: PaneContent.FilesTarget,
    _ files: any RemoteFileSystem,
    progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(CopyFailure) -> ExternalEdit {
    let place = try await services.scratch.make()
    let (file, local) = (place.file(path.name), place.files)
    let edited = EditedFile(
      original: FileLocation(files, path),
      copy: FileLocation(local, file)
    )
    let original: EditOriginal
    do throws(CopyFailure) {
      original = try await edited.fetch(progress: progress)
    } catch {
      await place.remove()
      throw error
    }
    guard let made = add(path, of: target, in: file, original) else {
      await place.remove()
      throw CopyFailure(
        .operation(.writing, FileError(.failed, path: file, text: "it cannot be watched"))
      )
    }
    keep()
    // What is not written down would be taken for a leftover after a crash.
    await writing?.value
    return made
  }

  /// Watches a copy.
  func add(
    _ path: RemotePath,
    of target: PaneContent.FilesTarget,
    in file: RemotePath,
    _ original: EditOriginal
  ) -> ExternalEdit? {
    lastNumber += 1
    let number = lastNumber
    let made = ExternalEdit(
      number: number,
      target: target,
      path: path,
      file: file,
      original: original
    ) { [weak self] in self?.look(number) }
    if let made { edits.append(made) }
    return made
  }

  // MARK: Saves

  /// Looks whether a copy holds other bytes than the server has; a look that has begun is begun anew.
  func look(_ number: Int) {
    looks[number]?.cancel()
    looks[number] = Task { [weak self] in
      guard let self, let edit = edits.first(where: { $0.number == number }) else { return true }
      do throws(FileError) {
        let save = try await Self.save(in: edit.file)
        guard !Task.isCancelled else { return false }
        note(save, of: edit)
        return true
      } catch {
        // A copy that is just being replaced is looked at when the new one has its name; one that is gone holds nothing.
        return error.reason == .notFound
      }
    }
  }

  /// Looks at a copy, and suspends until that is over, and every look that has taken its place.
  ///
  /// - Returns: Whether it is known what the copy holds.
  @discardableResult
  func lookNow(_ edit: ExternalEdit) async -> Bool {
    look(edit.number)
    var isKnown = true
    var last: Task<Bool, Never>?
    while let task = looks[edit.number], task != last {
      isKnown = await task.value
      last = task
    }
    return isKnown
  }

  /// What a copy holds now.
  @concurrent
  nonisolated static func save(in file: RemotePath) async throws(FileError) -> ExternalEdit.Save {
    let files = LocalFileSystem(home: file.parent ?? .root)
    let modified = try await files.attributes(of: file, followingLinks: true).modified
    return ExternalEdit.Save(
      digest: try await FileDigest.sha256(FileLocation(files, file)),
      modified: modified
    )
  }

  private func note(_ save: ExternalEdit.Save, of edit: ExternalEdit) {
    // What is saved meanwhile is looked at when the upload is over.
    guard edit.state != .uploading else { return }
    let isNew = save != edit.lastSave
    edit.lastSave = save
    guard save.digest != edit.original.digest else {
      if edit.state != .clean {
        edit.state = .clean
        onChange?(edit)
      }
      return
    }
    switch edit.state {
    case .clean: edit.state = .changed
    // What was told once is told again with the next save.
    case .changed, .conflict, .gone: guard isNew else { return }
    case .failed:
      guard isNew else { return }
      edit.state = .changed
    case .uploading: return
    }
    edit.hasBeenSaved = true
    onSave?(edit)
  }

  // MARK: Uploading

  /// What becomes of an original that was changed meanwhile.
  enum Conflict { case ask, overwrite, keepBoth }

  /// Uploads a copy as it is now.
  ///
  /// - Parameters:
  ///   - edit: Which.
  ///   - conflict: What becomes of an original that was changed.
  /// - Returns: What is to be told.
  func upload(_ edit: ExternalEdit, _ conflict: Conflict = .ask) async -> Notice {
    guard edit.state != .uploading else { return Notice(.info, "\(edit.name) is on its way.") }
    edit.state = .uploading
    onChange?(edit)
    let notice: Notice
    do throws(FileError) {
      let files = try await services.openFiles(edit.target)
      notice = await send(edit, to: files, conflict)
      await files.close()
    } catch {
      edit.state = .failed(ErrorText.words(for: error.reason))
      notice = Notice(.problem, "\(edit.name): \(ErrorText.sentence(error))")
    }
    // What was saved while it travelled was not uploaded.
    await lookNow(edit)
    onChange?(edit)
    return notice
  }

  private func send(
    _ edit: ExternalEdit,
    to files: any RemoteFileSystem,
    _ conflict: Conflict
  ) async -> Notice {
    let local = LocalFileSystem(home: edit.directory)
    let edited = EditedFile(
      original: FileLocation(files, edit.path),
      copy: FileLocation(local, edit.file)
    )
    do throws(CopyFailure) {
      let snapshot = FileLocation(
        local,
        edit.directory.appending(PartialName.make(for: Self.snapshotName, key: 0))
      )
      if conflict == .keepBoth {
        let name = try await Self.freeName(beside: edit.path, files)
        let result = try await edited.store(under: name, like: edit.original, through: snapshot)
        // What was written is what is edited from now on; the other one belongs to whoever changed it.
        edit.path = name
        edit.original = result.now
        edit.state = .clean
        keep()
        return Notice(.done, "Uploaded beside it, as \(name.name?.text ?? name.text).")
      }
      let result = try await edited.store(
        replacing: conflict == .overwrite ? nil : edit.original,
        through: snapshot
      ) { _ in }
      edit.original = result.now
      edit.state = .clean
      keep()
      guard let first = result.warnings.first else {
        return Notice(.done, "Uploaded \(edit.name).")
      }
      return Notice(.problem, "Uploaded \(edit.name), but: \(ErrorText.sentence(first))")
    } catch {
      if error.reason == .targetChanged {
        let isThere = await Self.isThere(edit.path, files)
        edit.state = isThere ? .conflict : .gone
        let what = isThere ? "changed" : "deleted"
        return Notice(.problem, "\(edit.name) was \(what) on the server; nothing was uploaded.")
      }
      let text = ErrorText.sentence(error, copying: edit.path)
      edit.state = .failed(text)
      return Notice(.problem, "Not uploaded: \(text)")
    }
  }

  private static func isThere(_ path: RemotePath, _ files: any RemoteFileSystem) async -> Bool {
    do throws(FileError) {
      _ = try await files.attributes(of: path, followingLinks: true)
      return true
    } catch { return error.reason != .notFound }
  }

  private static let snapshotName: FileName = {
    guard let name = try? FileName("snapshot") else { preconditionFailure("it is a name") }
    return name
  }()

  private static func freeName(
    beside path: RemotePath,
    _ files: any RemoteFileSystem
  ) async throws(CopyFailure) -> RemotePath {
    guard let directory = path.parent, let name = path.name else {
      throw CopyFailure(.refused(.otherKind))
    }
    do throws(FileError) {
      let taken = Set(try await FileTreeWalk.list(directory, files).map(\.name))
      guard let free = ConflictRules.freeName(name, isDirectory: false, taken.contains) else {
        throw FileError(.exists, path: path)
      }
      return directory.appending(free)
    } catch { throw CopyFailure(.operation(.writing, error)) }
  }

  /// Takes the original as it is now beside the copy, so that both can be compared.
  func fetchOriginal(_ edit: ExternalEdit) async throws(CopyFailure) -> RemotePath {
    let files: any RemoteFileSystem
    do throws(FileError) { files = try await services.openFiles(edit.target) } catch {
      throw CopyFailure(.operation(.reading, error))
    }
    let local = LocalFileSystem(home: edit.directory)
    let place = edit.directory.appending(PartialName.make(for: Self.snapshotName, key: 1))
    let edited = EditedFile(
      original: FileLocation(files, edit.path),
      copy: FileLocation(local, place)
    )
    let result: Result<RemotePath, CopyFailure>
    do throws(CopyFailure) {
      _ = try await edited.fetch { _ in }
      result = .success(place)
    } catch { result = .failure(error) }
    await files.close()
    return try result.get()
  }

  // MARK: The end

  /// Forgets an edit, and removes its copy.
  func end(_ edit: ExternalEdit) {
    forget(edit)
    let place = ScratchPlace(of: edit.directory)
    Task { await place.remove() }
  }

  /// Forgets an edit, whose copy stays.
  ///
  /// - Returns: Where the copy is.
  /// - Throws: Why it could not be put where nothing is taken away; it is still an edit then.
  func endKeepingCopy(_ edit: ExternalEdit) async throws(CopyFailure) -> RemotePath {
    let place = try await services.scratch.keep(ScratchPlace(of: edit.directory))
    forget(edit)
    return edit.file.name.map { place.directory.appending($0) } ?? place.directory
  }

  private func forget(_ edit: ExternalEdit) {
    edit.stop()
    looks.removeValue(forKey: edit.number)?.cancel()
    edits.removeAll { $0 === edit }
    keep()
    onChange?(edit)
  }
}
