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
  ///   - prompts: Who is asked what the connection needs.
  /// - Returns: The files.
  /// - Throws: Why there are none; `failure` tells of the connection.
  func start(
    _ host: PaneContent.SSHTarget,
    of pool: TransportPool,
    window: Int = ByteChannelRequest.standardWindow,
    _ prompts: any ConnectionPrompting
  ) async throws(FileError) -> SFTPFileSystem {
    try await SFTPFileSystem.start(place: host.place) { receiver throws(ConnectionFailure) in
      try await self.open(receiver, on: host.route, of: pool, window: window, prompts)
    }
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
