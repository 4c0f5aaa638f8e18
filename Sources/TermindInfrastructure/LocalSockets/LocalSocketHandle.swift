internal import CLinux
internal import Glibc

/// What went wrong on a local socket.
public enum LocalSocketError: Error, Hashable, Sendable {
  /// Nobody listens at the path: it is absent, or its server is dead.
  case absent
  /// The path is longer than a socket address can be.
  case pathTooLong(path: String)
  /// The peer runs as another user.
  case foreignPeer(user: UInt32)
  /// The peer has gone.
  case closed
  /// The system refused; the diagnostic names the call and its text.
  case failed(diagnostic: String)
}

/// What one receive brought.
public struct LocalSocketInput: Sendable {
  /// The bytes; empty means that the peer closed its side.
  public var bytes: [UInt8]
  /// Descriptors that came with them, close-on-exec.
  public var descriptors: [OwnedDescriptor]
}

/// A connected or listening Unix stream socket of this machine, able to carry descriptors.
public struct LocalSocket: Sendable {
  /// The open socket, for readiness sources.
  public let descriptor: OwnedDescriptor

  /// Takes over a socket that is already open, such as an inherited one.
  public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  /// Connects to a path; blocks only while the server's backlog is full.
  public static func connect(to path: String) throws(LocalSocketError) -> LocalSocket {
    let socket = try make(nonblocking: false)
    guard unsafe tm_connect_path(socket.descriptor.number, path) == 0 else {
      switch errno {
      case ENOENT, ECONNREFUSED: throw .absent
      case ENAMETOOLONG: throw .pathTooLong(path: path)
      default: throw .failed(diagnostic: "connect \(path): \(SystemText.last())")
      }
    }
    return socket
  }

  /// Listens at a path, replacing a file that stands there.
  ///
  /// The caller holds the lock that makes it the only server of this path, and the directory belongs
  /// to this user alone.
  public static func listen(at path: String, backlog: Int32 = 64) throws(LocalSocketError)
    -> LocalSocket
  {
    let socket = try make(nonblocking: true)
    _ = unsafe unlink(path)
    guard unsafe tm_bind_path(socket.descriptor.number, path) == 0 else {
      if errno == ENAMETOOLONG { throw .pathTooLong(path: path) }
      throw .failed(diagnostic: "bind \(path): \(SystemText.last())")
    }
    _ = unsafe chmod(path, 0o600)
    guard Glibc.listen(socket.descriptor.number, backlog) == 0 else {
      throw .failed(diagnostic: "listen \(path): \(SystemText.last())")
    }
    return socket
  }

  /// Removes the file of a socket; one that is absent needs nothing.
  public static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Whether a file stands at the path of a socket, somebody behind it or not.
  public static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Two sockets that are connected with each other, both blocking.
  public static func pair() throws(LocalSocketError) -> (LocalSocket, LocalSocket) {
    var numbers: [Int32] = [-1, -1]
    guard unsafe tm_stream_pair(&numbers) == 0 else {
      throw .failed(diagnostic: "socketpair: \(SystemText.last())")
    }
    return (
      LocalSocket(OwnedDescriptor(adopting: numbers[0])),
      LocalSocket(OwnedDescriptor(adopting: numbers[1]))
    )
  }

  /// The next waiting connection, not blocking; `nil` when none waits.
  public func accept() throws(LocalSocketError) -> LocalSocket? {
    let number = tm_accept(descriptor.number)
    if number >= 0 { return LocalSocket(OwnedDescriptor(adopting: number)) }
    switch errno {
    case EAGAIN, EINTR, ECONNABORTED: return nil
    default: throw .failed(diagnostic: "accept: \(SystemText.last())")
    }
  }

  /// Makes every later call return at once.
  public func setNonblocking() { _ = tm_set_nonblocking(descriptor.number, 1) }

  /// The process at the other end.
  ///
  /// - Returns: The number of the process that connected.
  /// - Throws: `.foreignPeer` when it runs as another user.
  @discardableResult public func checkPeer() throws(LocalSocketError) -> Int32 {
    var user: uid_t = 0
    var process: pid_t = 0
    guard unsafe tm_peer_credentials(descriptor.number, &user, &process) == 0 else {
      throw .failed(diagnostic: "peer credentials: \(SystemText.last())")
    }
    guard user == geteuid() else { throw .foreignPeer(user: user) }
    return process
  }

  /// Sends what fits now.
  ///
  /// - Parameters:
  ///   - bytes: The bytes; must not be empty.
  ///   - descriptors: At most eight, sent with the first byte.
  /// - Returns: How many bytes went, 0 when a socket that does not block is full.
  /// - Throws: `.closed` once the peer has gone.
  public func send(_ bytes: ArraySlice<UInt8>, descriptors: [OwnedDescriptor] = [])
    throws(LocalSocketError) -> Int
  {
    let numbers = descriptors.map(\.number)
    while true {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe tm_send(descriptor.number, $0.baseAddress, $0.count, numbers, Int32(numbers.count))
      }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      case EPIPE, ECONNRESET: throw .closed
      default: throw .failed(diagnostic: "send: \(SystemText.last())")
      }
    }
  }

  /// Receives what is there.
  ///
  /// - Parameter limit: The most bytes to take.
  /// - Returns: The input, or `nil` when a socket that does not block has nothing.
  /// - Throws: `.failed` when the socket is broken; a peer that has gone is empty input.
  public func receive(limit: Int = 65_536) throws(LocalSocketError) -> LocalSocketInput? {
    var numbers = [Int32](repeating: -1, count: 8)
    var found: Int32 = 0
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
        count = unsafe tm_receive(descriptor.number, buffer.baseAddress, limit, &numbers, &found)
        used = max(0, count)
      }
      if count >= 0 {
        let descriptors = numbers.prefix(Int(found)).map { OwnedDescriptor(adopting: $0) }
        return LocalSocketInput(bytes: bytes, descriptors: descriptors)
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      case ECONNRESET: return LocalSocketInput(bytes: [], descriptors: [])
      default: throw .failed(diagnostic: "receive: \(SystemText.last())")
      }
    }
  }

  private static func make(nonblocking: Bool) throws(LocalSocketError) -> LocalSocket {
    let number = tm_stream_socket(nonblocking ? 1 : 0)
    guard number >= 0 else { throw .failed(diagnostic: "socket: \(SystemText.last())") }
    return LocalSocket(OwnedDescriptor(adopting: number))
  }
}
