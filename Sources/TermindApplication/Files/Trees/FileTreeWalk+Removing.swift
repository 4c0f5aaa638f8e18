public import TermindDomain

/// What became of a removal.
public struct FileRemovalReport: Hashable, Sendable {
  /// How much was removed, directories included.
  public var removed: UInt64 = 0
  /// What could not be, and why.
  public var failures: [FileError] = []
  /// Whether it was stopped before the end.
  public var isStopped = false

  /// Nothing was done yet.
  public init() {}

  mutating func fail(_ error: FileError) {
    if failures.count < FileTreeWalk.failureLimit { failures.append(error) }
  }

  mutating func add(_ other: FileRemovalReport) {
    removed += other.removed
    for failure in other.failures { fail(failure) }
    isStopped = isStopped || other.isStopped
  }
}

extension FileTreeWalk {
  /// How many removals are on their way at once.
  private static let width = 32

  /// Removes entries of a directory with everything under them; of a symbolic link only the link goes.
  ///
  /// One failure does not stop the rest; a directory that keeps something stays and is told. Cancelling the task stops it.
  /// - Parameters:
  ///   - entries: What to remove.
  ///   - directory: Where it is.
  ///   - files: Whose.
  ///   - tell: Takes the number of removed entries so far.
  /// - Returns: What became of it.
  @concurrent
  public static func remove(
    _ entries: [FileEntry],
    in directory: RemotePath,
    of files: any RemoteFileSystem,
    tell: @escaping @Sendable (UInt64) async -> Void
  ) async -> FileRemovalReport {
    let counter = RemovalCounter(tell)
    var report = FileRemovalReport()
    // A listing may be old: each entry is looked at once more, so that a name that became a link is not followed.
    var fresh: [FileEntry] = []
    for entry in entries {
      let path = directory.appending(entry.name)
      do throws(FileError) {
        fresh.append(
          FileEntry(
            name: entry.name,
            attributes: try await files.attributes(of: path, followingLinks: false)
          )
        )
      } catch { report.fail(error.about(path)) }
    }
    report.add(await remove(fresh, directory, files, counter, depth: 0))
    return report
  }

  private static func remove(
    _ entries: [FileEntry],
    _ directory: RemotePath,
    _ files: any RemoteFileSystem,
    _ counter: RemovalCounter,
    depth: Int
  ) async -> FileRemovalReport {
    var report = FileRemovalReport()
    var trees: [RemotePath] = []
    var plain: [RemotePath] = []
    for entry in entries {
      let path = directory.appending(entry.name)
      do throws(FileError) {
        let isTree = try await told(entry, path, files).attributes.kind == .directory
        if isTree { trees.append(path) } else { plain.append(path) }
      } catch { report.fail(error.about(path)) }
    }
    report.add(await removeFiles(plain, files, counter))
    for tree in trees {
      guard !Task.isCancelled, !report.isStopped else {
        report.isStopped = true
        break
      }
      report.add(await removeTree(tree, files, counter, depth: depth))
    }
    return report
  }

  private static func removeTree(
    _ tree: RemotePath,
    _ files: any RemoteFileSystem,
    _ counter: RemovalCounter,
    depth: Int
  ) async -> FileRemovalReport {
    var report = FileRemovalReport()
    do throws(FileError) {
      guard depth < depthLimit else { throw FileError(.linkLoop, path: tree) }
      let inside = try await list(tree, files)
      report = await remove(inside, tree, files, counter, depth: depth + 1)
      guard !report.isStopped, !Task.isCancelled else {
        report.isStopped = true
        return report
      }
      // What keeps something cannot go; the reason stands there already.
      guard report.failures.isEmpty else { return report }
      try await files.removeDirectory(tree)
      report.removed += 1
      await counter.add()
    } catch { report.take(error.about(tree)) }
    return report
  }

  private static func removeFiles(
    _ paths: [RemotePath],
    _ files: any RemoteFileSystem,
    _ counter: RemovalCounter
  ) async -> FileRemovalReport {
    var report = FileRemovalReport()
    await withTaskGroup(of: FileRemovalReport.self) { group in
      var next = paths.startIndex
      func start() {
        guard next < paths.endIndex, !Task.isCancelled, !report.isStopped else { return }
        let path = paths[next]
        next += 1
        group.addTask {
          var one = FileRemovalReport()
          do throws(FileError) {
            try await files.removeFile(path)
            one.removed = 1
            await counter.add()
          } catch { one.take(error.about(path)) }
          return one
        }
      }
      for _ in 0..<min(width, paths.count) { start() }
      for await one in group {
        report.add(one)
        start()
      }
      if next < paths.endIndex { report.isStopped = true }
    }
    return report
  }
}

extension FileRemovalReport {
  /// Takes a failure; a lost connection or a cancelled task ends everything.
  fileprivate mutating func take(_ error: FileError) {
    if error.isCancellation || error.endsConnection { isStopped = true }
    if !error.isCancellation { fail(error) }
  }
}

/// Counts what was removed and tells it now and then.
private actor RemovalCounter {
  private var count: UInt64 = 0
  private let tell: @Sendable (UInt64) async -> Void

  init(_ tell: @escaping @Sendable (UInt64) async -> Void) { self.tell = tell }

  func add() async {
    count += 1
    if count % 64 == 0 { await tell(count) }
  }
}
