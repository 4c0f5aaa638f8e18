public import TermindDomain

/// How much lies in a tree; a symbolic link counts as itself and is never followed.
public struct FileTreeTotals: Hashable, Sendable {
  /// Files, links and special files.
  public var files: UInt64 = 0
  /// Directories, the counted ones themselves included.
  public var directories: UInt64 = 0
  /// Bytes of the regular files.
  public var bytes: UInt64 = 0
  /// What could not be looked into.
  public var failures: [FileError] = []

  /// Nothing.
  public init() {}

  /// How much there is in all.
  public var entries: UInt64 { files + directories }

  mutating func add(_ entry: FileEntry) {
    if entry.attributes.kind == .directory {
      directories += 1
    } else {
      files += 1
      if entry.attributes.kind == .regular { bytes &+= entry.attributes.size ?? 0 }
    }
  }

  mutating func fail(_ error: FileError) {
    if failures.count < FileTreeWalk.failureLimit { failures.append(error) }
  }
}

/// Counts and removes trees of a file system, away from the main actor.
///
/// What an entry is comes from its listing; a server that does not tell is asked about that entry alone.
public enum FileTreeWalk {
  /// The most failures that are kept.
  public static let failureLimit = 1_000
  /// How deep trees are followed.
  static let depthLimit = 4_096

  /// Counts what lies under some entries of a directory.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - directory: Where they are.
  ///   - files: Whose.
  ///   - tell: Takes the totals so far after each directory.
  /// - Returns: The totals; what could not be looked into is among them.
  /// - Throws: `cancelled`, or that the connection is gone.
  @concurrent
  public static func count(
    _ entries: [FileEntry],
    in directory: RemotePath,
    of files: any RemoteFileSystem,
    tell: @Sendable (FileTreeTotals) async -> Void
  ) async throws(FileError) -> FileTreeTotals {
    var totals = FileTreeTotals()
    var waiting: [RemotePath] = []
    try await take(entries, directory, files, &totals, &waiting)
    while let next = waiting.popLast() {
      if Task.isCancelled { throw FileError(.cancelled, path: next) }
      do throws(FileError) {
        let found = try await list(next, files)
        try await take(found, next, files, &totals, &waiting)
      } catch {
        guard !error.isCancellation, !error.endsConnection else { throw error }
        totals.fail(error.about(next))
      }
      await tell(totals)
    }
    return totals
  }

  private static func take(
    _ entries: [FileEntry],
    _ directory: RemotePath,
    _ files: any RemoteFileSystem,
    _ totals: inout FileTreeTotals,
    _ waiting: inout [RemotePath]
  ) async throws(FileError) {
    for entry in entries {
      let path = directory.appending(entry.name)
      let known = try await told(entry, path, files)
      totals.add(known)
      if known.attributes.kind == .directory { waiting.append(path) }
    }
  }

  /// The entry with its kind; asked for where the listing did not tell.
  static func told(
    _ entry: FileEntry,
    _ path: RemotePath,
    _ files: any RemoteFileSystem
  ) async throws(FileError) -> FileEntry {
    guard entry.attributes.kind == .unknown else { return entry }
    var entry = entry
    do throws(FileError) {
      entry.attributes = try await files.attributes(of: path, followingLinks: false)
    } catch {
      // What cannot be looked at counts as a file; doing something with it tells why.
      if error.isCancellation || error.endsConnection { throw error }
    }
    return entry
  }

  /// The entries of a directory.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - files: The file system that has it.
  /// - Returns: What stands in it, in the order in which it was told.
  /// - Throws: Why it cannot be listed.
  public static func list(
    _ directory: RemotePath,
    _ files: any RemoteFileSystem
  ) async throws(FileError) -> [FileEntry] {
    let collector = FileEntryCollector()
    try await files.list(directory) { await collector.add($0.entries) }
    return await collector.entries
  }
}

/// Keeps the entries of one listing.
actor FileEntryCollector {
  private(set) var entries: [FileEntry] = []

  func add(_ more: [FileEntry]) { entries += more }
}
