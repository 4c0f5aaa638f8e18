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
    do throws(FileError) {
      try await request.target.makeDirectory(path, permissions: 0o700)
    } catch {
      // Where nothing can be made, nothing can be overwritten; the copy tells why. Where only the answer was lost, the
      // mark may be there.
      if error.endsConnection { self.path = path }
      return
    }
    self.path = path
    // Whoever cannot be asked is not the same; the look at each file that is replaced comes on top.
    if let resolved = try? await request.target.resolve(directory) {
      showsTarget = await isThere(resolved.appending(name))
    }
    if let parent = root.source.parent { showsSource = await isThere(parent.appending(name)) }
  }

  private func isThere(_ path: RemotePath) async -> Bool {
    (try? await request.source.attributes(of: path, followingLinks: false)) != nil
  }

  /// Removes it.
  ///
  /// - Returns: Why that is not possible.
  func remove() async -> FileError? {
    guard let path else { return nil }
    self.path = nil
    let files = request.target
    // Also for a task that was cancelled: what it left has to go.
    return await Task { () -> FileError? in
      do throws(FileError) {
        try await files.removeDirectory(path)
        return nil
      } catch { return error.reason == .notFound ? nil : error.about(path) }
    }.value
  }
}
