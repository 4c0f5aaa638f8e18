public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// A file system whose connection can be replaced by another one to the same account; what is opened through it belongs
/// to the connection of that time.
public final class RecoveringFileSystem: RemoteFileSystem {
  private let files: Locked<any RemoteFileSystem>
  /// What closing does, where others use the same connection; once.
  private let leave: Locked<(@Sendable () async -> Void)?>
  private let isShared: Bool
  /// Whose files they are.
  public let place: FilePlace

  /// Wraps a file system.
  ///
  /// - Parameters:
  ///   - files: The file system.
  ///   - leave: What is done in place of closing it; nil closes it.
  public init(
    _ files: any RemoteFileSystem,
    leave: (@Sendable () async -> Void)? = nil
  ) {
    place = files.place
    self.files = Locked(files)
    self.leave = Locked(leave)
    isShared = leave != nil
  }

  /// What is behind it now.
  private var current: any RemoteFileSystem { files.withLock { $0 } }

  /// Whether the connection is gone.
  public func isLost() async -> Bool {
    do throws(FileError) {
      _ = try await current.resolve(.start)
      return false
    } catch { return error.endsConnection }
  }

  /// Takes another connection, and ends the one before.
  public func replace(with new: any RemoteFileSystem) async {
    let old = files.withLock { files in
      let old = files
      files = new
      return old
    }
    await old.close()
  }

  /// What it can do.
  public var abilities: FileSystemAbilities { current.abilities }

  /// Resolves a path.
  public func resolve(_ path: RemotePath) async throws(FileError) -> RemotePath {
    try await current.resolve(path)
  }

  /// Tells attributes.
  public func attributes(of path: RemotePath, followingLinks: Bool) async throws(FileError)
    -> FileAttributes
  {
    try await current.attributes(of: path, followingLinks: followingLinks)
  }

  /// Lists a directory.
  public func list(
    _ directory: RemotePath,
    _ receive: @escaping @Sendable (FileListingBatch) async -> Void
  ) async throws(FileError) {
    try await current.list(directory, receive)
  }

  /// Tells where a link leads.
  public func link(at path: RemotePath) async throws(FileError) -> FileLink {
    try await current.link(at: path)
  }

  /// Tells how full the disk is.
  public func space(at path: RemotePath) async throws(FileError) -> FileSystemSpace {
    try await current.space(at: path)
  }

  /// Tells names of owners.
  public func ownerNames(users: Set<UInt32>, groups: Set<UInt32>) async throws(FileError)
    -> FileOwnerNames
  {
    try await current.ownerNames(users: users, groups: groups)
  }

  /// Makes a directory.
  public func makeDirectory(_ path: RemotePath, permissions: UInt32?) async throws(FileError) {
    try await current.makeDirectory(path, permissions: permissions)
  }

  /// Removes a directory.
  public func removeDirectory(_ path: RemotePath) async throws(FileError) {
    try await current.removeDirectory(path)
  }

  /// Removes a file.
  public func removeFile(_ path: RemotePath) async throws(FileError) {
    try await current.removeFile(path)
  }

  /// Renames.
  public func rename(_ source: RemotePath, to target: RemotePath, replacing: Bool)
    async throws(FileError)
  {
    try await current.rename(source, to: target, replacing: replacing)
  }

  /// Makes a symbolic link.
  public func makeSymbolicLink(_ path: RemotePath, to target: [UInt8]) async throws(FileError) {
    try await current.makeSymbolicLink(path, to: target)
  }

  /// Makes a hard link.
  public func makeHardLink(_ path: RemotePath, to existing: RemotePath) async throws(FileError) {
    try await current.makeHardLink(path, to: existing)
  }

  /// Changes attributes.
  public func change(
    _ path: RemotePath,
    _ change: FileAttributeChange,
    followingLinks: Bool
  ) async throws(FileError) {
    try await current.change(path, change, followingLinks: followingLinks)
  }

  /// Opens a file.
  public func open(_ path: RemotePath, _ mode: FileOpenMode) async throws(FileError)
    -> any OpenFile
  {
    try await current.open(path, mode)
  }

  /// Reads a small file.
  public func readSmallFile(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile {
    try await current.readSmallFile(path, limit: limit)
  }

  /// Writes a small file.
  public func writeSmallFile(_ path: RemotePath, _ contents: SmallFileContents)
    async throws(FileError) -> SmallFileResult
  {
    try await current.writeSmallFile(path, contents)
  }

  /// Reads small files.
  public func readSmallFiles(
    _ paths: [RemotePath],
    limit: Int
  ) async -> [Result<SmallFile, FileError>] {
    await current.readSmallFiles(paths, limit: limit)
  }

  /// Writes small files.
  public func writeSmallFiles(
    _ files: [NewSmallFile]
  ) async -> [Result<SmallFileResult, FileError>] {
    await current.writeSmallFiles(files)
  }

  /// Renames to free names.
  public func rename(_ renames: [FileRename]) async -> [FileError?] {
    await current.rename(renames)
  }

  /// Copies data between two of its open files.
  public func copyData(
    from source: any OpenFile,
    to target: any OpenFile,
    offset: UInt64,
    length: UInt64
  ) async throws(FileError) {
    try await current.copyData(from: source, to: target, offset: offset, length: length)
  }

  /// Ends the connection.
  public func close() async {
    guard isShared else { return await current.close() }
    let leave = leave.withLock { leave in
      defer { leave = nil }
      return leave
    }
    await leave?()
  }
}
