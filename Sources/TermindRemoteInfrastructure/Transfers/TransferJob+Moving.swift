internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The end of a move: what is at its new place goes from the old one.
extension TransferJob {
  /// Removes what was moved from its old place: only what is complete at the new one, and was not changed meanwhile.
  func removeSources(_ source: RecoveringFileSystem, _ target: RecoveringFileSystem) async {
    let (failures, isKnown, directory) = state.withLock { batch in
      let paths = batch.failures.map(\.item.source)
      return (paths, batch.failureCount == paths.count, batch.source.directory)
    }
    var staying = 0
    for entry in plan.entries {
      await queue.waitWhilePaused()
      guard !isStopped else { break }
      let root = directory.appending(entry.name)
      let isMissing = !isKnown || failures.contains { root.contains($0) }
      let (isKept, isGone) = moving.withLock {
        ($0.kept.contains(entry.name), $0.removed.contains(entry.name))
      }
      guard !isGone else { continue }
      guard !isMissing, !isKept, await isAsCopied(entry, root, source, target) else {
        staying += 1
        continue
      }
      let report = await FileTreeWalk.remove([entry], in: directory, of: source) { _ in }
      state.withLock { batch in
        for failure in report.failures { batch.note(notRemoved: failure) }
      }
      if report.failures.isEmpty, !report.isStopped {
        moving.withLock { _ = $0.removed.insert(entry.name) }
      } else {
        staying += 1
      }
    }
    state.withLock { $0.note(staying: staying) }
  }

  /// Whether nothing came to an entry, or changed in it, since it was copied.
  private func isAsCopied(
    _ entry: FileEntry,
    _ root: RemotePath,
    _ source: RecoveringFileSystem,
    _ target: RecoveringFileSystem
  ) async -> Bool {
    let place =
      state.withLock { $0.begun[entry.name]?.target }
      ?? directories.target.appending(plan.newNames[entry.name] ?? entry.name)
    do throws(FileError) {
      let now = try await source.attributes(of: root, followingLinks: false)
      guard now.kind == .directory else {
        let copy = try await target.attributes(of: place, followingLinks: false)
        let difference = Self.change(now, copy) ? root : nil
        note(changed: difference.map { [$0] } ?? [])
        return difference == nil
      }
      let changed = Locked<[RemotePath]>([])
      let summary = try await TreeComparison.run(
        FileLocation(source, root),
        FileLocation(target, place),
        by: .sizeAndTime
      ) { difference in
        guard difference.kind != .onlyInTarget else { return }
        if difference.kind == .time, let now = difference.source, let copy = difference.target,
          !Self.change(now, copy)
        {
          return
        }
        changed.withLock { $0.append(root.appending(difference.names)) }
      }
      let paths = changed.withLock { $0 }
      note(changed: paths)
      for failure in summary.failures { state.withLock { $0.note(notRemoved: failure) } }
      return paths.isEmpty && summary.failures.isEmpty
    } catch {
      state.withLock { $0.note(notRemoved: error.about(root)) }
      return false
    }
  }

  private func note(changed paths: [RemotePath]) {
    state.withLock { batch in for path in paths { batch.note(changed: path) } }
  }

  /// Whether a file has changed since it was copied; a server that keeps no times has a newer copy.
  private static func change(_ now: FileAttributes, _ copy: FileAttributes) -> Bool {
    guard now.kind == copy.kind else { return true }
    guard now.kind == .regular || now.kind == .unknown else { return false }
    if let size = now.size, let copied = copy.size, size != copied { return true }
    guard let time = now.modified, let copied = copy.modified else { return false }
    return time.seconds > copied.seconds
  }
}
