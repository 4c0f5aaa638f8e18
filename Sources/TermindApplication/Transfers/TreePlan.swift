internal import TermindDomain

/// Walks a tree and gives its files away while it walks; lives as long as one transfer.
actor TreePlan {
  /// A directory that is still to be walked.
  private struct Level {
    let source: RemotePath
    let target: RemotePath
    /// Whether the target was there before, so that names may be taken.
    let isOld: Bool
  }

  private let request: TreeCopyRequest
  private let queue: WorkQueue<CopyPack>
  private let tally: TransferTally
  private var levels: [Level] = []
  private var small = CopyPack(work: [])
  private var lastNumber = 0
  /// What stands in the target directory that is being filled.
  private var taken: [FileName: FileAttributes] = [:]
  /// Directories whose permissions and times are set at the end, since filling them changes both.
  private var finishing: [(path: RemotePath, change: FileAttributeChange)] = []

  init(_ request: TreeCopyRequest, queue: WorkQueue<CopyPack>, tally: TransferTally) {
    self.request = request
    self.queue = queue
    self.tally = tally
  }

  /// Walks from the root on.
  func walk(_ root: FileAttributes) async {
    guard let name = request.target.path.name else {
      // A path like `/` or `.`: the directory itself is filled.
      if root.kind == .directory {
        levels = [Level(source: request.source.path, target: request.target.path, isOld: true)]
      }
      return await walkLevels()
    }
    // Nothing there is the usual case; anything else shows when it is written.
    if let found = try? await request.target.files.attributes(
      of: request.target.path,
      followingLinks: false
    ) {
      taken[name] = found
    }
    let directory = request.target.path.parent ?? .root
    await add(FileEntry(name: name, attributes: root), request.source.path, in: directory)
    await walkLevels()
  }

  private func walkLevels() async {
    while let level = levels.popLast(), !isOver {
      do throws(FileError) {
        taken = level.isOld ? try await entries(of: level.target) : [:]
        let plan = self
        try await request.source.files.list(level.source) { batch in
          await plan.add(batch, level.source, level.target)
        }
      } catch {
        if !error.isCancellation { await tally.add(.missing(level.source, error)) }
        if error.endsConnection { break }
      }
    }
    await flush()
    await tally.add(.planned)
  }

  private var isOver: Bool { Task.isCancelled || request.control.isPausing }

  private func entries(of directory: RemotePath) async throws(FileError)
    -> [FileName: FileAttributes]
  {
    let found = FoundEntries()
    try await request.target.files.list(directory) { await found.add($0) }
    return await found.attributes
  }

  private func add(_ batch: FileListingBatch, _ source: RemotePath, _ target: RemotePath) async {
    for name in batch.rejectedNames { await tally.add(.skipped(source, .badName(name))) }
    for entry in batch.entries where !isOver {
      await add(entry, source.appending(entry.name), in: target)
    }
  }

  private func add(_ entry: FileEntry, _ source: RemotePath, in directory: RemotePath) async {
    var attributes = entry.attributes
    if attributes.kind == .unknown {
      // Only servers that leave out the type cost a request for each entry.
      do throws(FileError) {
        attributes = try await request.source.files.attributes(of: source, followingLinks: false)
      } catch { return await tally.add(.missing(source, error)) }
    }
    guard !attributes.kind.isSpecial else {
      return await tally.add(.skipped(source, .special(attributes.kind)))
    }
    let decision = ConflictRules.decide(
      entry.name,
      source: attributes,
      target: taken[entry.name],
      policy: request.policy
    ) { taken[$0] != nil }
    var name = entry.name
    if case .createUnder(let free) = decision { name = free }
    let target = directory.appending(name)
    switch decision {
    case .skip: return await tally.add(.skipped(source, .exists))
    case .refuse:
      return await tally.add(.missing(source, FileError(.exists, path: target)))
    case .create, .createUnder, .replace, .merge:
      // Two entries of one name, or two that become one, must not meet.
      taken[name] = attributes
    }
    switch attributes.kind {
    case .directory: await addDirectory(source, target, attributes, merges: decision == .merge)
    case .symbolicLink: await addLink(source, target, replaces: decision == .replace)
    default: await addFile(source, target, attributes, replaces: decision == .replace)
    }
  }

  private func addFile(
    _ source: RemotePath,
    _ target: RemotePath,
    _ attributes: FileAttributes,
    replaces: Bool
  ) async {
    lastNumber += 1
    let item = TransferItem(
      number: lastNumber,
      source: source,
      target: target,
      size: attributes.size
    )
    await tally.add(.found(item))
    let work = CopyWork(item: item, replaces: replaces)
    guard let size = item.size, size <= TreeCopy.smallSize else {
      return await queue.put(CopyPack(work: [work]))
    }
    small.work.append(work)
    if small.work.count >= TreeCopy.packSize { await flush() }
  }

  private func flush() async {
    guard !small.work.isEmpty else { return }
    let pack = small
    small = CopyPack(work: [])
    await queue.put(pack)
  }

  private func addDirectory(
    _ source: RemotePath,
    _ target: RemotePath,
    _ attributes: FileAttributes,
    merges: Bool
  ) async {
    if !merges {
      do throws(FileError) {
        // It must be possible to fill it; what it had is set at the end.
        let permissions = request.options.keepsPermissions ? attributes.permissions : nil
        try await request.target.files.makeDirectory(
          target,
          permissions: permissions.map { $0 & 0o777 | 0o700 }
        )
        await tally.add(.madeDirectory(target))
      } catch { return await tally.add(.missing(source, error)) }
      var change = FileAttributeChange()
      if request.options.keepsPermissions { change.permissions = attributes.permissions }
      if request.options.keepsTimes, let modified = attributes.modified {
        change.times = FileTimes(accessed: attributes.accessed ?? modified, modified: modified)
      }
      if !change.isEmpty { finishing.append((target, change)) }
    }
    levels.append(Level(source: source, target: target, isOld: merges))
  }

  private func addLink(_ source: RemotePath, _ target: RemotePath, replaces: Bool) async {
    let files = request.target.files
    do throws(FileError) {
      let link = try await request.source.files.link(at: source)
      if replaces, let name = target.name, let directory = target.parent {
        // What cannot be read is no such link; replacing it tells why it cannot be.
        if let old = try? await files.link(at: target), old.target == link.target { return }
        let partial = directory.appending(PartialName.make(for: name, key: .random(in: 0 ... .max)))
        try await files.makeSymbolicLink(partial, to: link.target)
        do throws(FileError) {
          try await files.rename(partial, to: target, replacing: true)
        } catch {
          // The error of the rename is the one that counts.
          try? await files.removeFile(partial)
          throw error
        }
      } else {
        try await files.makeSymbolicLink(target, to: link.target)
      }
      await tally.add(.madeLink(target))
    } catch { await tally.add(.missing(source, error)) }
  }

  /// Gives directories the permissions and times of their sources, the deepest first.
  func finishDirectories() async {
    for (path, change) in finishing.reversed() {
      do throws(FileError) {
        try await request.target.files.change(path, change, followingLinks: true)
      } catch {
        await tally.add(.warned(path, error))
        if error.endsConnection { return }
      }
    }
  }
}

/// Collects what stands in a directory.
private actor FoundEntries {
  private(set) var attributes: [FileName: FileAttributes] = [:]

  func add(_ batch: FileListingBatch) {
    for entry in batch.entries { attributes[entry.name] = entry.attributes }
  }
}
