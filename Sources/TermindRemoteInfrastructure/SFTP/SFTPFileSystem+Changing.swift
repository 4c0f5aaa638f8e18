public import TermindApplication
public import TermindDomain

extension SFTPFileSystem {
  /// Makes a directory.
  public func makeDirectory(_ path: RemotePath, permissions: UInt32?) async throws(FileError) {
    try await perform(
      SFTPRequest(.makeDirectory) {
        $0.add(path)
        $0.add(FileAttributeChange(permissions: permissions))
      },
      path,
      isMaking: true
    )
  }

  /// Removes an empty directory.
  public func removeDirectory(_ path: RemotePath) async throws(FileError) {
    do throws(FileError) {
      try await perform(SFTPRequest(.removeDirectory) { $0.add(path) }, path)
    } catch {
      guard error.reason == .failed || error.reason == .exists else { throw error }
      throw await explainedRemoval(error, path)
    }
  }

  /// OpenSSH says "failure" for a directory that is not empty.
  private func explainedRemoval(_ error: FileError, _ path: RemotePath) async -> FileError {
    let number = SFTPStreamNumber.make()
    defer { Task { await connection.endListing(number) } }
    do throws(FileError) {
      try await connection.openListing(path, number)
      let isEmpty = try await connection.nextBatch(number) == nil
      return isEmpty ? error : FileError(.notEmpty, path: path, text: error.text)
    } catch { return FileError(.failed, path: path, text: error.text) }
  }

  /// Removes a file or a symbolic link.
  public func removeFile(_ path: RemotePath) async throws(FileError) {
    try await perform(SFTPRequest(.remove) { $0.add(path) }, path)
  }

  /// Renames a file or directory.
  public func rename(
    _ source: RemotePath,
    to target: RemotePath,
    replacing: Bool
  ) async throws(FileError) {
    guard replacing else {
      return try await perform(
        SFTPRequest(.rename) {
          $0.add(source)
          $0.add(target)
        },
        target,
        isMaking: true
      )
    }
    guard abilities.contains(.replacingRename) else {
      throw FileError(.unsupported, path: target)
    }
    try await perform(
      .extended(SFTPExtension.posixRename) {
        $0.add(source)
        $0.add(target)
      },
      target
    )
  }

  /// Renames files to free names, all of them in one round trip.
  public func rename(_ renames: [FileRename]) async -> [FileError?] {
    let answers = await connection.ask(
      renames.map { rename in
        SFTPRequest(.rename) {
          $0.add(rename.source)
          $0.add(rename.target)
        }
      }
    )
    let renamed = answers.map { answer -> Result<Void?, FileError> in
      do throws(FileError) {
        return .success(try SFTPConnection.check(try answer.get()))
      } catch { return .failure(error) }
    }
    let results = await Self.settled(renamed) { index, error throws(FileError) in
      throw await self.explained(
        error ?? FileError(.cancelled),
        renames[index].target,
        isMaking: true
      )
    }
    return results.map { result in
      if case .failure(let error) = result { return error }
      return nil
    }
  }

  /// Makes a symbolic link.
  public func makeSymbolicLink(_ path: RemotePath, to target: [UInt8]) async throws(FileError) {
    try await perform(
      SFTPRequest(.symbolicLink) {
        // OpenSSH and all that follow it take the target first, unlike the draft (its PROTOCOL, 4.1).
        $0.add(string: target)
        $0.add(path)
      },
      path,
      isMaking: true
    )
  }

  /// Makes another name for a file.
  public func makeHardLink(_ path: RemotePath, to existing: RemotePath) async throws(FileError) {
    guard abilities.contains(.hardLinks) else { throw FileError(.unsupported, path: path) }
    try await perform(
      .extended(SFTPExtension.hardLink) {
        $0.add(existing)
        $0.add(path)
      },
      path,
      isMaking: true
    )
  }

  /// Changes attributes.
  public func change(
    _ path: RemotePath,
    _ change: FileAttributeChange,
    followingLinks: Bool
  ) async throws(FileError) {
    guard followingLinks || abilities.contains(.linkAttributes) else {
      throw FileError(.unsupported, path: path)
    }
    if let times = change.times, SFTPAttributes.wireTimes(times) == nil {
      throw FileError(.unsupported, path: path, text: "a time before 1970 or after 2106")
    }
    let request =
      followingLinks
      ? SFTPRequest(.setStatus) {
        $0.add(path)
        $0.add(change)
      }
      : .extended(SFTPExtension.linkSetStatus) {
        $0.add(path)
        $0.add(change)
      }
    try await perform(request, path)
  }

  // MARK: Reasons

  /// A reason for an error that the server calls "failure" only.
  ///
  /// Asks what stands at the path and how full the disk is; when that tells nothing, the error stays as it is.
  func explained(
    _ error: FileError,
    _ path: RemotePath,
    isMaking: Bool = false
  ) async -> FileError {
    let isWrite = error.reason == .writeRefused
    guard error.reason == .failed || isWrite, !Task.isCancelled else { return error.about(path) }
    var result = error.about(path)
    // These are only asked for a better word: that they fail does not matter.
    if isMaking, !isWrite, (try? await attributes(of: path, followingLinks: false)) != nil {
      result.reason = .exists
      return result
    }
    if let space = try? await space(at: path.parent ?? path) {
      if space.isReadOnly {
        result.reason = .readOnly
      } else if space.available < 65_536 || space.availableFiles == 0 {
        result.reason = .diskFull
      }
    } else if isWrite {
      // Nothing is known of its room.
      result.reason = .failed
    }
    return result
  }
}
