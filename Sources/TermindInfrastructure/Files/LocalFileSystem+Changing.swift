internal import CLinux
internal import Glibc
public import TermindApplication
public import TermindDomain

extension LocalFileSystem {
  /// Makes a directory.
  public func makeDirectory(_ path: RemotePath, permissions: UInt32?) async throws(FileError) {
    try await check(path) { text in
      guard unsafe mkdir(text, permissions.map { $0 & 0o7777 } ?? 0o777) == 0 else { return -1 }
      // What the mask of the process took away is wanted when somebody named the permissions.
      return permissions.map { unsafe chmod(text, $0 & 0o7777) } ?? 0
    }
  }

  /// Removes an empty directory.
  public func removeDirectory(_ path: RemotePath) async throws(FileError) {
    try await check(path) { unsafe rmdir($0) }
  }

  /// Removes a file or a symbolic link.
  public func removeFile(_ path: RemotePath) async throws(FileError) {
    try await check(path) { unsafe unlink($0) }
  }

  /// Renames a file or directory.
  public func rename(
    _ source: RemotePath,
    to target: RemotePath,
    replacing: Bool
  ) async throws(FileError) {
    let to = LocalPath.text(absolute(target))
    do throws(FileError) {
      try await check(source) { from in
        replacing ? unsafe Glibc.rename(from, to) : Self.renameFree(from, to)
      }
    } catch { throw Self.renaming(error, source, target) }
  }

  /// Renames files to free names, one after the other on one of the threads.
  public func rename(_ renames: [FileRename]) async -> [FileError?] {
    let texts = renames.map { LocalPath.text(absolute($0.target)) }
    let results: [Result<Void, FileError>] = await calls(renames.map(\.source)) { from, index in
      Self.renameFree(from, texts[index]) == 0 ? () : nil
    }
    return zip(renames, results).map { rename, result in
      guard case .failure(let error) = result else { return nil }
      return Self.renaming(error, rename.source, rename.target)
    }
  }

  /// Whether the source is gone or the target is trouble, the person looks at the target.
  private static func renaming(
    _ error: FileError,
    _ source: RemotePath,
    _ target: RemotePath
  ) -> FileError {
    FileError(error.reason, path: error.reason == .notFound ? source : target, text: error.text)
  }

  private static func renameFree(_ from: [CChar], _ to: [CChar]) -> Int32 {
    let code = unsafe tm_rename_new(from, to)
    guard code != 0, errno == EINVAL || errno == ENOSYS else { return code }
    return renameNew(from, to)
  }

  /// For file systems whose renames always replace: a second name, then the first one goes.
  private static func renameNew(_ from: [CChar], _ to: [CChar]) -> Int32 {
    if unsafe Glibc.link(from, to) == 0 { return unsafe unlink(from) }
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else { return -1 }
    var status = stat()
    if unsafe lstat(to, &status) == 0 {
      errno = EEXIST
      return -1
    }
    return unsafe Glibc.rename(from, to)
  }

  /// Makes a symbolic link.
  public func makeSymbolicLink(_ path: RemotePath, to target: [UInt8]) async throws(FileError) {
    guard !target.isEmpty, !target.contains(0) else { throw FileError(.badName, path: path) }
    let text = LocalPath.text(target)
    try await check(path) { unsafe symlink(text, $0) }
  }

  /// Makes another name for a file.
  public func makeHardLink(_ path: RemotePath, to existing: RemotePath) async throws(FileError) {
    let source = LocalPath.text(absolute(existing))
    try await check(path) { unsafe Glibc.link(source, $0) }
  }

  /// Changes attributes.
  public func change(
    _ path: RemotePath,
    _ change: FileAttributeChange,
    followingLinks: Bool
  ) async throws(FileError) {
    try await check(path) { text in
      if let size = change.size, unsafe truncate(text, Int(clamping: size)) != 0 { return -1 }
      let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
      if let owner = change.owner,
        unsafe fchownat(AT_FDCWD, text, owner.userID, owner.groupID, flags) != 0
      {
        return -1
      }
      // After the owner: changing that takes the set-id bits away.
      if let permissions = change.permissions,
        unsafe fchmodat(AT_FDCWD, text, permissions & 0o7777, flags) != 0
      {
        return -1
      }
      guard let times = change.times else { return 0 }
      return unsafe utimensat(AT_FDCWD, text, LocalFileStatus.timespecs(times), flags)
    }
  }
}
