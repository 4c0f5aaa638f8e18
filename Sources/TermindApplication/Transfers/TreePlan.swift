internal import TermindDomain

/// Walks a tree and gives its files away while it walks; lives as long as one transfer.
actor TreePlan {
  /// A directory that is still to be walked.
  private struct Level {
    let source: RemotePath
    let target: RemotePath
    /// Whether the target was there before, so that names may be taken.
    let isOld: Bool
    /// Whether an earlier run of the same copy made it.
    var isOwn = false
  }

  /// How many roots are looked at beside each other.
  private static let width = 16

  private let request: TreeCopyRequest
  private let tally: TransferTally
  /// Tells whether both ends are the same files by two ways; nil where that is known.
  private let mark: PlaceMark?
  /// Whether the directory that is being walked turned out to be the one that is filled.
  private var isOwnTarget = false
  private var levels: [Level] = []
  private var small = CopyPack(work: [])
  private var lastNumber = 0
  /// What stands in the target directory that is being filled; of one that the copy makes only what it asks about.
  private var taken: [FileName: FileAttributes] = [:]
  /// What stands where roots go, as it was looked at before the walk.
  private var met: [RemotePath: [FileName: FileAttributes]] = [:]
  /// The resolved directories of roots, at the target or at the source.
  private var parents: [Bool: [RemotePath: RemotePath]] = [:]
  /// Files that are tried again, and so are not found once more.
  private let retried: Set<RemotePath>
  /// What was looked at of the directory that is being walked, so that a second listing goes on after it.
  private var seen = NameSet()
  /// Directories whose permissions and times are set at the end, since filling them changes both.
  private var finishing: [(path: RemotePath, change: FileAttributeChange)] = []

  init(_ request: TreeCopyRequest, tally: TransferTally) {
    self.request = request
    self.tally = tally
    mark = request.source.place == request.target.place ? nil : PlaceMark(request)
    lastNumber = request.lastNumber
    retried = Set(request.retries.map(\.item.source))
  }

  private var queue: TransferQueue { request.queue }

  // MARK: The roots

  /// What is to be copied, once both ends of each were looked at.
  ///
  /// - Returns: Each with its attributes; of several, those that cannot be copied are told and left out.
  /// - Throws: Why the only one cannot be copied.
  func roots() async throws(CopyFailure) -> [(root: CopyRoot, attributes: FileAttributes)] {
    var found: [(root: CopyRoot, attributes: FileAttributes)] = []
    if let first = request.roots.first, let mark { await mark.look(from: first) }
    let looks = await looks()
    for (root, look) in zip(request.roots, looks) where !Task.isCancelled {
      do throws(CopyFailure) {
        found.append((root, try look.get()))
      } catch {
        guard request.roots.count > 1 || !request.retries.isEmpty else { throw error }
        // It may be a directory: only looking at it again tells.
        if case .operation(_, let reason) = error.reason {
          await tally.add(.missing(root, reason))
          continue
        }
        lastNumber += 1
        let item = TransferItem(
          number: lastNumber,
          source: root.source,
          target: root.target,
          size: nil
        )
        await tally.add(.failed(item, error))
      }
    }
    return found
  }

  /// Looks at all roots, several beside each other, so that many of them do not take a round trip each.
  private func looks() async -> [Result<FileAttributes, CopyFailure>] {
    let roots = request.roots
    return await withTaskGroup(
      of: (place: Int, look: Result<FileAttributes, CopyFailure>).self
    ) { group in
      var looks = roots.map { _ in Result<FileAttributes, CopyFailure>.failure(.init(.cancelled)) }
      for (place, root) in roots.enumerated() {
        if place >= Self.width, let (done, look) = await group.next() { looks[done] = look }
        group.addTask { (place, await self.look(at: root)) }
      }
      for await (done, look) in group { looks[done] = look }
      return looks
    }
  }

  private func look(at root: CopyRoot) async -> Result<FileAttributes, CopyFailure> {
    do throws(CopyFailure) {
      let attributes = try await attributes(of: root)
      // Where another name may be needed, all that stands there at that moment counts.
      if let name = root.target.name, let directory = root.target.parent,
        request.roots.count > 1, request.policy != .keepBoth
      {
        // Why it cannot be told is told when its turn has come.
        met[root.target] = try? await entries(named: name, in: directory)
      }
      return .success(attributes)
    } catch { return .failure(error) }
  }

  private func attributes(of root: CopyRoot) async throws(CopyFailure) -> FileAttributes {
    let source = FileLocation(request.source, root.source)
    let target = FileLocation(request.target, root.target)
    let attributes: FileAttributes
    let from: RemotePath
    do throws(FileError) {
      (attributes, from) = try await request.steadily { () async throws(FileError) in
        // A link itself is copied: its own place counts, not where it leads.
        (
          try await source.files.attributes(of: source.path, followingLinks: false),
          try await resolvedParent(source, isTarget: false)
        )
      }
    } catch { throw CopyFailure(.operation(.reading, error)) }
    let to: RemotePath
    do throws(FileError) {
      to = try await request.steadily { () async throws(FileError) in
        try await resolvedParent(target, isTarget: true)
      }
    } catch { throw CopyFailure(.operation(.writing, error)) }
    // Two connections can lead to the same files: then the rules of one file system hold.
    let isOne = await mark?.showsTarget ?? true
    let refusal = CopyRules.refusal(
      source: from,
      in: source.files.place,
      target: to,
      in: isOne ? source.files.place : target.files.place
    )
    if let refusal { throw CopyFailure(.refused(refusal)) }
    if await mark?.showsSource == true, root.source.name == root.target.name {
      throw CopyFailure(.refused(.ontoItself))
    }
    return attributes
  }

  /// The path with its directory resolved; the last name stays what it is.
  private func resolvedParent(
    _ location: FileLocation,
    isTarget: Bool
  ) async throws(FileError) -> RemotePath {
    guard let parent = location.path.parent, let name = location.path.name else {
      return try await location.files.resolve(location.path)
    }
    // Of many roots most have one directory.
    if let known = parents[isTarget]?[parent] { return known.appending(name) }
    let resolved = try await location.files.resolve(parent)
    parents[isTarget, default: [:]][parent] = resolved
    return resolved.appending(name)
  }

  // MARK: The walk

  /// Gives what is tried again, and then walks from the roots on.
  func walk(_ roots: [(root: CopyRoot, attributes: FileAttributes)]) async {
    for retry in request.retries {
      var work = CopyWork(retry.item)
      work.checkpoint = retry.failure.checkpoint
      work.stale = retry.failure.checkpoint == nil ? retry.failure.leftBehind : nil
      await put(work)
    }
    for (root, attributes) in roots where !isOver { await begin(root, attributes) }
    await walkLevels()
  }

  private func begin(_ root: CopyRoot, _ attributes: FileAttributes) async {
    guard let name = root.target.name else {
      // A path like `/` or `.`: the directory itself is filled.
      if attributes.kind == .directory {
        levels.append(Level(source: root.source, target: root.target, isOld: true))
      }
      return
    }
    let directory = root.target.parent ?? .root
    taken = [:]
    do throws(FileError) {
      if let known = met.removeValue(forKey: root.target) {
        taken = known
      } else {
        taken = try await request.steadily { () async throws(FileError) in
          try await entries(named: name, in: directory)
        }
      }
    } catch { return await tally.add(.missing(root, error)) }
    await add(FileEntry(name: name, attributes: attributes), in: directory, from: .root(root))
  }

  private func walkLevels() async {
    while let level = levels.popLast(), !isOver {
      do throws(FileError) {
        try await fill(level)
      } catch {
        if !error.isCancellation {
          await tally.add(.missing(CopyRoot(source: level.source, target: level.target), error))
        }
        guard error.endsConnection else { continue }
        // What nobody walks any more is missing as well.
        for rest in levels.reversed() {
          await tally.add(.missing(CopyRoot(source: rest.source, target: rest.target), error))
        }
        levels = []
      }
    }
    await flush()
    await tally.add(.planned)
  }

  private func fill(_ level: Level) async throws(FileError) {
    taken = [:]
    seen = NameSet()
    isOwnTarget = false
    let count = levels.count
    if level.isOld {
      taken = try await request.steadily { () async throws(FileError) in
        try await entries(of: level.target)
      }
    }
    try await request.steadily { () async throws(FileError) in
      // A link that took its place since it was found is never followed.
      let source = try await request.source.attributes(of: level.source, followingLinks: false)
      guard source.kind == .directory || source.kind == .unknown else {
        throw FileError(.notDirectory, path: level.source, text: "it was one before")
      }
      let plan = self
      try await request.source.list(level.source) { batch in
        await plan.add(batch, level)
      }
    }
    guard isOwnTarget else { return }
    // What was found in it before is not walked: it would be copied into itself for ever.
    levels.removeSubrange(count...)
    await tally.add(.skipped(level.source, .ownTarget))
  }

  private var isOver: Bool { Task.isCancelled }

  /// What stands in a directory under a name; where another name may be needed, all that stands there.
  private func entries(
    named name: FileName,
    in directory: RemotePath
  ) async throws(FileError) -> [FileName: FileAttributes] {
    let found: FileAttributes
    do throws(FileError) {
      found = try await request.target.attributes(
        of: directory.appending(name),
        followingLinks: false
      )
    } catch {
      // Nothing there is the usual case; anything else but a lost connection shows when it is written.
      guard !error.endsConnection else { throw error }
      return [:]
    }
    return request.policy == .keepBoth ? try await entries(of: directory) : [name: found]
  }

  private func entries(of directory: RemotePath) async throws(FileError)
    -> [FileName: FileAttributes]
  {
    let found = FoundEntries()
    try await request.target.list(directory) { await found.add($0) }
    return await found.attributes
  }

  /// From where an entry is copied.
  private enum Origin {
    /// It is one of what was asked for.
    case root(CopyRoot)
    /// It stands in a directory that is walked.
    case level(Level, FileName)

    var source: RemotePath {
      switch self {
      case .root(let root): root.source
      case .level(let level, let name): level.source.appending(name)
      }
    }

    /// Whether names at the target can be taken.
    var mayMeet: Bool {
      switch self {
      case .root: true
      case .level(let level, _): level.isOld
      }
    }

    /// Whether what stands at the target was made by an earlier run of the same copy.
    var isOwn: Bool {
      switch self {
      case .root(let root): root.isOwn
      case .level(let level, _): level.isOwn
      }
    }
  }

  private func add(_ batch: FileListingBatch, _ level: Level) async {
    for name in batch.rejectedNames { await tally.add(.skipped(level.source, .badName(name))) }
    await queue.waitUntilGoing()
    if let name = mark?.name, batch.entries.contains(where: { $0.name == name }) {
      isOwnTarget = true
    }
    guard !isOwnTarget else { return }
    for entry in batch.entries where !isOver {
      // A listing that begins anew, or a broken one, tells a name twice.
      guard seen.insert(entry.name) else { continue }
      await add(entry, in: level.target, from: .level(level, entry.name))
    }
  }

  private func add(_ entry: FileEntry, in directory: RemotePath, from origin: Origin) async {
    let source = origin.source
    var attributes = entry.attributes
    if attributes.kind == .unknown {
      // Only servers that leave out the type cost a request for each entry.
      do throws(FileError) {
        attributes = try await request.steadily { () async throws(FileError) in
          try await request.source.attributes(of: source, followingLinks: false)
        }
      } catch {
        return await tally.add(
          .missing(CopyRoot(source: source, target: directory.appending(entry.name)), error)
        )
      }
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
    case .skip:
      let found = taken[name]
      if origin.isOwn, attributes.kind == .symbolicLink, found?.kind == .symbolicLink {
        // Its time was not kept; where it leads tells whether it is the same.
        return await addLink(source, target, replaces: true)
      }
      let isThere = origin.isOwn && found.map { ConflictRules.isAlike(attributes, $0) } ?? false
      return await tally.add(.skipped(source, isThere ? .isThere : .exists))
    case .refuse:
      // Also where it was to be replaced: one kind never takes the place of the other by itself.
      let what =
        taken[name]?.kind == .directory
        ? "a directory, where a file should go" : "no directory, where one should go"
      let error = FileError(.exists, path: target, text: what)
      return await tally.add(.missing(CopyRoot(source: source, target: target), error))
    case .create, .createUnder, .replace, .merge:
      // Two that become one must not meet; where nothing stood before, every name stays as it is.
      if origin.mayMeet { taken[name] = attributes }
    }
    if case .root(let root) = origin {
      let isNew = root.isOwn || decision == .create || name != entry.name
      await tally.add(.began(root, at: target, isNew: isNew))
    }
    switch attributes.kind {
    case .directory:
      await addDirectory(
        source,
        target,
        attributes,
        merges: decision == .merge,
        isOwn: origin.isOwn
      )
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
    // What is tried again is under way already.
    guard !retried.contains(source) else { return }
    lastNumber += 1
    let item = TransferItem(
      number: lastNumber,
      source: source,
      target: target,
      size: attributes.size,
      replaces: replaces
    )
    await tally.add(.found(item))
    await put(CopyWork(item))
  }

  private func put(_ work: CopyWork) async {
    guard work.isSmall else { return await queue.put(CopyPack(work: [work])) }
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
    merges: Bool,
    isOwn: Bool
  ) async {
    if !merges {
      do throws(FileError) {
        // It must be possible to fill it; what it had is set at the end.
        let permissions = request.options.keepsPermissions ? attributes.permissions : nil
        try await make { [files = request.target] () async throws(FileError) in
          try await files.makeDirectory(target, permissions: permissions.map { $0 & 0o777 | 0o700 })
        }
        await tally.add(.madeDirectory(target))
      } catch {
        return await tally.add(.missing(CopyRoot(source: source, target: target), error))
      }
    }
    if !merges || isOwn {
      var change = FileAttributeChange()
      if request.options.keepsPermissions { change.permissions = attributes.permissions }
      if request.options.keepsTimes, let modified = attributes.modified {
        change.times = FileTimes(accessed: attributes.accessed ?? modified, modified: modified)
      }
      if !change.isEmpty { finishing.append((target, change)) }
    }
    levels.append(Level(source: source, target: target, isOld: merges, isOwn: merges && isOwn))
  }

  /// Makes something whose name was free; when the answer was lost, what is there now is what was made.
  private func make(
    _ body: () async throws(FileError) -> Void
  ) async throws(FileError) {
    var isAgain = false
    try await request.steadily { () async throws(FileError) in
      do throws(FileError) {
        try await body()
      } catch {
        if isAgain, error.reason == .exists { return }
        isAgain = true
        throw error
      }
    }
  }

  private func addLink(_ source: RemotePath, _ target: RemotePath, replaces: Bool) async {
    let files = request.target
    do throws(FileError) {
      let link = try await request.steadily { () async throws(FileError) in
        try await request.source.link(at: source)
      }
      if replaces, let name = target.name, let directory = target.parent {
        // What cannot be read is no such link; replacing it tells why it cannot be.
        if let old = try? await files.link(at: target), old.target == link.target { return }
        let partial = directory.appending(PartialName.make(for: name, in: request.options.series))
        var isAgain = false
        try await request.steadily { () async throws(FileError) in
          if isAgain { try await removeIfThere(partial) }
          isAgain = true
          try await files.makeSymbolicLink(partial, to: link.target)
          do throws(FileError) {
            try await files.rename(partial, to: target, replacing: true)
          } catch {
            // The error of the rename is the one that counts.
            try? await files.removeFile(partial)
            throw error
          }
        }
      } else {
        try await make { () async throws(FileError) in
          try await files.makeSymbolicLink(target, to: link.target)
        }
      }
      await tally.add(.madeLink(target))
    } catch { await tally.add(.missing(CopyRoot(source: source, target: target), error)) }
  }

  private func removeIfThere(_ path: RemotePath) async throws(FileError) {
    do throws(FileError) {
      try await request.target.removeFile(path)
    } catch { guard error.reason == .notFound else { throw error } }
  }

  /// Takes away what the plan made for itself.
  func clean() async {
    if let problem = await mark?.remove(), let path = problem.path {
      await tally.add(.warned(path, problem))
    }
  }

  /// Gives directories the permissions and times of their sources, the deepest first.
  func finishDirectories() async {
    for (path, change) in finishing.reversed() {
      do throws(FileError) {
        try await request.steadily { () async throws(FileError) in
          try await request.target.change(path, change, followingLinks: true)
        }
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
