internal import Glibc

/// Wakes a thread that waits in `poll`; its descriptors live as long as any reference.
final class WakeSignal: Sendable {
  let descriptor: Int32
  private let sender: Int32

  init() {
    var pair: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    unsafe _ = socketpair(AF_UNIX, Int32(kind), 0, &pair)
    descriptor = pair[0]
    sender = pair[1]
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if sender >= 0 { _ = close(sender) }
  }

  func send() {
    var byte: UInt8 = 1
    unsafe _ = Glibc.send(sender, &byte, 1, Int32(MSG_NOSIGNAL))
  }
}

/// One blocking connection to an agent, used by one thread.
struct AgentSocket: ~Copyable {
  private let descriptor: Int32
  private let wake: WakeSignal
  private let deadline: ContinuousClock.Instant

  /// Connects to a Unix socket.
  init(
    path: String,
    wake: WakeSignal,
    deadline: ContinuousClock.Instant,
    isCancelled: () -> Bool
  ) throws(AgentError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !name.isEmpty, name.count < capacity, !name.contains(0) else {
      throw .unavailable(diagnostic: "the socket path has \(name.count) bytes")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .unavailable(diagnostic: Self.systemText()) }
    // A full backlog blocks the connection; the send timeout cuts that wait into slices.
    var slice = timeval(tv_sec: 0, tv_usec: 100_000)
    unsafe _ = setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_SNDTIMEO,
      &slice,
      socklen_t(MemoryLayout<timeval>.size)
    )
    while true {
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if result == 0 { break }
      let code = errno
      let failure: AgentError? =
        if code != EAGAIN && code != EINTR {
          .unavailable(diagnostic: Self.systemText())
        } else if isCancelled() {
          .cancelled
        } else if ContinuousClock.now >= deadline {
          .timedOut
        } else {
          nil
        }
      if let failure {
        _ = close(descriptor)
        throw failure
      }
    }
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      _ = close(descriptor)
      throw .unavailable(diagnostic: Self.systemText())
    }
    self.descriptor = descriptor
    self.wake = wake
    self.deadline = deadline
  }

  deinit { _ = close(descriptor) }

  /// Sends a request and reads the reply's content.
  func exchange(_ request: [UInt8]) throws(AgentError) -> [UInt8] {
    try send(request)
    let count = try AgentMessage.replyByteCount(try receive(4))
    return try receive(count)
  }

  private func send(_ bytes: [UInt8]) throws(AgentError) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if count < 0 && errno == EAGAIN {
        try wait(for: POLLOUT)
      } else if count == 0 || errno != EINTR {
        throw .unavailable(diagnostic: Self.systemText())
      }
    }
  }

  private func receive(_ count: Int) throws(AgentError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let result = unsafe bytes.withUnsafeMutableBytes { memory in
        unsafe recv(
          descriptor,
          memory.baseAddress.map { unsafe $0 + received },
          count - received,
          0
        )
      }
      if result > 0 {
        received += result
      } else if result == 0 {
        throw .unavailable(diagnostic: "the agent closed the connection")
      } else if errno == EAGAIN {
        try wait(for: POLLIN)
      } else if errno != EINTR {
        throw .unavailable(diagnostic: Self.systemText())
      }
    }
    return bytes
  }

  private func wait(for events: Int32) throws(AgentError) {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { throw .timedOut }
    let milliseconds =
      left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
    var waits = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&waits, 2, Int32(clamping: milliseconds + 1))
    if waits[1].revents != 0 { throw .cancelled }
  }

  private static func systemText() -> String {
    let code = errno
    return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
