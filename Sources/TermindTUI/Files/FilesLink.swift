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
    return try await SFTPFileSystem.start(place: place) { receiver throws(ConnectionFailure) in
      guard let command else {
        return try await self.open(receiver, on: host.route, of: pool, window: window, prompts)
      }
      return try await self.become(command, receiver, host.route, pool, window, prompts)
    }
  }

  /// Opens a channel on which an SFTP server runs as root.
  private func become(
    _ command: String,
    _ receiver: any ByteChannelReceiving,
    _ route: Route,
    _ pool: TransportPool,
    _ window: Int,
    _ prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any ByteChannel {
    state.withLock { $0.receiver = receiver }
    let login = RootLogin(self)
    do throws(ConnectionFailure) {
      let channel = try await pool.openChannel(
        on: route,
        .command(login.command(command)),
        window: window,
        receiver: login,
        prompts: prompts
      )
      let context = HopContext(
        index: route.hops.count - 1,
        count: route.hops.count,
        hop: route.destination
      )
      do throws(RootLogin.Failure) {
        try await login.pass(channel, at: context, prompts)
      } catch { throw Self.failure(error, route) }
      return channel
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
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

  private func open(
    _ receiver: any ByteChannelReceiving,
    on route: Route,
    of pool: TransportPool,
    window: Int,
    _ prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any ByteChannel {
    state.withLock { $0.receiver = receiver }
    do throws(ConnectionFailure) {
      return try await pool.openChannel(
        on: route,
        .subsystem("sftp"),
        window: window,
        receiver: self,
        prompts: prompts
      )
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
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
