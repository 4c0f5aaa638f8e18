public import TermindApplication
public import TermindDomain

extension SFTPFileSystem {
  /// Opens a file.
  public func open(_ path: RemotePath, _ mode: FileOpenMode) async throws(FileError)
    -> any OpenFile
  {
    do throws(FileError) {
      let handle = try await connection.open(Self.request(path, mode))
      return SFTPFile(path, handle: handle, in: self)
    } catch {
      throw await explainedOpening(error, path, mode)
    }
  }

  private static func request(_ path: RemotePath, _ mode: FileOpenMode) -> SFTPRequest {
    switch mode {
    case .read: .open(path, .read)
    case .create(let permissions):
      .open(
        path,
        [.read, .write, .create, .exclusive],
        FileAttributeChange(permissions: permissions)
      )
    case .overwrite(let permissions):
      .open(path, [.write, .create, .truncate], FileAttributeChange(permissions: permissions))
    case .update: .open(path, [.read, .write])
    }
  }

  private func explainedOpening(
    _ error: FileError,
    _ path: RemotePath,
    _ mode: FileOpenMode
  ) async -> FileError {
    guard error.reason == .failed, !Task.isCancelled else { return error.about(path) }
    // Only asked for a better word.
    if let found = try? await attributes(of: path, followingLinks: false) {
      if case .create = mode { return FileError(.exists, path: path, text: error.text) }
      if found.kind == .directory { return FileError(.isDirectory, path: path, text: error.text) }
    }
    return await explained(error, path)
  }

  /// Reads a whole small file.
  public func readSmallFile(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile {
    do throws(FileError) {
      if let file = try await connection.readSmallFile(path, limit: limit) { return file }
    } catch { throw error.about(path) }
    return try await readLonger(path, limit: limit)
  }

  private func readLonger(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile {
    let file = try await open(path, .read)
    return try await closing(file) { () async throws(FileError) in
      let before = try await file.attributes()
      var bytes: [UInt8] = []
      while bytes.count <= limit {
        let more = try await file.read(at: UInt64(bytes.count), count: limit + 1 - bytes.count)
        if more.isEmpty { break }
        bytes += more
      }
      return SmallFile(
        bytes: bytes.prefix(limit),
        isCut: bytes.count > limit,
        before: before,
        after: try await file.attributes()
      )
    }
  }

  /// Reads small files beside each other.
  public func readSmallFiles(
    _ paths: [RemotePath],
    limit: Int
  ) async -> [Result<SmallFile, FileError>] {
    let found = await connection.each(paths) { connection, path throws(FileError) in
      try await connection.readSmallFile(path, limit: limit)
    }
    return await Self.settled(found) { index, error throws(FileError) in
      if let error { throw error.about(paths[index]) }
      do throws(FileError) {
        return try await self.readLonger(paths[index], limit: limit)
      } catch { throw error.about(paths[index]) }
    }
  }

  /// Goes on with those files that the quick way did not do, beside each other.
  ///
  /// - Parameters:
  ///   - found: What came of the quick way; nil for a file that it does not suit.
  ///   - body: Goes on with one of these, by its place, and by its error where it failed.
  /// - Returns: What came of all of them, in their order.
  static func settled<Value: Sendable>(
    _ found: [Result<Value?, FileError>],
    _ body:
      @escaping @Sendable (_ index: Int, FileError?) async throws(FileError) -> Value
  ) async -> [Result<Value, FileError>] {
    await withTaskGroup(of: (Int, Result<Value, FileError>).self) { group in
      var results: [Result<Value, FileError>] = []
      for (index, result) in found.enumerated() {
        var error: FileError?
        switch result {
        case .success(let value?):
          results.append(.success(value))
          continue
        case .success(nil): break
        case .failure(let failure): error = failure
        }
        // Replaced by what comes of it.
        results.append(.failure(error ?? FileError(.cancelled)))
        group.addTask { [error] in
          do throws(FileError) {
            return (index, .success(try await body(index, error)))
          } catch { return (index, .failure(error)) }
        }
      }
      for await (index, result) in group { results[index] = result }
      return results
    }
  }

  /// Writes small new files beside each other.
  public func writeSmallFiles(
    _ files: [NewSmallFile]
  ) async -> [Result<SmallFileResult, FileError>] {
    let canSync = abilities.contains(.sync)
    let written = await connection.each(files) {
      connection,
      file throws(FileError) -> SmallFileResult? in
      try await connection.writeSmallFile(
        file.path,
        file.contents,
        syncs: file.contents.syncs && canSync
      )
    }
    return await Self.settled(written) { index, error throws(FileError) in
      throw await self.explained(
        error ?? FileError(.cancelled),
        files[index].path,
        isMaking: true
      )
    }
  }

  private func closing<Value>(
    _ file: any OpenFile,
    _ body: () async throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    do throws(FileError) {
      let value = try await body()
      try await file.close()
      return value
    } catch {
      // The first error is the one that counts.
      try? await file.close()
      throw error
    }
  }

  /// Writes a small new file.
  public func writeSmallFile(
    _ path: RemotePath,
    _ contents: SmallFileContents
  ) async throws(FileError) -> SmallFileResult {
    do throws(FileError) {
      return try await connection.writeSmallFile(
        path,
        contents,
        syncs: contents.syncs && abilities.contains(.sync)
      )
    } catch {
      throw await explained(error, path, isMaking: true)
    }
  }

  /// Lets the server copy between two of its open files.
  public func copyData(
    from source: any OpenFile,
    to target: any OpenFile,
    offset: UInt64,
    length: UInt64
  ) async throws(FileError) {
    guard abilities.contains(.copyData), let source = source as? SFTPFile,
      let target = target as? SFTPFile, source.fileSystem === self, target.fileSystem === self
    else { throw FileError(.unsupported, path: target.path) }
    try await perform(
      .extended(SFTPExtension.copyData) {
        $0.add(string: source.handle)
        $0.add(offset)
        $0.add(length)
        $0.add(string: target.handle)
        $0.add(offset)
      }.slowly(),
      target.path
    )
  }
}
