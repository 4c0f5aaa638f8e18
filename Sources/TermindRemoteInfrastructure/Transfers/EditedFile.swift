public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// What a file was when a copy of it was taken to be edited.
public struct EditOriginal: Hashable, Sendable, Codable {
  /// What the file system told of it.
  public var attributes: FileAttributes
  /// The SHA-256 digest of its bytes.
  public var digest: [UInt8]

  /// Makes a value.
  public init(attributes: FileAttributes, digest: [UInt8]) {
    self.attributes = attributes
    self.digest = digest
  }

  /// Whether size, time and mode are what they were.
  func isAlike(_ now: FileAttributes) -> Bool {
    now.kind == attributes.kind && now.isUnchanged(since: attributes)
      && (now.permissions == nil || attributes.permissions == nil
        || now.permissions == attributes.permissions)
  }
}

/// A file of any file system that is edited in a copy on this machine.
public struct EditedFile: Sendable {
  /// The original, with the links in its path resolved.
  public let original: FileLocation
  /// The copy.
  public let copy: FileLocation

  /// Names both.
  public init(original: FileLocation, copy: FileLocation) {
    self.original = original
    self.copy = copy
  }

  /// Takes the copy, which replaces an older one.
  ///
  /// - Parameter progress: Told how many bytes are there.
  /// - Returns: What the original was.
  /// - Throws: Why there is no copy.
  public func fetch(
    progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(CopyFailure) -> EditOriginal {
    let before = try await Self.step(.reading) { () async throws(FileError) in
      try await original.files.attributes(of: original.path, followingLinks: true)
    }
    // A pipe would hold its server up until somebody writes into it.
    guard before.kind == .regular || before.kind == .unknown else {
      throw CopyFailure(.refused(before.kind == .directory ? .otherKind : .special(before.kind)))
    }
    let options = CopyOptions(replaces: true, keepsPermissions: false, keepsTimes: false)
    let request = CopyRequest(source: original, target: copy, options: options)
    let result = try await FileCopier().copy(request, progress: progress)
    // What the server copied by itself was not seen.
    let digest = result.digest.isEmpty ? try await digest(of: copy) : result.digest
    return EditOriginal(attributes: before, digest: digest)
  }

  /// The digest of the copy as it is now.
  public func digest() async throws(CopyFailure) -> [UInt8] { try await digest(of: copy) }

  /// Writes the copy over the original, from a snapshot that nothing changes while it travels.
  ///
  /// Size, time, mode and digest of the original are compared with what they were before anything is written, and once
  /// more before the new file gets its name.
  /// - Parameters:
  ///   - known: What the original was; nil takes whatever is there.
  ///   - snapshot: A free name beside the copy.
  ///   - progress: Told how many bytes are there.
  /// - Returns: What the original is now, and what could not be kept of it.
  /// - Throws: `targetChanged` when the original is another one; else why it is as it was.
  public func store(
    replacing known: EditOriginal?,
    through snapshot: FileLocation,
    progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(CopyFailure) -> (now: EditOriginal, warnings: [FileError]) {
    try await keeping(snapshot) { () async throws(CopyFailure) in
      let before = try await check(known)
      return try await write(snapshot, to: original, like: before, progress) {
        () async throws(CopyFailure) in _ = try await check(known)
      }
    }
  }

  /// Writes the copy beside the original, under a name that must be free, from a snapshot as well.
  ///
  /// - Parameters:
  ///   - path: The name.
  ///   - known: What the original was; owner and mode are those.
  ///   - snapshot: A free name beside the copy.
  /// - Returns: What the new file is, and what could not be given to it.
  /// - Throws: Why it is not there.
  public func store(
    under path: RemotePath,
    like known: EditOriginal,
    through snapshot: FileLocation
  ) async throws(CopyFailure) -> (now: EditOriginal, warnings: [FileError]) {
    try await keeping(snapshot) { () async throws(CopyFailure) in
      let target = FileLocation(original.files, path)
      return try await write(snapshot, to: target, like: known.attributes, replaces: false) { _ in
      } lastly: { () async throws(CopyFailure) in
      }
    }
  }

  /// Makes a snapshot of the copy for as long as something needs it.
  private func keeping<Value>(
    _ snapshot: FileLocation,
    _ body: () async throws(CopyFailure) -> Value
  ) async throws(CopyFailure) -> Value {
    let options = CopyOptions(replaces: true, keepsPermissions: false, keepsTimes: false)
    _ = try await FileCopier().copy(
      CopyRequest(source: copy, target: snapshot, options: options)
    ) { _ in }
    let result: Result<Value, CopyFailure>
    do throws(CopyFailure) { result = .success(try await body()) } catch {
      result = .failure(error)
    }
    // The snapshot has served; that it stays does no harm, its directory is private and goes with the edit.
    try? await snapshot.files.removeFile(snapshot.path)
    return try result.get()
  }

  private func write(
    _ snapshot: FileLocation,
    to target: FileLocation,
    like before: FileAttributes?,
    replaces: Bool = true,
    _ progress: @escaping @Sendable (UInt64) -> Void,
    lastly: @escaping @Sendable () async throws(CopyFailure) -> Void
  ) async throws(CopyFailure) -> (now: EditOriginal, warnings: [FileError]) {
    let digest = try await digest(of: snapshot)
    let warnings = Locked<[FileError]>([])
    let request = CopyRequest(
      source: snapshot,
      target: target,
      options: CopyOptions(replaces: replaces, keepsPermissions: false, keepsTimes: false),
      beforeNaming: { partial throws(CopyFailure) in
        let problems = await keep(before, at: partial)
        warnings.withLock { $0 += problems }
        try await lastly()
      }
    )
    let result = try await FileCopier().copy(request, progress: progress)
    let now = try await Self.step(.verifying) { () async throws(FileError) in
      try await target.files.attributes(of: target.path, followingLinks: true)
    }
    return (
      EditOriginal(attributes: now, digest: digest),
      result.warnings + warnings.withLock { $0 }
    )
  }

  /// Compares the original with what it was; the attributes that it has, nil when it is gone and may be.
  private func check(_ known: EditOriginal?) async throws(CopyFailure) -> FileAttributes? {
    let now: FileAttributes
    do throws(FileError) {
      now = try await original.files.attributes(of: original.path, followingLinks: true)
    } catch {
      guard error.reason == .notFound else { throw CopyFailure(.operation(.writing, error)) }
      if known == nil { return nil }
      throw CopyFailure(.targetChanged)
    }
    guard let known else { return now }
    guard known.isAlike(now), try await digest(of: original) == known.digest else {
      throw CopyFailure(.targetChanged)
    }
    return now
  }

  /// Gives a new file the owner and the mode of the one that it replaces; what could not be kept.
  private func keep(_ before: FileAttributes?, at path: RemotePath) async -> [FileError] {
    guard let before else { return [] }
    var problems: [FileError] = []
    let files = original.files
    do throws(FileError) {
      let made = try await files.attributes(of: path, followingLinks: false)
      if let user = before.userID, let group = before.groupID,
        made.userID != user || made.groupID != group
      {
        let owner = FileOwner(userID: user, groupID: group)
        try await files.change(path, FileAttributeChange(owner: owner), followingLinks: false)
      }
    } catch { problems.append(error) }
    // After the owner, whose change may take bits away.
    guard let permissions = before.permissions else { return problems }
    do throws(FileError) {
      let change = FileAttributeChange(permissions: permissions)
      try await files.change(path, change, followingLinks: true)
    } catch { problems.append(error) }
    return problems
  }

  private func digest(of location: FileLocation) async throws(CopyFailure) -> [UInt8] {
    try await Self.step(.verifying) { () async throws(FileError) in
      try await FileDigest.sha256(location)
    }
  }

  private static func step<Value>(
    _ step: CopyStep,
    _ body: () async throws(FileError) -> Value
  ) async throws(CopyFailure) -> Value {
    do throws(FileError) { return try await body() } catch {
      throw CopyFailure(error.isCancellation ? .cancelled : .operation(step, error))
    }
  }
}
