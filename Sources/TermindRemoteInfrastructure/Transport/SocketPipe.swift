internal import CLinux
internal import Glibc
internal import TermindInfrastructure

/// A connected TCP socket as the pipe of a connection.
final class SocketPipe: BytePipe {
  private let descriptor: Int32
  private let watch: DescriptorWatch
  /// Keeps the descriptor open; nil once the pipe is closed.
  private var socket: OwnedDescriptor?

  /// Takes over a non-blocking socket.
  init(
    socket: OwnedDescriptor,
    loop: EventLoop,
    keepalive: Duration,
    count: Int,
    ready: @escaping @Sendable () -> Void
  ) throws(EventLoopError) {
    descriptor = socket.number
    Self.tune(
      descriptor,
      keepalive: keepalive > .zero ? keepalive.wholeSeconds : nil,
      count: count
    )
    watch = try loop.watch(descriptor, for: .readable) { _ in ready() }
    self.socket = socket
  }

  deinit { close() }

  /// Small packets leave at once, and a silent or vanished peer is noticed by the system too.
  private static func tune(_ descriptor: Int32, keepalive seconds: Int?, count: Int) {
    func set(_ level: Int32, _ name: Int32, _ value: Int) {
      var number = Int32(clamping: value)
      // A failure only loses the tuning.
      _ = unsafe setsockopt(descriptor, level, name, &number, socklen_t(MemoryLayout<Int32>.size))
    }
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    guard let seconds else { return }
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, seconds * 2)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, seconds)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, count)
    // What waits in the system cannot be overtaken: a key typed during an upload waits behind this much at most.
    set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 131_072)
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, seconds * (count + 1) * 1_000)
  }

  func read(
    into queue: ByteQueue,
    limit: Int,
    observe: (UnsafeRawBufferPointer) -> Void
  ) -> PipeRead {
    guard socket != nil else { return .ended(.closed) }
    var total = 0
    while total < limit {
      let count = unsafe queue.append(upTo: min(65_536, limit - total)) { room in
        let count = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        if count > 0 { unsafe observe(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        return count
      }
      if count > 0 {
        total += count
        // A short read has emptied the socket.
        if count < 65_536 { break }
        continue
      }
      if total > 0 { break }
      if count == 0 { return .ended(.closed) }
      let code = errno
      if code == EINTR { continue }
      if code == EAGAIN { return .nothing }
      return .ended(.broken(systemText(code)))
    }
    return .bytes(total)
  }

  func write(from queue: ByteQueue) -> PipeEnd? {
    guard socket != nil else { return .closed }
    while !queue.isEmpty {
      let count = unsafe queue.withBytes { bytes in
        unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        queue.remove(first: count)
        continue
      }
      let code = errno
      if code == EINTR { continue }
      return code == EAGAIN ? nil : .broken(systemText(code))
    }
    return nil
  }

  func setInterest(reading: Bool, writing: Bool) {
    // Nothing is watched while nothing may be read: a close would be reported in every turn.
    var interest: DescriptorEvents = reading ? [.readable] : []
    if writing { interest.insert(.writable) }
    watch.setInterest(interest)
  }

  func close() {
    guard socket != nil else { return }
    watch.cancel()
    socket = nil
  }
}

/// The system's words for an error number.
func systemText(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  let status = unsafe strerror_r(code, &buffer, buffer.count)
  guard status == 0 else { return "error \(code)" }
  return String(
    decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
    as: UTF8.self
  )
}
