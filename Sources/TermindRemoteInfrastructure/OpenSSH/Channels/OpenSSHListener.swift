internal import Glibc
internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// A place at which a server listens for us, by a forwarding of the master that leads to a private socket.
///
/// The order goes over a control connection of its own: in proxy mode answers to global requests are not passed on.
final class OpenSSHListener: RemoteListener {
  private struct State {
    var address: RemoteListenAddress
    var watch: DescriptorWatch?
    var isOver = false
  }

  let number: UInt32
  let path: String
  /// What the server was asked for, which also ends it: a port that it chose ends as port 0.
  let asked: RemoteListenAddress
  private let socket: LocalSocket
  private let loop: EventLoop
  private let receiver: any RemoteListenReceiving
  private let master: Int32
  private let whenClosed: @Sendable (OpenSSHListener) async -> Void
  private let state: Locked<State>

  /// Opens the private socket; the server is not asked yet.
  init(
    number: UInt32,
    path: String,
    address: RemoteListenAddress,
    master: Int32,
    loop: EventLoop,
    receiver: any RemoteListenReceiving,
    whenClosed: @escaping @Sendable (OpenSSHListener) async -> Void
  ) throws {
    self.number = number
    self.path = path
    asked = address
    self.loop = loop
    self.receiver = receiver
    self.master = master
    self.whenClosed = whenClosed
    state = Locked(State(address: address))
    socket = try LocalSocket.listen(at: path)
    let watch = try loop.watch(socket.descriptor.number, for: .readable) { [weak self] _ in
      self?.accept()
    }
    state.withLock { $0.watch = watch }
  }

  var address: RemoteListenAddress { state.withLock { $0.address } }

  /// Takes the port that the server chose.
  func took(port: Int) {
    guard case .tcp(let host, _) = asked else { return }
    state.withLock { $0.address = .tcp(host: host, port: port) }
  }

  func close() async {
    guard end() else { return }
    await whenClosed(self)
  }

  /// Tells that the connection is over.
  func stop(_ failure: ConnectionFailure) {
    if end() { receiver.stopped(failure) }
  }

  /// Ends the listening here; false when it had ended already.
  func end() -> Bool {
    let wasOpen = state.withLock { state in
      defer { state.isOver = true }
      state.watch?.cancel()
      state.watch = nil
      return !state.isOver
    }
    if wasOpen { LocalSocket.remove(path) }
    return wasOpen
  }

  private func accept() {
    while let peer = try? socket.accept() {
      // `try?`: a listening socket that fails takes nobody in; the master tells its server so.
      guard (try? peer.checkPeer()) == master else { continue }
      let channel = SocketByteChannel(peer, loop: loop)
      guard let taker = receiver.accepted(channel, from: "") else {
        channel.close()
        continue
      }
      do throws(EventLoopError) {
        try channel.start(taker)
      } catch {
        taker.ended(.closed)
      }
    }
  }
}
