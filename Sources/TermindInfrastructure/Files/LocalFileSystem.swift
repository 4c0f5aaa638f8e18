internal import CLinux
internal import Glibc
public import TermindApplication
public import TermindDomain

/// The files of this machine, as the account that runs Termind sees them.
///
/// Every call waits for the disk on a few threads of its own (`BlockingWorkers`). Relative paths start at the home
/// directory.
public final class LocalFileSystem: RemoteFileSystem {
  /// Whose files they are.
  public let place = FilePlace.thisMachine
  /// What this machine can do.
  public let abilities: FileSystemAbilities = [
    .replacingRename, .space, .sync, .hardLinks, .linkAttributes, .copyData, .ownerNames,
    .homePaths,
  ]
  let workers: BlockingWorkers
  private let home: [UInt8]

  /// The threads that local files wait on unless others are given.
  public static let sharedWorkers = BlockingWorkers(name: "files", limit: 4)

  /// Makes a view of this machine's files.
  ///
  /// - Parameters:
  ///   - home: Where relative paths start.
  ///   - workers: Who waits for the disk.
  public init(home: RemotePath, workers: BlockingWorkers = LocalFileSystem.sharedWorkers) {
    self.home = home.isAbsolute ? home.bytes : [0x2F]
    self.workers = workers
  }

  /// Does nothing: files that are open are closed with their last use.
  public func close() async {}

  // MARK: Calls

  /// The path as the system takes it.
  func absolute(_ path: RemotePath) -> [UInt8] {
    if path.isAbsolute { return path.bytes }
    return path == .start ? home : home + [0x2F] + path.bytes
  }

  /// Runs a call that tells its failure through `errno`, with the path as the system takes it.
  func call<Value: Sendable>(
    _ path: RemotePath,
    _ body: @escaping @Sendable ([CChar]) -> Value?
  ) async throws(FileError) -> Value {
    let text = LocalPath.text(absolute(path))
    let result: Result<Value, FileError> = await workers.run {
      guard let value = body(text) else { return .failure(LocalFileStatus.lastError(path)) }
      return .success(value)
    }
    return try result.get()
  }

  /// Runs calls one after the other on one thread, or in parts on several, each with its path as the system takes it and
  /// its place.
  ///
  /// Cancelling the task leaves out those that have not begun.
  func calls<Value: Sendable>(
    _ paths: [RemotePath],
    parts: Int = 1,
    _ body: @escaping @Sendable ([CChar], Int) -> Value?
  ) async -> [Result<Value, FileError>] {
    let texts = paths.map { LocalPath.text(absolute($0)) }
    let isCancelled = Locked(false)
    let work: @Sendable (Int) -> Result<Value, FileError> = { index in
      guard !isCancelled.withLock({ $0 }) else { return .failure(FileError(.cancelled)) }
      guard let value = body(texts[index], index) else {
        return .failure(LocalFileStatus.lastError(paths[index]))
      }
      return .success(value)
    }
    let size = max(1, (texts.count + parts - 1) / parts)
    return await withTaskCancellationHandler {
      guard parts > 1 else { return await workers.run { texts.indices.map(work) } }
      return await withTaskGroup(of: (Int, [Result<Value, FileError>]).self) { [workers] group in
        for start in stride(from: 0, to: texts.count, by: size) {
          let part = start..<min(start + size, texts.count)
          group.addTask { (start, await workers.run { part.map(work) }) }
        }
        return await group.reduce(into: [(Int, [Result<Value, FileError>])]()) { $0.append($1) }
          .sorted { $0.0 < $1.0 }
          .flatMap(\.1)
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// Runs a call whose zero means success.
  func check(
    _ path: RemotePath,
    _ body: @escaping @Sendable ([CChar]) -> Int32
  ) async throws(FileError) {
    try await call(path) { body($0) == 0 ? () : nil }
  }

  // MARK: Looking

  /// Resolves a path, symbolic links included; the last name need not be there.
  public func resolve(_ path: RemotePath) async throws(FileError) -> RemotePath {
    let path = try expanded(path)
    do throws(FileError) {
      return try await realPath(path)
    } catch {
      guard error.reason == .notFound, let parent = path.parent, let name = path.name else {
        throw error
      }
      return try await realPath(parent).appending(name)
    }
  }

  private func realPath(_ path: RemotePath) async throws(FileError) -> RemotePath {
    let bytes: [UInt8] = try await call(path) { text in
      guard let found = unsafe realpath(text, nil) else { return nil }
      defer { unsafe free(found) }
      return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
    return RemotePath(bytes) ?? .root
  }

  private func expanded(_ path: RemotePath) throws(FileError) -> RemotePath {
    guard path.bytes.first == 0x7E else { return path }
    let rest = path.bytes.dropFirst()
    guard rest.isEmpty || rest.first == 0x2F else { throw FileError(.unsupported, path: path) }
    return RemotePath(home + rest) ?? .root
  }

  /// Tells the attributes of a file.
  public func attributes(
    of path: RemotePath,
    followingLinks: Bool
  ) async throws(FileError) -> FileAttributes {
    try await call(path) { text in
      var status = stat()
      let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
      guard unsafe fstatat(AT_FDCWD, text, &status, flags) == 0 else { return nil }
      return LocalFileStatus.attributes(status)
    }
  }

  /// Tells where a symbolic link leads.
  public func link(at path: RemotePath) async throws(FileError) -> FileLink {
    try await call(path) { text in
      var target = [CChar](repeating: 0, count: 4097)
      let count = unsafe readlink(text, &target, 4096)
      guard count >= 0 else { return nil }
      var status = stat()
      let isThere = unsafe fstatat(AT_FDCWD, text, &status, 0) == 0
      return FileLink(
        target: target.prefix(count).map { UInt8(bitPattern: $0) },
        attributes: isThere ? LocalFileStatus.attributes(status) : nil
      )
    }
  }

  /// Tells how full the disk behind a path is.
  public func space(at path: RemotePath) async throws(FileError) -> FileSystemSpace {
    try await call(path) { text in
      var status = statvfs()
      guard unsafe statvfs(text, &status) == 0 else { return nil }
      let unit = UInt64(status.f_frsize)
      return FileSystemSpace(
        total: UInt64(status.f_blocks) &* unit,
        free: UInt64(status.f_bfree) &* unit,
        available: UInt64(status.f_bavail) &* unit,
        availableFiles: status.f_files == 0 ? nil : UInt64(status.f_favail),
        isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0
      )
    }
  }

  /// Tells the names of owners and groups.
  public func ownerNames(
    users: Set<UInt32>,
    groups: Set<UInt32>
  ) async throws(FileError) -> FileOwnerNames {
    await workers.run {
      var names = FileOwnerNames()
      for user in users { names.users[user] = LocalOwners.userName(user) }
      for group in groups { names.groups[group] = LocalOwners.groupName(group) }
      return names
    }
  }
}

/// Looks accounts up by number.
enum LocalOwners {
  static func userName(_ number: UInt32) -> String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard unsafe getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0,
      unsafe found != nil, let name = unsafe entry.pw_name
    else { return nil }
    return unsafe String(cString: name)
  }

  static func groupName(_ number: UInt32) -> String? {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 65_536)
    guard unsafe getgrgid_r(number, &entry, &buffer, buffer.count, &found) == 0,
      unsafe found != nil, let name = unsafe entry.gr_name
    else { return nil }
    return unsafe String(cString: name)
  }
}
