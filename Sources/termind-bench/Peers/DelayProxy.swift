import Glibc
import TermindInfrastructure

/// A loopback port that leads to another one as over a long line: what goes in comes out half a round trip later.
final class DelayProxy {
  let port: Int
  private let listener: OwnedDescriptor
  private let open: Locked<[OwnedDescriptor]>

  /// Listens on a free port.
  ///
  /// - Parameters:
  ///   - target: The port of this machine that it leads to.
  ///   - roundTrip: How long a byte and its answer take.
  /// - Throws: `.failed` when the system has no socket or thread.
  init(to target: Int, roundTrip: Duration) throws(BenchError) {
    listener = try Self.socket()
    port = try Self.listen(listener)
    let (listener, delay) = (listener, roundTrip / 2)
    let open = Locked<[OwnedDescriptor]>([])
    self.open = open
    try Self.thread {
      while true {
        let number = accept(listener.number, nil, nil)
        guard number >= 0 else {
          if errno == EINTR || errno == ECONNABORTED { continue }
          return
        }
        let client = OwnedDescriptor(adopting: number)
        do throws(BenchError) {
          let server = try Self.connect(to: target)
          open.withLock { $0 += [client, server] }
          try Self.thread { DelayLine(from: client, to: server, delay: delay).run() }
          try Self.thread { DelayLine(from: server, to: client, delay: delay).run() }
        } catch {
          // The client sees its connection end, which fails the case.
          _ = shutdown(client.number, Int32(SHUT_RDWR))
        }
      }
    }
  }

  deinit {
    // Wakes every thread, which then ends.
    _ = shutdown(listener.number, Int32(SHUT_RDWR))
    for descriptor in open.withLock({ $0 }) { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
  }

  private static func thread(_ main: @escaping @Sendable () -> Void) throws(BenchError) {
    do throws(EventLoopError) {
      try NamedThread.start(name: "delay", main)
    } catch {
      throw .failed(step: "start a thread", diagnostic: "\(error)")
    }
  }

  private static func socket() throws(BenchError) -> OwnedDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let number = Glibc.socket(AF_INET, kind, 0)
    guard number >= 0 else { throw .failed(step: "make a socket", diagnostic: "error \(errno)") }
    return OwnedDescriptor(adopting: number)
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func listen(_ socket: OwnedDescriptor) throws(BenchError) -> Int {
    var address = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard unsafe bind(socket.number, generic, length) == 0, Glibc.listen(socket.number, 64) == 0
        else { return Int32(-1) }
        return unsafe getsockname(socket.number, generic, &length)
      }
    }
    guard status == 0 else { throw .failed(step: "listen", diagnostic: "error \(errno)") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func connect(to port: Int) throws(BenchError) -> OwnedDescriptor {
    let socket = try socket()
    var address = address(port: port)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe Glibc.connect(
          socket.number,
          generic,
          socklen_t(MemoryLayout<sockaddr_in>.size)
        )
      }
    }
    guard status == 0 else { throw .failed(step: "connect", diagnostic: "error \(errno)") }
    return socket
  }
}

/// One direction of a connection through the proxy.
private struct DelayLine {
  /// Most bytes on the line, as many as a fast line of this length holds.
  private static let limit = 67_108_864
  private static let readSize = 262_144

  private let input: OwnedDescriptor
  private let output: OwnedDescriptor
  private let delay: Duration
  private var pieces: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
  /// The first piece that has not gone, and how much of it has.
  private var first = 0
  private var position = 0
  private var byteCount = 0
  private var isOpen = true

  init(from input: OwnedDescriptor, to output: OwnedDescriptor, delay: Duration) {
    self.input = input
    self.output = output
    self.delay = delay
  }

  /// Carries bytes until the input has ended and the last byte is out.
  consuming func run() {
    var on: Int32 = 1
    // Without it only small packets would be held back by the system, on top of the delay.
    _ = unsafe setsockopt(
      output.number,
      Int32(IPPROTO_TCP),
      TCP_NODELAY,
      &on,
      socklen_t(MemoryLayout<Int32>.size)
    )
    var buffer = [UInt8](repeating: 0, count: Self.readSize)
    while isOpen || first < pieces.count {
      let wait = first < pieces.count ? pieces[first].due - .now : .seconds(3600)
      let isDue = wait <= .zero
      var polled = [
        pollfd(
          fd: isOpen && byteCount < Self.limit ? input.number : -1,
          events: Int16(POLLIN),
          revents: 0
        ),
        pollfd(fd: isDue ? output.number : -1, events: Int16(POLLOUT), revents: 0),
      ]
      // Rounded up, as a wait that ends too early would only be begun anew.
      let milliseconds = isDue ? -1 : Int32(clamping: Int(wait.milliseconds.rounded(.up)))
      _ = unsafe poll(&polled, 2, milliseconds)
      if polled[0].revents != 0 { read(&buffer) }
      if polled[1].revents != 0, !write() { break }
    }
    _ = shutdown(output.number, Int32(SHUT_WR))
    // Where nothing can be written, nothing needs to be read.
    if isOpen { _ = shutdown(input.number, Int32(SHUT_RD)) }
  }

  private mutating func read(_ buffer: inout [UInt8]) {
    let count = unsafe recv(input.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else {
      isOpen = false
      return
    }
    pieces.append((.now + delay, Array(buffer[..<count])))
    byteCount += count
  }

  /// Writes what is due; false when nobody reads it any more.
  private mutating func write() -> Bool {
    while first < pieces.count, pieces[first].due <= .now {
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let count = unsafe pieces[first].bytes.withUnsafeBytes { bytes in
        unsafe send(
          output.number,
          bytes.baseAddress?.advanced(by: position),
          bytes.count - position,
          flags
        )
      }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      byteCount -= count
      position += count
      guard position == pieces[first].bytes.count else { continue }
      pieces[first].bytes = []
      first += 1
      position = 0
      if first > 256 {
        pieces.removeFirst(first)
        first = 0
      }
    }
    return true
  }
}
