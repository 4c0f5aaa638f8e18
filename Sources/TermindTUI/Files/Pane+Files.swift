import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

extension PaneContent {
  /// Whose files a pane shows, and where it starts.
  struct FilesTarget {
    /// The server; nil is this machine.
    var host: SSHTarget?
    /// Where it starts; nil is where the host's shells do, else the home directory.
    var directory: RemotePath?
    /// Whether they are what root sees there.
    var isRoot = false

    /// Where it starts, as the server looks it up.
    var start: RemotePath { directory ?? host?.startOfFiles ?? .start }

    /// What the files are called by: the host's name, or `local`.
    var name: String {
      guard let host else { return "local" }
      return isRoot ? "root@\(host.name)" : host.name
    }
    /// The account whose files they are.
    var place: FilePlace {
      guard let host else { return .thisMachine }
      guard isRoot, case .server(let account) = host.place else { return host.place }
      return .server("root by \(account)")
    }
  }
}

extension PaneContent.SSHTarget {
  /// The account, as the owner of its files.
  ///
  /// One address behind two jump hosts is two servers.
  var place: FilePlace { .server(route.text) }

  /// Where its files begin, because its shells do; what is no absolute path is seen from the home directory.
  fileprivate var startOfFiles: RemotePath? {
    guard let path = StartDirectory(shell.directory)?.path else { return nil }
    return RemotePath(path.hasPrefix("~/") ? String(path.dropFirst(2)) : path)
  }
}

/// A pane of files: its connection is opened as that of a terminal is, and its channel speaks SFTP.
extension Pane {
  /// The browser of a pane of files; it outlives connections.
  private func browser(_ target: PaneContent.FilesTarget) -> FilesController {
    if let files { return files }
    let made = FilesController(target, services)
    made.onChange = { [weak self] in
      guard let self else { return }
      observer?.paneChanged(id)
    }
    files = made
    return made
  }

  /// Opens the files that the pane is for.
  func openFiles(
    _ target: PaneContent.FilesTarget,
    _ generation: SessionGeneration,
    silent: Bool
  ) {
    let browser = browser(target)
    guard let host = target.host else {
      let home = RemotePath(services.home) ?? .root
      filesOpened(LocalFileSystem(home: home), browser, generation)
      return
    }
    let prompts = prompter(generation, silent: silent)
    let record = ConnectionRecord(of: host, services, kind: .files)
    attempt = Task { [weak self, services] in
      await services.storeSettled()
      if target.isRoot, let (files, shared) = services.rootFiles.use(target.place) {
        // Another pane has become root there: nobody is asked again.
        guard let self, filesOpened(files, browser, generation) else { return await files.close() }
        return watch(shared.files, shared.link, host.route, generation)
      }
      let link = FilesLink()
      do throws(FileError) {
        guard let pool = services.terminals else {
          let failure = services.storeFailure(of: host.route)
          self?.report(.openFailed(.connection(failure)), from: generation)
          return
        }
        let root = target.isRoot ? services.looks.preferences.rootCommand : nil
        let opened = try await link.start(
          host,
          of: pool,
          window: target.isRoot
            ? ByteChannelRequest.bulkWindow : ByteChannelRequest.standardWindow,
          asRootBy: root,
          prompts
        )
        let engine = await pool.engine(of: host.route)
        let files: any RemoteFileSystem =
          target.isRoot ? services.rootFiles.share(opened, link) : opened
        guard let self, filesOpened(files, browser, generation) else {
          return await files.close()
        }
        self.engine = engine
        services.recordConnection(to: host)
        record.connected()
        self.record = record
        watch(opened, link, host.route, generation)
      } catch {
        let failure = Self.failure(error, link, host.route)
        if !silent, case .connection(let cause) = failure { record.failed(cause) }
        self?.report(.openFailed(failure), from: generation)
      }
    }
  }

  /// Takes files over, unless their attempt was given up meanwhile.
  @discardableResult
  private func filesOpened(
    _ files: any RemoteFileSystem,
    _ browser: FilesController,
    _ generation: SessionGeneration
  ) -> Bool {
    guard adopt(generation) else { return false }
    browser.attach(files)
    return true
  }

  /// Hears of the end of a connection.
  private func watch(
    _ files: SFTPFileSystem,
    _ link: FilesLink,
    _ route: Route,
    _ generation: SessionGeneration
  ) {
    Task { [weak self] in
      let error = await files.waitUntilClosed()
      guard let self, session.generation == generation else { return }
      self.files?.detach()
      record?.ended()
      let failure: ConnectionFailure
      if case .failed(let cause) = link.end {
        failure = cause
      } else if case .protocolBroken = error.reason {
        failure = Self.failure(
          route,
          .internalError(diagnostic: ErrorText.sentence(error))
        )
      } else {
        // The server's process for the files ended, with or without the connection.
        failure = Self.failure(route, .lost(reason: "the SFTP server has ended"))
      }
      report(.ended(.failed(failure)), from: generation)
    }
  }

  static func failure(_ error: FileError, _ link: FilesLink, _ route: Route) -> PaneFailure {
    switch error.reason {
    case .noFileAccess, .noRootAccess, .startUpText, .protocolBroken: return .files(error)
    default: break
    }
    if let failure = link.failure { return .connection(failure) }
    if case .failed(let failure) = link.end { return .connection(failure) }
    switch error.reason {
    case .cancelled: return .connection(failure(route, .cancelled))
    case .connectionLost(let reason): return .connection(failure(route, .lost(reason: reason)))
    default: return .files(error)
    }
  }

  private static func failure(_ route: Route, _ cause: ConnectionFailureCause) -> ConnectionFailure
  {
    ConnectionFailure(
      hopIndex: route.hops.count - 1,
      hopCount: route.hops.count,
      endpoint: route.destination.endpoint,
      step: .connected,
      cause: cause
    )
  }
}
