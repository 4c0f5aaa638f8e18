import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

extension Services {
  /// Opens files beside those of any pane; nobody is asked anything, so a server must be connected or let in silently.
  func openTransferEnd(
    _ target: PaneContent.FilesTarget
  ) async throws(TransferOpenFailure) -> any RemoteFileSystem {
    guard let host = target.host else {
      return LocalFileSystem(home: RemotePath(home) ?? .root)
    }
    guard let pool = terminals else {
      throw TransferOpenFailure(FileError(.connectionLost("the store is not open")))
    }
    if target.isRoot, let (files, _) = rootFiles.use(target.place) { return files }
    let link = FilesLink()
    do throws(FileError) {
      return try await link.start(
        host,
        of: pool,
        window: ByteChannelRequest.bulkWindow,
        asRootBy: target.isRoot ? looks.preferences.rootCommand : nil,
        PanePrompter()
      )
    } catch {
      guard let cause = link.failure?.cause else { throw TransferOpenFailure(error) }
      switch cause {
      case .interactionRequired, .hostKeyRejected:
        // Only a pane can ask for what is wanted.
        let text = "\(target.name) asks for something; connect a pane to it first"
        throw TransferOpenFailure(FileError(.connectionLost(text)), cause)
      default: throw TransferOpenFailure(error, cause)
      }
    }
  }

  /// Opens the files of a server or of this machine, without asking anybody.
  func openFiles(
    _ target: PaneContent.FilesTarget
  ) async throws(FileError) -> any RemoteFileSystem {
    do throws(TransferOpenFailure) { return try await openTransferEnd(target) } catch {
      throw error.error
    }
  }

  /// Opens the files of a host; what has to be asked goes to the prompts.
  func openFiles(
    _ host: PaneContent.SSHTarget,
    _ prompts: any ConnectionPrompting
  ) async throws(PaneFailure) -> any RemoteFileSystem {
    guard let pool = terminals else { throw .connection(storeFailure(of: host.route)) }
    let link = FilesLink()
    do throws(FileError) {
      return try await link.start(host, of: pool, window: ByteChannelRequest.bulkWindow, prompts)
    } catch {
      throw Pane.failure(error, link, host.route)
    }
  }
}
