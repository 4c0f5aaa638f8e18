internal import TermindApplication
internal import TermindDomain

/// The loop's side of a place at which the server listens; touched by its connection only.
final class ListenerService {
  let handle: SSH2ListenerHandle
  let host: String
  let port: Int
  private var receiver: (any RemoteListenReceiving)?

  init(
    handle: SSH2ListenerHandle,
    host: String,
    port: Int,
    receiver: any RemoteListenReceiving
  ) {
    self.handle = handle
    self.host = host
    self.port = port
    self.receiver = receiver
  }

  /// Offers a connection; nil refuses it.
  func offer(
    _ channel: LibSSH2ByteChannel,
    from originator: String
  ) -> (any ByteChannelReceiving)? {
    receiver?.accepted(channel, from: originator)
  }

  /// Tells that the connection has ended.
  func stop(_ failure: ConnectionFailure) {
    receiver?.stopped(failure)
    receiver = nil
  }

  /// Forgets the receiver, which is told nothing more.
  func forget() { receiver = nil }
}

/// A place at which the server listens, as other threads see it.
final class LibSSH2Listener: RemoteListener {
  let address: RemoteListenAddress
  private let connection: LibSSH2Connection
  private let identity: ObjectIdentifier

  init(
    address: RemoteListenAddress,
    connection: LibSSH2Connection,
    identity: ObjectIdentifier
  ) {
    self.address = address
    self.connection = connection
    self.identity = identity
  }

  func close() async { await connection.stopListening(identity) }
}

// Places at which the server listens for us.
extension LibSSH2Connection {
  /// Asks the server to listen; what is no longer wanted is cancelled there.
  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving,
    isWanted: () -> Bool
  ) async throws(ConnectionFailure) -> LibSSH2Listener {
    guard case .tcp(let host, let port) = address else {
      let obstacle = LibSSH2Transport.obstacle(to: .listeningOnUnixSockets) ?? ""
      throw makeFailure(.unsupported(obstacle: obstacle), at: .openingChannel)
    }
    // libssh2 keeps the state of a listen in the session.
    try await enterListening()
    guard isWanted() else {
      listenings.leave()
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    guard let session else { throw failure ?? makeFailure(.cancelled) }
    mailbox.packets.isListening = true
    let bound = limits.acceptBound
    var opened: (handle: SSH2ListenerHandle, port: Int)?
    let result: SSH2Result
    do throws(ConnectionFailure) {
      result = try await perform {
        let (result, listener) = session.listen(host: host, port: port, bound: bound)
        opened = listener
        return result
      }
    } catch {
      listenings.leave()
      throw error
    }
    listenings.leave()
    if let failure { throw failure }
    guard let opened else {
      guard case .failed(let code, let text) = result,
        case .requestRefused = SSH2Trouble(code: code)
      else { throw failed("listen", 0, "no listener") }
      throw refusal("tcpip-forward", text)
    }
    let service = ListenerService(
      handle: opened.handle,
      host: host,
      port: opened.port,
      receiver: receiver
    )
    let identity = ObjectIdentifier(service)
    listeners.append(service)
    // Connections may have come with the very answer.
    scheduleTurn()
    guard isWanted() else {
      await stopListening(identity)
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    if failure == nil, keepalive.timer == nil { startKeepalive() }
    return LibSSH2Listener(
      address: .tcp(host: host, port: opened.port),
      connection: self,
      identity: identity
    )
  }

  private func enterListening() async throws(ConnectionFailure) {
    if let failure { throw failure }
    if listenings.enter() { return }
    let result: Result<Void, ConnectionFailure> = await withCheckedContinuation { continuation in
      listenings.wait { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  /// Ends a listening; a connection that has ended has ended it already.
  func stopListening(_ identity: ObjectIdentifier) async {
    guard let place = listeners.firstIndex(where: { ObjectIdentifier($0) == identity }) else {
      return
    }
    let service = listeners.remove(at: place)
    service.forget()
    mailbox.packets.forgetOrigins(host: service.host, port: service.port)
    if listeners.isEmpty { mailbox.packets.isListening = false }
    // Only the end of the connection makes it fail, and that is the end of the listening too.
    _ = try? await perform { service.handle.free() }
  }

  /// Takes what the server has accepted for us.
  func acceptConnections() {
    for listener in listeners {
      var taken = 0
      while failure == nil, taken < limits.acceptBound, let handle = listener.handle.accept() {
        taken += 1
        let origin = mailbox.packets.takeOrigin(host: listener.host, port: listener.port)
        let channel = makeByteChannel()
        let words = origin.map { "\($0.from) port \($0.fromPort)" } ?? ""
        guard let receiver = listener.offer(channel, from: words) else {
          channel.end()
          closing.append(handle)
          continue
        }
        channels.append(
          ByteService(handle: handle, channel: channel, isProgram: false, receiver: receiver)
        )
      }
      if taken > 0 {
        mailbox.packets.forgetOrigins(host: listener.host, port: listener.port)
        scheduleTurn()
      }
    }
  }
}
