import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// The files of servers that are edited on this machine; they belong to no window.
final class ExternalEdits {
  var edits: [ExternalEdit] = []
  /// Hears that a copy was saved, uploaded, or is in conflict.
  var onChange: ((ExternalEdit) -> Void)?
  unowned let services: Services
  private var looks: [Int: Task<Void, Never>] = [:]
  var lastNumber = 0
  /// Where they wait for the next server of Termind; nil where nothing is kept.
  let file: KeptFile<[KeptEdit]>?
  /// Whether it was read.
  var hasRead = false
  /// The last change of the file.
  var writing: Task<Void, Never>?

  init(_ services: Services) {
    self.services = services
    file = DemoHome.isAdopted(by: services.paths) ? nil : KeptFile(path: services.paths.edits)
  }

  /// How many would lose something.
  var unsavedCount: Int { edits.count { $0.isUnsaved } }

  /// Where the copies lie.
  var root: String { services.paths.state + "/edits" }

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
    let place = try ScratchPlace(root)
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
    guard let made = add(target, path, file, original) else {
      await place.remove()
      throw CopyFailure(
        .operation(.writing, FileError(.failed, path: file, text: "it cannot be watched"))
      )
    }
    keep()
    return made
  }

  /// Watches a copy.
  func add(
    _ target: PaneContent.FilesTarget,
    _ path: RemotePath,
    _ file: RemotePath,
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
      guard let self, let edit = edits.first(where: { $0.number == number }) else { return }
      // A copy that is just being replaced is looked at when the new one has its name.
      guard let digest = try? await Self.digest(of: edit.file), !Task.isCancelled else { return }
      noteDigest(digest, of: edit)
    }
  }

  /// Suspends until the last look at a copy is over.
  func lookNow(_ edit: ExternalEdit) async {
    look(edit.number)
    await looks[edit.number]?.value
  }

  @concurrent
  private nonisolated static func digest(of file: RemotePath) async throws(FileError) -> [UInt8] {
    try await FileDigest.sha256(
      FileLocation(LocalFileSystem(home: file.parent ?? .root), file)
    )
  }

  private func noteDigest(_ digest: [UInt8], of edit: ExternalEdit) {
    guard edit.state != .uploading else { return }
    let isClean = digest == edit.original.digest
    if isClean {
      guard edit.state != .clean else { return }
      edit.state = .clean
    } else {
      // A conflict, or a failure, is not forgotten with another save.
      if edit.state == .clean { edit.state = .changed }
    }
    onChange?(edit)
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
      if conflict == .keepBoth {
        let name = try await Self.freeName(beside: edit.path, files)
        try await edited.store(under: name)
        edit.state = .conflict
        return Notice(.done, "Uploaded beside it, as \(name.text).")
      }
      let snapshot = edit.directory.appending(PartialName.make(for: Self.snapshotName, key: 0))
      let result = try await edited.store(
        replacing: conflict == .overwrite ? nil : edit.original,
        through: FileLocation(local, snapshot)
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
        edit.state = .conflict
        return Notice(.problem, "\(edit.name) was changed on the server; nothing was uploaded.")
      }
      let text = ErrorText.sentence(error, copying: edit.path)
      edit.state = .failed(text)
      return Notice(.problem, "Not uploaded: \(text)")
    }
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
      let taken = Set(try await FileEntries.list(directory, of: files).map(\.name))
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

  /// Forgets an edit; its copy goes, unless it is kept.
  func end(_ edit: ExternalEdit, keepingCopy: Bool = false) {
    edit.stop()
    looks.removeValue(forKey: edit.number)?.cancel()
    edits.removeAll { $0 === edit }
    keep()
    onChange?(edit)
    let place = ScratchPlace(of: edit.directory)
    if !keepingCopy { Task { await place.remove() } }
  }
}

/// What stands in a directory.
nonisolated enum FileEntries {
  private actor Collector {
    var entries: [FileEntry] = []
    func take(_ batch: FileListingBatch) { entries += batch.entries }
  }

  static func list(
    _ directory: RemotePath,
    of files: any RemoteFileSystem
  ) async throws(FileError) -> [FileEntry] {
    let collector = Collector()
    try await files.list(directory) { await collector.take($0) }
    return await collector.entries
  }
}
