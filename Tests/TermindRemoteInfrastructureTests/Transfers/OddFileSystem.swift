import TermindApplication
import TermindDomain
import TermindInfrastructure

/// A file system that lacks operations, or misbehaves, as a test says.
final class OddFileSystem: RemoteFileSystem {
  /// What is odd about it.
  struct Oddities: Sendable {
    var abilities: FileSystemAbilities?
    var renames = true
    /// After so many successful renames all others fail.
    var renameLimit: Int?
    /// Keeps only so many bytes of a file, and acknowledges all.
    var keeps: Int?
    /// What every path is resolved to.
    var resolvesTo: RemotePath?
    /// Takes names that differ only in case for the same.
    var foldsCase = false
    /// Refuses to change attributes.
    var changes = true
    /// Called before the bytes of each read are returned.
    var onRead: (@Sendable (RemotePath) async -> Void)?
    /// Called once a directory was listed.
    var onListed: (@Sendable (RemotePath) -> Void)?
    /// Why a directory cannot be listed.
    var refuses: (@Sendable (RemotePath) -> FileError?)?
    /// Called before a file is removed.
    var onRemove: (@Sendable (RemotePath) async -> Void)?
    var isBusy: (@Sendable (RemotePath) -> Bool)?
  }

  let base: any RemoteFileSystem
  let oddities: Oddities
  private let renamed = Locked(0)
  /// The names that were given, where case does not tell them apart.
  private let folded = Locked<Set<String>>([])
  let place: FilePlace
  var abilities: FileSystemAbilities { oddities.abilities ?? base.abilities }

  init(_ base: any RemoteFileSystem, place: FilePlace? = nil, _ oddities: Oddities) {
    self.base = base
    self.oddities = oddities
    self.place = place ?? base.place
  }

  func resolve(_ path: RemotePath) async throws(FileError) -> RemotePath {
    if let path = oddities.resolvesTo { return path }
    return try await base.resolve(path)
  }
  func attributes(of path: RemotePath, followingLinks: Bool) async throws(FileError)
    -> FileAttributes
  {
    try await base.attributes(of: path, followingLinks: followingLinks)
  }
  func list(
    _ directory: RemotePath,
    _ receive: @escaping @Sendable (FileListingBatch) async -> Void
  ) async throws(FileError) {
    if let error = oddities.refuses?(directory) { throw error }
    try await base.list(directory, receive)
    oddities.onListed?(directory)
  }
  func link(at path: RemotePath) async throws(FileError) -> FileLink {
    try await base.link(at: path)
  }
  func space(at path: RemotePath) async throws(FileError) -> FileSystemSpace {
    try await base.space(at: path)
  }
  func ownerNames(users: Set<UInt32>, groups: Set<UInt32>) async throws(FileError)
    -> FileOwnerNames
  {
    try await base.ownerNames(users: users, groups: groups)
  }
  func makeDirectory(_ path: RemotePath, permissions: UInt32?) async throws(FileError) {
    try await base.makeDirectory(path, permissions: permissions)
  }
  func removeDirectory(_ path: RemotePath) async throws(FileError) {
    try await base.removeDirectory(path)
  }
  func removeFile(_ path: RemotePath) async throws(FileError) {
    await oddities.onRemove?(path)
    if oddities.isBusy?(path) == true { throw FileError(.busy, path: path) }
    try await base.removeFile(path)
  }
  func rename(_ source: RemotePath, to target: RemotePath, replacing: Bool)
    async throws(FileError)
  {
    guard oddities.renames, !replacing || abilities.contains(.replacingRename) else {
      throw FileError(.unsupported, path: target)
    }
    if let limit = oddities.renameLimit,
      renamed.withLock({ count in
        count += 1
        return count == limit + 1
      })
    {
      throw FileError(.failed, path: target)
    }
    if oddities.foldsCase, !replacing,
      !folded.withLock({ $0.insert(target.text.lowercased()).inserted })
    {
      throw FileError(.exists, path: target)
    }
    try await base.rename(source, to: target, replacing: replacing)
  }
  func makeSymbolicLink(_ path: RemotePath, to target: [UInt8]) async throws(FileError) {
    try await base.makeSymbolicLink(path, to: target)
  }
  func makeHardLink(_ path: RemotePath, to existing: RemotePath) async throws(FileError) {
    try await base.makeHardLink(path, to: existing)
  }
  func change(_ path: RemotePath, _ change: FileAttributeChange, followingLinks: Bool)
    async throws(FileError)
  {
    guard oddities.changes else { throw FileError(.unsupported, path: path) }
    try await base.change(path, change, followingLinks: followingLinks)
  }
  func open(_ path: RemotePath, _ mode: FileOpenMode) async throws(FileError) -> any OpenFile {
    OddFile(try await base.open(path, mode), oddities)
  }
  func readSmallFile(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile {
    try await base.readSmallFile(path, limit: limit)
  }
  func writeSmallFile(_ path: RemotePath, _ contents: SmallFileContents) async throws(FileError)
    -> SmallFileResult
  {
    var contents = contents
    if let keeps = oddities.keeps { contents.bytes = contents.bytes.prefix(keeps) }
    return try await base.writeSmallFile(path, contents)
  }
  func readSmallFiles(
    _ paths: [RemotePath],
    limit: Int
  ) async -> [Result<SmallFile, FileError>] {
    await base.readSmallFiles(paths, limit: limit)
  }
  func writeSmallFiles(_ files: [NewSmallFile]) async -> [Result<SmallFileResult, FileError>] {
    var files = files
    if let keeps = oddities.keeps {
      for index in files.indices {
        files[index].contents.bytes = files[index].contents.bytes.prefix(keeps)
      }
    }
    return await base.writeSmallFiles(files)
  }
  func rename(_ renames: [FileRename]) async -> [FileError?] {
    var errors: [FileError?] = []
    for each in renames {
      do throws(FileError) {
        try await rename(each.source, to: each.target, replacing: false)
        errors.append(nil)
      } catch { errors.append(error) }
    }
    return errors
  }
  func copyData(
    from source: any OpenFile,
    to target: any OpenFile,
    offset: UInt64,
    length: UInt64
  ) async throws(FileError) {
    throw FileError(.unsupported, path: target.path)
  }
  func close() async {}
}

/// A file of an odd file system.
final class OddFile: OpenFile {
  private let base: any OpenFile
  private let oddities: OddFileSystem.Oddities
  var path: RemotePath { base.path }

  init(_ base: any OpenFile, _ oddities: OddFileSystem.Oddities) {
    self.base = base
    self.oddities = oddities
  }

  func attributes() async throws(FileError) -> FileAttributes { try await base.attributes() }
  func change(_ change: FileAttributeChange) async throws(FileError) {
    guard oddities.changes else { throw FileError(.unsupported, path: path) }
    try await base.change(change)
  }
  func read(at offset: UInt64, count: Int) async throws(FileError) -> ArraySlice<UInt8> {
    try await base.read(at: offset, count: count)
  }
  func reader(from offset: UInt64, to end: UInt64?) -> any FileReading {
    OddReader(base.reader(from: offset, to: end), path, oddities)
  }
  func writer(at offset: UInt64) -> any FileWriting {
    OddWriter(base.writer(at: offset), oddities.keeps)
  }
  func sync() async throws(FileError) { try await base.sync() }
  func close() async throws(FileError) { try await base.close() }
  func discard() async { await base.discard() }
}

final class OddReader: FileReading {
  private let base: any FileReading
  private let path: RemotePath
  private let oddities: OddFileSystem.Oddities

  init(_ base: any FileReading, _ path: RemotePath, _ oddities: OddFileSystem.Oddities) {
    self.base = base
    self.path = path
    self.oddities = oddities
  }

  func next() async throws(FileError) -> ArraySlice<UInt8>? {
    let bytes = try await base.next()
    await oddities.onRead?(path)
    return bytes
  }
  func stop() async { await base.stop() }
}

final class OddWriter: FileWriting {
  private let base: any FileWriting
  private let left: Locked<Int>

  init(_ base: any FileWriting, _ keeps: Int?) {
    self.base = base
    left = Locked(keeps ?? .max)
  }

  func write(_ bytes: ArraySlice<UInt8>) async throws(FileError) {
    let count = left.withLock { left in
      let count = min(left, bytes.count)
      left -= count
      return count
    }
    if count > 0 { try await base.write(bytes.prefix(count)) }
  }
  func finish() async throws(FileError) { try await base.finish() }
  func stop() async { await base.stop() }
}
