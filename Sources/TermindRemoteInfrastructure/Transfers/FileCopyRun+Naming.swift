internal import TermindApplication
internal import TermindDomain

extension FileCopyRun {
  /// Gives the temporary file its name.
  ///
  /// In this order: one step that replaces; a plain rename while the name is free; the original moved aside and back on
  /// failure; and on servers without any rename the data written once more under the name, while the temporary file
  /// still holds it.
  /// - Parameter warnings: Gets what is left behind and does no harm.
  /// - Returns: Whether a file was replaced.
  /// - Throws: Why it has no name; the data then stays under the temporary one.
  func name(_ warnings: inout [FileError]) async throws(CopyFailure) -> Bool {
    if request.options.replaces { try await checkOther() }
    if let check = request.beforeNaming {
      do throws(CopyFailure) { try await check(partial) } catch { throw await cleaned(error) }
    }
    let known = warnings
    // Not cut short by a cancelled task: between two of these steps the original may have another name.
    let result = await Task { () -> Result<(Bool, [FileError]), CopyFailure> in
      var warnings = known
      do throws(CopyFailure) {
        return .success((try await nameNow(&warnings), warnings))
      } catch { return .failure(error) }
    }.value
    let hasReplaced: Bool
    (hasReplaced, warnings) = try result.get()
    return hasReplaced
  }

  /// Refuses to replace the source itself: both ends may be one directory by two connections.
  ///
  /// The temporary file has a name that nobody else uses; where it shows beside the source, the source is what would be
  /// replaced.
  private func checkOther() async throws(CopyFailure) {
    guard let own = partial.name, let directory = source.path.parent,
      source.path.name?.text.lowercased() == target.path.name?.text.lowercased()
    else { return }
    do throws(FileError) {
      _ = try await source.files.attributes(of: directory.appending(own), followingLinks: false)
    } catch {
      guard error.reason == .notFound else { throw await cleaned(Self.failure(.verifying, error)) }
      return
    }
    throw await cleaned(CopyFailure(.refused(.ontoItself)))
  }

  private func nameNow(_ warnings: inout [FileError]) async throws(CopyFailure) -> Bool {
    let files = target.files
    do throws(FileError) {
      if !request.options.replaces {
        return try await nameNew(&warnings)
      }
      let isTaken = try await exists(target.path)
      if files.abilities.contains(.replacingRename) {
        do throws(FileError) {
          try await files.rename(partial, to: target.path, replacing: true)
          return isTaken
        } catch {
          guard error.reason == .unsupported else { throw error }
        }
      }
      guard isTaken else { return try await nameNew(&warnings) }
      do throws(FileError) {
        try await moveAside(&warnings)
      } catch {
        guard error.reason == .unsupported else { throw error }
        try await writeAgain(.overwrite(permissions: nil), &warnings)
      }
      return true
    } catch {
      if error.reason == .exists, !request.options.replaces {
        throw await cleaned(CopyFailure(.refused(.exists)))
      }
      var failure = Self.failure(.renaming, error)
      failure.leftBehind = partial
      throw failure
    }
  }

  private func exists(_ path: RemotePath) async throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try await target.files.attributes(of: path, followingLinks: false)
      return true
    } catch {
      guard error.reason == .notFound else { throw error }
      return false
    }
  }

  private func nameNew(_ warnings: inout [FileError]) async throws(FileError) -> Bool {
    do throws(FileError) {
      try await target.files.rename(partial, to: target.path, replacing: false)
    } catch {
      guard error.reason == .unsupported else { throw error }
      try await writeAgain(.create(permissions: nil), &warnings)
    }
    return false
  }

  /// Moves the original aside, the new file to its place, and then the original away; or everything back.
  private func moveAside(_ warnings: inout [FileError]) async throws(FileError) {
    let files = target.files
    guard let name = target.path.name, let directory = target.path.parent else {
      throw FileError(.badName, path: target.path)
    }
    let backup = directory.appending(PartialName.backup(of: name, key: .random(in: 0 ... .max)))
    try await files.rename(target.path, to: backup, replacing: false)
    do throws(FileError) {
      try await files.rename(partial, to: target.path, replacing: false)
    } catch {
      let problem = error
      do throws(FileError) {
        try await files.rename(backup, to: target.path, replacing: false)
      } catch {
        // Both files are there, under these names: whoever reads this can help.
        throw FileError(
          .failed,
          path: target.path,
          text: "the original is now \(backup.text): \(problem.text)"
        )
      }
      throw problem
    }
    do throws(FileError) {
      try await files.removeFile(backup)
    } catch { warnings.append(error.about(backup)) }
  }

  /// For servers that cannot rename: writes the target itself, from the temporary file.
  private func writeAgain(
    _ mode: FileOpenMode,
    _ warnings: inout [FileError]
  ) async throws(FileError) {
    let files = target.files
    let input = try await files.open(partial, .read)
    let kept = try await Self.closing(input) { () async throws(FileError) -> FileAttributes in
      let attributes = try await input.attributes()
      let output = try await files.open(target.path, mode)
      let count = try await Self.closing(output) { () async throws(FileError) -> UInt64 in
        let reader = input.reader(from: 0, to: nil)
        let writer = output.writer(at: 0)
        do throws(FileError) {
          var count: UInt64 = 0
          while let bytes = try await reader.next() {
            try await writer.write(bytes)
            count += UInt64(bytes.count)
          }
          try await writer.finish()
          return count
        } catch {
          await writer.stop()
          throw error
        }
      }
      let size = try await files.attributes(of: target.path, followingLinks: true).size
      guard size == nil || size == count, attributes.size == nil || attributes.size == count else {
        throw FileError(.failed, path: target.path, text: "not all of it was stored")
      }
      return attributes
    }
    for change in [
      FileAttributeChange(permissions: permissions(of: kept)),
      FileAttributeChange(times: times(of: kept)),
    ] where !change.isEmpty {
      do throws(FileError) {
        try await files.change(target.path, change, followingLinks: true)
      } catch { warnings.append(error) }
    }
    do throws(FileError) {
      try await files.removeFile(partial)
    } catch { warnings.append(error.about(partial)) }
  }
}
