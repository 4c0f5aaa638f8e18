import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// The work of one transfer command, away from the main actor.
nonisolated struct TransferCommandJob: Sendable {
  /// Opens the files of a host, or of this machine.
  typealias Opener =
    @MainActor @Sendable (_ host: String?) async throws(ControlError) -> any RemoteFileSystem
  /// Opens them again after a loss.
  typealias Reopener =
    @MainActor @Sendable (_ host: String?) async throws(TransferOpenFailure)
    -> any RemoteFileSystem

  /// Shows what is copied from one end to the other among the transfers of the windows.
  typealias Showing =
    @MainActor @Sendable (
      _ names: [FileName], _ source: Shown, _ target: Shown, _ work: TransferCommandBatch.Work
    ) -> TransferCommandBatch

  /// One end as windows show it, and the words that name its host.
  struct Shown: Sendable {
    let end: TransferEnd
    let host: String?
  }

  /// One end of the transfer: its host, or this machine, and its files.
  struct OpenedHost: Sendable {
    let name: TransferCommandHost
    let files: RecoveringFileSystem

    /// A directory of it, as windows show it.
    func shown(_ directory: RemotePath) -> Shown {
      let end = TransferEnd(name: name.host ?? "local", place: files.place, directory: directory)
      return Shown(end: end, host: name.host)
    }

    func location(_ path: RemotePath) -> FileLocation { FileLocation(files, path) }
    func text(_ path: RemotePath) -> String { name.text(of: path) }
  }

  /// One thing to copy.
  private struct Item: Sendable {
    let source: OpenedHost
    /// What is read.
    let from: RemotePath
    /// What it is called at the target; nil fills the target itself.
    let name: FileName?
    /// What it is, once that was looked at.
    var attributes = FileAttributes()
  }

  /// What is copied from one end.
  private struct Group: Sendable {
    let source: OpenedHost
    var roots: [CopyRoot] = []
    var work: TransferCommandBatch.Work

    var names: [FileName] { roots.compactMap { $0.source.name ?? $0.target.name } }

    /// The directory that all of it is in, else the root.
    var directory: RemotePath {
      let parents = Set(roots.map { $0.source.parent ?? $0.source })
      return parents.count == 1 ? parents.first ?? .root : .root
    }
  }

  let request: TransferCommandRequest
  let tally: Locked<TransferCommandTally>
  let scheduler: TransferScheduler
  let show: Showing
  let open: Opener
  let reopen: Reopener
  /// Brings back what is lost while it copies.
  let recovery: ConnectionRecovery
  let bandwidth: BandwidthLimit

  /// Does all of it; what went wrong with single files is in the tally.
  ///
  /// - Throws: Why nothing could begin.
  @concurrent
  func run() async throws(ControlError) {
    var opened: [RecoveringFileSystem] = []
    let result: Result<Void, ControlError>
    do throws(ControlError) {
      let ends = try await openEnds(&opened)
      guard let target = ends[request.target.host] else { return }
      recovery.connected()
      switch request.verb {
      case .copy, .get, .put: try await copy(to: target, ends)
      case .mirror:
        guard let place = request.sources.first, let source = ends[place.host] else { return }
        try await mirror(place, source, target)
      }
      result = .success(())
    } catch { result = .failure(error) }
    for files in opened { await files.close() }
    try result.get()
  }

  /// Opens every end once; two names of one account share their files.
  private func openEnds(_ opened: inout [RecoveringFileSystem]) async throws(ControlError)
    -> [String?: OpenedHost]
  {
    var ends: [String?: OpenedHost] = [:]
    for place in request.sources + [request.target] where ends[place.host] == nil {
      let files = try await open(place.host)
      if let same = opened.first(where: { $0.place == files.place }) {
        await files.close()
        ends[place.host] = OpenedHost(name: TransferCommandHost(host: place.host), files: same)
      } else {
        let kept = RecoveringFileSystem(files)
        opened.append(kept)
        ends[place.host] = OpenedHost(name: TransferCommandHost(host: place.host), files: kept)
      }
    }
    return ends
  }

  // MARK: Copying

  private func copy(to target: OpenedHost, _ ends: [String?: OpenedHost]) async throws(ControlError)
  {
    let place = try path(request.target)
    let kind = try await self.kind(of: place, target)
    let items = await items(ends)
    let isNew = kind == nil && request.target.isDirectory && items.count == 1
    if kind != .directory,
      items.count > 1 || request.sources.count > 1 || kind != nil && request.target.isDirectory
    {
      let why =
        items.count > 1 || request.sources.count > 1
        ? "several things can only be copied into one" : "a name that ends in a slash is one"
      throw ControlError(
        kind == nil ? .notFound : .notPossible,
        "\(target.text(place)) is no directory; \(why)."
      )
    }
    var taken: Set<RemotePath> = []
    var work: [(item: Item, to: RemotePath)] = []
    for item in items {
      guard let from = await checked(item, needsDirectory: isNew) else { continue }
      let to: RemotePath
      if kind == .directory, let name = item.name {
        to = place.appending(name)
      } else {
        to = place
      }
      if taken.insert(to).inserted {
        work.append((item: from, to: to))
      } else {
        let text = "\(item.source.text(item.from)): another source has the same name."
        fail(text, .conflict, item)
      }
    }
    await copy(work, to: target)
  }

  /// Copies from all sources at once; the scheduler decides how many files are under way.
  private func copy(
    _ work: [(item: Item, to: RemotePath)],
    to target: OpenedHost
  ) async {
    var groups: [Group] = []
    for (item, to) in work {
      let root = CopyRoot(source: item.from, target: to)
      let place = groups.firstIndex { $0.source.name == item.source.name } ?? groups.endIndex
      if place == groups.endIndex {
        let work = TransferCommandBatch.Work(policy: request.policy)
        groups.append(Group(source: item.source, work: work))
      }
      groups[place].roots.append(root)
      groups[place].work.add(root, item.attributes)
    }
    tally.withLock { $0.planning = groups.count }
    // Panes know it by its whole path; why there is none shows when something is written.
    let directory = work.first.map { $0.to.parent ?? $0.to } ?? .start
    let whole = (try? await target.files.resolve(directory)) ?? directory
    await withTaskGroup(of: Void.self) { tasks in
      for group in groups {
        tasks.addTask {
          let source = group.source.shown(group.directory)
          let batch = await show(group.names, source, target.shown(whole), group.work)
          await copyTrees(group.roots, (group.source, target), policy: request.policy, as: batch)
        }
      }
    }
  }

  /// Copies files and trees of one end; what happens goes into the tally and to the windows.
  func copyTrees(
    _ roots: [CopyRoot],
    _ ends: (source: OpenedHost, target: OpenedHost),
    policy: ConflictPolicy,
    as batch: TransferCommandBatch
  ) async {
    guard let first = roots.first else { return }
    let (source, target) = ends
    let copier = TreeCopy(copier: FileCopier(), scheduler: scheduler)
    var work = TreeCopyRequest(
      from: source.files,
      to: target.files,
      roots: roots,
      policy: policy,
      queue: batch.queue,
      bandwidth: bandwidth,
      owner: TransferSource(rawValue: UInt64(batch.number))
    )
    work.lastNumber = batch.lastNumber
    work.options.series = batch.series
    let opened = [source, target].map { end in
      ConnectionRecovery.End(end.files) { [reopen] () async throws(TransferOpenFailure) in
        try await reopen(end.name.host)
      }
    }
    let lost = Locked<FileError?>(nil)
    work.recover = { [recovery] error in
      let isBack = await recovery.recover(opened, after: error)
      if !isBack { lost.withLock { $0 = error } }
      return isBack
    }
    do throws(CopyFailure) {
      _ = try await copier.run(work) { [tally] event in
        let isNews = tally.withLock {
          $0.take(event, batch: batch.number, from: source.name, to: target.name)
        }
        if isNews { batch.take(event) }
      }
    } catch {
      tally.withLock { tally in
        tally.planning -= 1
        tally.take(error, of: first.source, source.name)
      }
      batch.take(error, of: first)
    }
    // What nobody began any more has no failure of its own.
    guard !Task.isCancelled, let error = lost.withLock({ $0 }) else { return }
    batch.lose(error)
    tally.withLock { tally in
      tally.fail(
        "Not everything was copied: \(ErrorText.words(for: error.reason)).",
        .lost,
        source: (source.name, first.source)
      )
    }
  }

  /// The things that the sources name; what names nothing is told.
  private func items(_ ends: [String?: OpenedHost]) async -> [Item] {
    var items: [Item] = []
    for place in request.sources {
      guard let end = ends[place.host] else { continue }
      do throws(ControlError) {
        let path = try path(place)
        // On this machine the shell has expanded what is a pattern.
        let paths = place.host == nil ? [path] : try await expanded(path, end)
        for path in paths {
          // A host does not choose what something is called here: without a name it fills the target.
          let named =
            path.name == nil && place.host == nil ? try await resolved(path, end) : path
          items.append(Item(source: end, from: path, name: named.name))
        }
      } catch { tally.withLock { $0.fail(error.message, error.code) } }
    }
    return items
  }

  /// What is really read: behind a link that is named, and no directory unless directories are copied.
  private func checked(_ item: Item, needsDirectory: Bool) async -> Item? {
    let files = item.source.files
    do throws(FileError) {
      let found = try await files.attributes(of: item.from, followingLinks: false)
      let isLink = found.kind == .symbolicLink && !request.isRecursive
      let attributes =
        isLink ? try await files.attributes(of: item.from, followingLinks: true) : found
      if attributes.kind == .directory, !request.isRecursive {
        fail(
          "\(item.source.text(item.from)) is a directory; -r copies directories.",
          .notPossible,
          item
        )
        return nil
      }
      if needsDirectory, attributes.kind != .directory {
        fail("The target is no directory, though its name ends in a slash.", .notFound, item)
        return nil
      }
      // What is filled with where an account starts is called by its whole path from here on.
      let from = isLink || item.from.name == nil ? try await files.resolve(item.from) : item.from
      return Item(source: item.source, from: from, name: item.name, attributes: attributes)
    } catch {
      let sentence = ErrorText.sentence(FileError(error.reason, text: error.text))
      fail(
        "\(item.source.text(item.from)): \(sentence)",
        TransferCommandTally.code(error),
        item
      )
      return nil
    }
  }

  private func fail(_ text: String, _ code: ControlErrorCode, _ item: Item) {
    tally.withLock { $0.fail(text, code, source: (item.source.name, item.from)) }
  }

  // MARK: Paths

  func path(_ place: TransferCommandPlace) throws(ControlError) -> RemotePath {
    guard let path = place.remotePath else {
      throw ControlError(.usage, "A path cannot hold a zero byte.")
    }
    return path
  }

  private func expanded(_ path: RemotePath, _ end: OpenedHost) async throws(ControlError)
    -> [RemotePath]
  {
    do throws(FileError) { return try await FileGlob.expand(path, of: end.files) } catch {
      throw Self.failure(error, path, end)
    }
  }

  func resolved(_ path: RemotePath, _ end: OpenedHost) async throws(ControlError) -> RemotePath {
    do throws(FileError) { return try await end.files.resolve(path) } catch {
      throw Self.failure(error, path, end)
    }
  }

  /// What stands at a path, behind links; nil when nothing does.
  func kind(of path: RemotePath, _ end: OpenedHost) async throws(ControlError) -> FileKind? {
    do throws(FileError) {
      return try await end.files.attributes(of: path, followingLinks: true).kind
    } catch {
      if error.reason == .notFound { return nil }
      throw Self.failure(error, path, end)
    }
  }

  /// A failure about a path, with the name of its end.
  static func failure(_ error: FileError, _ path: RemotePath, _ end: OpenedHost) -> ControlError {
    let sentence = ErrorText.sentence(FileError(error.reason, text: error.text))
    return ControlError(
      TransferCommandTally.code(error),
      "\(end.text(error.path ?? path)): \(sentence)"
    )
  }
}
