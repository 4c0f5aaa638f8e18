public import TermindDomain

/// What a tree holds.
public struct TreeCount: Hashable, Sendable {
  /// Files and everything else that is no directory.
  public var files = 0
  /// Directories, the root included.
  public var directories = 0
  /// The size of all files that tell it.
  public var byteCount: UInt64 = 0

  /// Makes an empty count.
  public init() {}
}

/// Removes trees; a symbolic link is removed itself, never what it leads to.
public struct TreeRemoval: Sendable {
  /// Removals that are in flight.
  private static let width = 32

  private let files: any RemoteFileSystem

  /// Removes in a file system.
  public init(_ files: any RemoteFileSystem) { self.files = files }

  /// Counts what a removal would remove.
  ///
  /// - Parameters:
  ///   - path: The root.
  ///   - progress: Told the count so far.
  /// - Returns: The whole count.
  /// - Throws: The first thing that could not be looked at.
  public func count(
    _ path: RemotePath,
    _ progress: @escaping @Sendable (TreeCount) -> Void = { _ in }
  ) async throws(FileError) -> TreeCount {
    let root = try await files.attributes(of: path, followingLinks: false)
    let counter = TreeCounter()
    guard root.kind == .directory else {
      var count = TreeCount()
      count.files = 1
      count.byteCount = root.size ?? 0
      return count
    }
    await counter.addRoot(path)
    while let directory = await counter.next() {
      try await files.list(directory) { await counter.add($0, directory) }
      progress(await counter.count)
    }
    return await counter.count
  }

  /// Removes a file, a link or a directory with everything in it.
  ///
  /// What cannot be removed is told and left; the rest goes all the same.
  /// - Parameters:
  ///   - path: The root.
  ///   - failed: Told what could not be removed.
  /// - Returns: How much was removed.
  /// - Throws: When the root itself cannot be looked at.
  public func remove(
    _ path: RemotePath,
    failed: @escaping @Sendable (FileError) -> Void
  ) async throws(FileError) -> Int {
    let root = try await files.attributes(of: path, followingLinks: false)
    guard root.kind == .directory else {
      try await files.removeFile(path)
      return 1
    }
    return await removeDirectory(path, failed)
  }

  private func removeDirectory(
    _ path: RemotePath,
    _ failed: @escaping @Sendable (FileError) -> Void
  ) async -> Int {
    let found = TreeCounter()
    do throws(FileError) {
      try await files.list(path) { await found.keep($0, path) }
    } catch {
      failed(error)
      return 0
    }
    var removed = await removeFiles(await found.files, failed)
    for directory in await found.directories where !Task.isCancelled {
      removed += await removeDirectory(directory, failed)
    }
    guard !Task.isCancelled else { return removed }
    do throws(FileError) {
      try await files.removeDirectory(path)
      return removed + 1
    } catch {
      failed(error)
      return removed
    }
  }

  private func removeFiles(
    _ paths: [RemotePath],
    _ failed: @escaping @Sendable (FileError) -> Void
  ) async -> Int {
    let files = files
    return await withTaskGroup(of: Bool.self) { group in
      var removed = 0
      for (index, path) in paths.enumerated() where !Task.isCancelled {
        if index >= Self.width, await group.next() == true { removed += 1 }
        group.addTask {
          do throws(FileError) {
            try await files.removeFile(path)
            return true
          } catch {
            failed(error)
            return false
          }
        }
      }
      for await isGone in group where isGone { removed += 1 }
      return removed
    }
  }
}

/// Collects what a walk through a tree finds.
private actor TreeCounter {
  private(set) var count = TreeCount()
  private(set) var files: [RemotePath] = []
  private(set) var directories: [RemotePath] = []

  func addRoot(_ path: RemotePath) {
    count.directories = 1
    directories = [path]
  }

  func next() -> RemotePath? { directories.popLast() }

  func add(_ batch: FileListingBatch, _ directory: RemotePath) {
    for entry in batch.entries {
      guard entry.attributes.kind == .directory else {
        count.files += 1
        count.byteCount &+= entry.attributes.size ?? 0
        continue
      }
      count.directories += 1
      directories.append(directory.appending(entry.name))
    }
  }

  func keep(_ batch: FileListingBatch, _ directory: RemotePath) {
    for entry in batch.entries {
      let path = directory.appending(entry.name)
      if entry.attributes.kind == .directory {
        directories.append(path)
      } else {
        files.append(path)
      }
    }
  }
}
