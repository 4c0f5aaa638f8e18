public import TermindApplication
public import TermindDomain

extension SFTPFileSystem {
  /// Resolves a path on the server; `~` where the server can.
  public func resolve(_ path: RemotePath) async throws(FileError) -> RemotePath {
    guard path.bytes.first == 0x7E else { return try await realPath(path) }
    if abilities.contains(.homePaths) {
      let reply = try await ask(
        .extended(SFTPExtension.expandPath) { $0.add(path) },
        path
      )
      return try await onePath(reply, path)
    }
    // `~` and `~/x` are where SFTP starts; `~other` only the server could tell.
    let rest = path.bytes.dropFirst()
    guard rest.isEmpty || rest.first == 0x2F else {
      throw FileError(.unsupported, path: path)
    }
    return try await realPath(RemotePath([0x2E] + rest) ?? .start)
  }

  private func realPath(_ path: RemotePath) async throws(FileError) -> RemotePath {
    try await onePath(try await ask(SFTPRequest(.realPath) { $0.add(path) }, path), path)
  }

  private func onePath(_ reply: SFTPReply, _ asked: RemotePath) async throws(FileError)
    -> RemotePath
  {
    guard case .names(let names) = reply, let first = names.first,
      let path = RemotePath(first.bytes)
    else { throw await broken("no path in the answer to realpath") }
    guard path.isAbsolute else { throw FileError(.failed, path: asked, text: path.text) }
    return path
  }

  /// Tells the attributes of a file.
  public func attributes(
    of path: RemotePath,
    followingLinks: Bool
  ) async throws(FileError) -> FileAttributes {
    let request = SFTPRequest(followingLinks ? .status : .linkStatus) { $0.add(path) }
    guard case .attributes(let attributes) = try await ask(request, path) else {
      throw await broken("no attributes in the answer to stat")
    }
    return attributes
  }

  /// Lists a directory; see `RemoteFileSystem`.
  public func list(
    _ directory: RemotePath,
    _ receive: @escaping @Sendable (FileListingBatch) async -> Void
  ) async throws(FileError) {
    let number = SFTPStreamNumber.make()
    do throws(FileError) {
      try await connection.openListing(directory, number)
      while let batch = try await connection.nextBatch(number) { await receive(batch) }
      await connection.endListing(number)
    } catch {
      await connection.endListing(number)
      guard error.reason == .failed || error.reason == .notFound else {
        throw error.about(directory)
      }
      throw await explainedListing(error, directory)
    }
  }

  /// Servers answer "no such file" or "failure" for a listing of something that is no directory.
  private func explainedListing(_ error: FileError, _ path: RemotePath) async -> FileError {
    // When not even this is answered, the first error says all that is known.
    guard let found = try? await attributes(of: path, followingLinks: true),
      found.kind != .directory, found.kind != .unknown
    else { return error.about(path) }
    return FileError(.notDirectory, path: path, text: error.text)
  }

  /// Tells where a symbolic link leads.
  public func link(at path: RemotePath) async throws(FileError) -> FileLink {
    let answers = await connection.ask([
      SFTPRequest(.readLink) { $0.add(path) }, SFTPRequest(.status) { $0.add(path) },
    ])
    do throws(FileError) {
      switch try answers[0].get() {
      case .names(let names):
        guard let first = names.first else { throw await broken("a link without a target") }
        var attributes: FileAttributes?
        if case .success(.attributes(let found)) = answers[1] { attributes = found }
        return FileLink(target: Array(first.bytes), attributes: attributes)
      case .status(let code, let text): throw SFTPStatus.error(code: code, text: text)
      default: throw await broken("no names in the answer to readlink")
      }
    } catch { throw error.about(path) }
  }

  /// Tells how full the disk behind a path is.
  public func space(at path: RemotePath) async throws(FileError) -> FileSystemSpace {
    guard abilities.contains(.space) else { throw FileError(.unsupported, path: path) }
    let request = SFTPRequest.extended(SFTPExtension.space) { $0.add(path) }
    guard case .extended(let bytes) = try await ask(request, path) else {
      throw await broken("no numbers in the answer to statvfs")
    }
    do throws(SFTPFormatError) {
      return try Self.space(bytes)
    } catch { throw await broken(error.text) }
  }

  /// Reads the eleven numbers of statvfs (OpenSSH's PROTOCOL, 4.4).
  static func space(_ bytes: ArraySlice<UInt8>) throws(SFTPFormatError) -> FileSystemSpace {
    var decoder = SFTPDecoder(bytes)
    _ = try decoder.longNumber()
    let unit = try decoder.longNumber()
    func size(_ blocks: UInt64) -> UInt64 {
      let (product, isTooLarge) = blocks.multipliedReportingOverflow(by: unit)
      return isTooLarge ? .max : product
    }
    let total = try decoder.longNumber()
    let free = try decoder.longNumber()
    let available = try decoder.longNumber()
    let files = try decoder.longNumber()
    _ = try decoder.longNumber()
    let availableFiles = try decoder.longNumber()
    _ = try decoder.longNumber()
    let flags = try decoder.longNumber()
    return FileSystemSpace(
      total: size(total),
      free: size(free),
      available: size(available),
      availableFiles: files == 0 ? nil : availableFiles,
      isReadOnly: flags & 1 != 0
    )
  }

  /// Tells the names of owners and groups; nothing where the server cannot.
  public func ownerNames(
    users: Set<UInt32>,
    groups: Set<UInt32>
  ) async throws(FileError) -> FileOwnerNames {
    guard abilities.contains(.ownerNames) else { return FileOwnerNames() }
    let users = Array(users.prefix(1024))
    let groups = Array(groups.prefix(1024))
    let request = SFTPRequest.extended(SFTPExtension.ownerNames) {
      $0.add(UInt32(users.count * 4))
      for user in users { $0.add(user) }
      $0.add(UInt32(groups.count * 4))
      for group in groups { $0.add(group) }
    }
    guard case .extended(let bytes) = try await ask(request, .start) else {
      throw await broken("no names in the answer to users-groups-by-id")
    }
    do throws(SFTPFormatError) {
      var decoder = SFTPDecoder(bytes)
      let userNames = try decoder.string()
      return FileOwnerNames(
        users: try Self.names(userNames, users),
        groups: try Self.names(try decoder.string(), groups)
      )
    } catch { throw await broken(error.text) }
  }

  private static func names(
    _ bytes: ArraySlice<UInt8>,
    _ numbers: [UInt32]
  ) throws(SFTPFormatError) -> [UInt32: String] {
    var decoder = SFTPDecoder(bytes)
    var names: [UInt32: String] = [:]
    for number in numbers where decoder.count > 0 {
      let name = try decoder.string()
      if !name.isEmpty { names[number] = PathText.safe(name) }
    }
    return names
  }
}
