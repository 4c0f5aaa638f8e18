import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// Stands between a channel and the SFTP client, and remembers how an attempt failed or the channel ended.
nonisolated final class FilesLink: ByteChannelReceiving {
  private struct State {
    var receiver: (any ByteChannelReceiving)?
    var failure: ConnectionFailure?
    var end: TerminalChannelEnd?
  }

  private let state = Locked(State())

  /// Why no channel could be opened.
  var failure: ConnectionFailure? { state.withLock { $0.failure } }
  /// How the channel ended.
  var end: TerminalChannelEnd? { state.withLock { $0.end } }

  /// Starts SFTP with an account on a channel of its own.
  ///
  /// - Parameters:
  ///   - host: The account, and the way to it.
  ///   - pool: Has or makes the connection.
  ///   - window: How much the server may send before it was taken; copies take more than a list.
  ///   - command: What runs the SFTP server as root; nil is the account's own SFTP.
  ///   - prompts: Who is asked what the connection needs.
  /// - Returns: The files.
  /// - Throws: Why there are none; `failure` tells of the connection.
  func start(
    _ host: PaneContent.SSHTarget,
    of pool: TransportPool,
    window: Int = ByteChannelRequest.standardWindow,
    asRootBy command: String? = nil,
    _ prompts: any ConnectionPrompting
  ) async throws(FileError) -> SFTPFileSystem {
    let place = await PaneContent.FilesTarget(host: host, isRoot: command != nil).place
    return try await SFTPFileSystem.start(
      place: place,
      // Becoming root takes a person; one channel has to do.
      more: command == nil ? Self.more(host.route, pool, window, await PanePrompter()) : nil
    ) { receiver throws(ConnectionFailure) in
      self.state.withLock { $0.receiver = receiver }
      do throws(ConnectionFailure) {
        let login = command.map { (RootLogin(self), $0) }
        let channel = try await pool.openChannel(
          on: host.route,
          login.map { .command($0.command($1)) } ?? .subsystem("sftp"),
          window: window,
          receiver: login.map { $0.0 as any ByteChannelReceiving } ?? self,
          prompts: prompts
        )
        if let (login, _) = login { try await Self.pass(login, channel, host.route, prompts) }
        return channel
      } catch {
        self.state.withLock { $0.failure = error }
        throw error
      }
    }
  }

  private static func more(
    _ route: Route,
    _ pool: TransportPool,
    _ window: Int,
    _ silent: PanePrompter
  ) -> SFTPFileSystem.ChannelOpening {
    { receiver throws(ConnectionFailure) in
      try await pool.openChannel(
        on: route,
        .subsystem("sftp"),
        window: window,
        receiver: receiver,
        prompts: silent
      )
    }
  }

  private static func pass(
    _ login: RootLogin,
    _ channel: any ByteChannel,
    _ route: Route,
    _ prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) {
    do throws(RootLogin.Failure) {
      try await login.pass(channel, at: HopContext(of: route), prompts)
    } catch { throw failure(error, route) }
  }

  private static func failure(_ failure: RootLogin.Failure, _ route: Route) -> ConnectionFailure {
    let cause: ConnectionFailureCause
    switch failure {
    case .lost(let failure): return failure
    case .refused(let text):
      cause = .channelRefused(request: SFTPFileSystem.rootChannel, reason: text)
    case .needsPerson: cause = .interactionRequired("a password to become root")
    case .cancelled: cause = .cancelled
    }
    return ConnectionFailure(
      hopIndex: route.hops.count - 1,
      hopCount: route.hops.count,
      endpoint: route.destination.endpoint,
      step: .connected,
      cause: cause
    )
  }

  private var receiver: (any ByteChannelReceiving)? { state.withLock { $0.receiver } }

  func received(_ bytes: UnsafeRawBufferPointer) { unsafe receiver?.received(bytes) }
  func receivedError(_ bytes: UnsafeRawBufferPointer) { unsafe receiver?.receivedError(bytes) }
  func finishedReceiving() { receiver?.finishedReceiving() }
  func mayContinueSending() { receiver?.mayContinueSending() }

  func ended(_ end: TerminalChannelEnd) {
    let receiver = state.withLock { state in
      state.end = end
      return state.receiver
    }
    receiver?.ended(end)
  }
}
