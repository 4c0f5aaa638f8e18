import TermindApplication
import TermindDomain
import TermindRemoteInfrastructure

/// Files of root that are open: whoever wants them while they are shares the connection, so that nobody is asked again.
///
/// A connection lives until the last of those who use it has closed it, or until it is lost.
final class RootFiles {
  /// A connection.
  final class Shared {
    let files: SFTPFileSystem
    let link: FilesLink
    fileprivate var users = 0

    fileprivate init(_ files: SFTPFileSystem, _ link: FilesLink) {
      self.files = files
      self.link = link
    }
  }

  private var open: [FilePlace: Shared] = [:]

  /// The files of an account that became root, where there are any.
  func use(_ place: FilePlace) -> (files: any RemoteFileSystem, shared: Shared)? {
    guard let shared = open[place] else { return nil }
    return (handle(shared), shared)
  }

  /// Shares a new connection with whoever comes later.
  ///
  /// - Parameters:
  ///   - files: Its files.
  ///   - link: Its channel.
  /// - Returns: The files, to be closed like others.
  func share(_ files: SFTPFileSystem, _ link: FilesLink) -> any RemoteFileSystem {
    let shared = Shared(files, link)
    open[files.place] = shared
    Task { [weak self] in
      _ = await files.waitUntilClosed()
      self?.forget(shared)
    }
    return handle(shared)
  }

  private func handle(_ shared: Shared) -> any RemoteFileSystem {
    shared.users += 1
    return RecoveringFileSystem(shared.files) { [weak self] in await self?.leave(shared) }
  }

  private func leave(_ shared: Shared) async {
    shared.users -= 1
    guard shared.users == 0 else { return }
    forget(shared)
    await shared.files.close()
  }

  private func forget(_ shared: Shared) {
    if open[shared.files.place] === shared { open[shared.files.place] = nil }
  }
}
