internal import TermindDomain

/// Finds out whether two file systems are the same files by two ways, with an empty directory of a name that nobody else
/// uses: made in the target, and looked for in the source.
///
/// Two accounts of one server, two names of it, or SFTP to this machine look like two machines; without this a move onto
/// itself would delete, and a directory copied into itself would grow for ever.
actor PlaceMark {
  /// Its name; whoever meets it in the source has met the target.
  nonisolated let name: FileName?
  private let request: TreeCopyRequest
  private var path: RemotePath?
  /// Whether the target's path means the same in the source.
  private(set) var showsTarget = false
  /// Whether the source's directory is the target's.
  private(set) var showsSource = false

  init(_ request: TreeCopyRequest) {
    self.request = request
    name = PartialName.marker(key: .random(in: 0 ... .max))
  }

  /// Makes the mark in the target's directory and looks for it in the source; it stays until it is removed.
  func look(from root: CopyRoot) async {
    guard let name, let directory = root.target.parent else { return }
    let path = directory.appending(name)
    var isAgain = false
    do throws(FileError) {
      try await request.steadily { () async throws(FileError) in
        do throws(FileError) {
          try await request.target.makeDirectory(path, permissions: 0o700)
        } catch {
          // Nobody else uses the name: it was made, and only the answer was lost.
          if isAgain, error.reason == .exists { return }
          isAgain = true
          throw error
        }
      }
    } catch {
      // Where nothing can be made, nothing can be overwritten; the copy tells why. Where only the answer was lost, the
      // mark may be there.
      if error.endsConnection { self.path = path }
      return
    }
    self.path = path
    // Whoever cannot be asked is not the same; the look at each file that is replaced comes on top.
    let resolved = try? await request.steadily { () async throws(FileError) in
      try await request.target.resolve(directory)
    }
    if let resolved { showsTarget = await isThere(resolved.appending(name)) }
    if let parent = root.source.parent { showsSource = await isThere(parent.appending(name)) }
  }

  private func isThere(_ path: RemotePath) async -> Bool {
    let found = try? await request.steadily { () async throws(FileError) in
      try await request.source.attributes(of: path, followingLinks: false)
    }
    return found != nil
  }

  /// Removes it.
  ///
  /// - Returns: Why that is not possible.
  func remove() async -> FileError? {
    guard let path else { return nil }
    self.path = nil
    // Also for a task that was cancelled: what it left has to go.
    return await Task { [request] () -> FileError? in
      do throws(FileError) {
        try await request.steadily { () async throws(FileError) in
          try await request.target.removeDirectory(path)
        }
        return nil
      } catch { return error.reason == .notFound ? nil : error.about(path) }
    }.value
  }
}

extension PlaceMark {
  /// Whether a directory holds another one, or is it, by whatever way both are reached.
  ///
  /// - Parameters:
  ///   - outer: The directory in which the mark is made for a moment; one that is not there holds nothing.
  ///   - inner: The directory above which the mark is looked for.
  /// - Returns: Whether the mark was found.
  /// - Throws: Why that cannot be told.
  static func holds(
    _ outer: FileLocation,
    _ inner: FileLocation
  ) async throws(FileError) -> Bool {
    guard let name = PartialName.marker(key: .random(in: 0 ... .max)) else {
      preconditionFailure("a number makes a name")
    }
    let path = outer.path.appending(name)
    let result: Result<Bool, FileError>
    do throws(FileError) {
      try await outer.files.makeDirectory(path, permissions: 0o700)
      result = .success(try await isAbove(inner, name))
    } catch {
      if error.reason == .notFound, await !isThere(outer) { return false }
      result = .failure(error)
    }
    // Also for a task that was cancelled: what it left has to go. An empty directory that stays does no harm.
    await Task { try? await outer.files.removeDirectory(path) }.value
    return try result.get()
  }

  private static func isAbove(
    _ inner: FileLocation,
    _ name: FileName
  ) async throws(FileError) -> Bool {
    var directory: RemotePath? = try await inner.files.resolve(inner.path)
    while let next = directory {
      do throws(FileError) {
        _ = try await inner.files.attributes(of: next.appending(name), followingLinks: false)
        return true
      } catch { guard error.reason == .notFound else { throw error } }
      directory = next.parent
    }
    return false
  }

  private static func isThere(_ location: FileLocation) async -> Bool {
    // Whatever cannot be looked at may be there.
    do throws(FileError) {
      _ = try await location.files.attributes(of: location.path, followingLinks: true)
      return true
    } catch { return error.reason != .notFound }
  }
}
