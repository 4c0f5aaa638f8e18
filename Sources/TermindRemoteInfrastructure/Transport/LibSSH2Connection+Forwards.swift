internal import TermindDomain

/// Names a channel that carries the next hop.
struct ForwardID: Hashable, Sendable {
  let rawValue: UInt64
}

/// The loop's side of a channel that carries the next hop's bytes.
final class ForwardedPipe {
  let handle: SSH2ChannelHandle
  /// Wakes the connection above.
  let notify: @Sendable () -> Void

  init(handle: SSH2ChannelHandle, notify: @escaping @Sendable () -> Void) {
    self.handle = handle
    self.notify = notify
  }
}

/// What reading from a forwarded pipe gave, as a value.
enum ForwardRead: Sendable {
  case bytes([UInt8])
  case nothing
  case ended(PipeEnd)
}

// Channels as the byte pipe of the next hop.
extension LibSSH2Connection {
  /// Opens a channel to an endpoint as this hop sees it.
  ///
  /// - Parameters:
  ///   - endpoint: The next hop.
  ///   - notify: Called on the loop when bytes have come, may be written again, or the pipe has ended.
  /// - Returns: The pipe, for `readForward`, `writeForward` and `closeForward`.
  /// - Throws: `channelRefused` when the hop cannot or may not reach the endpoint, or the hop's own failure.
  func openForward(
    to endpoint: SSHEndpoint,
    notify: @escaping @Sendable () -> Void
  ) async throws(ConnectionFailure) -> ForwardID {
    try await enterOpening()
    defer { openings.leave() }
    // RFC 4254 section 7.2: host, port, originator address, originator port.
    var message = WireWriter()
    message.string(endpoint.host)
    message.uint32(UInt32(endpoint.port))
    message.string("127.0.0.1")
    message.uint32(0)
    let handle = try await openChannel(
      type: "direct-tcpip",
      message: message.bytes,
      window: limits.channelWindow
    )
    if let failure { throw failure }
    forwardNumbers += 1
    let id = ForwardID(rawValue: forwardNumbers)
    forwards[id] = ForwardedPipe(handle: handle, notify: notify)
    return id
  }

  func readForward(_ id: ForwardID, limit: Int) -> ForwardRead {
    if let failure { return .ended(.hopFailed(failure)) }
    guard let forward = forwards[id] else { return .ended(.closed) }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      guard let count = unsafe forward.handle.read(into: scratch) else {
        streamBroke()
        if let failure { return .ended(.hopFailed(failure)) }
        if bytes.isEmpty { return .ended(.closed) }
        break
      }
      guard count > 0 else { break }
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<count]))
    }
    // Reading may have sent a window adjustment.
    flush()
    updateInterest()
    if !bytes.isEmpty { return .bytes(bytes) }
    return forward.handle.isAtEnd ? .ended(.closed) : .nothing
  }

  /// Writes what fits and returns how much that was; nil when the pipe takes no more.
  func writeForward(_ id: ForwardID, _ bytes: [UInt8]) -> Int? {
    guard failure == nil, let forward = forwards[id] else { return nil }
    var written = 0
    while written < bytes.count, mailbox.outbound.count < limits.outboundMark {
      let count = unsafe bytes.withUnsafeBytes { all in
        unsafe forward.handle.write(UnsafeRawBufferPointer(rebasing: all[written...]))
      }
      guard let count else { return nil }
      guard count > 0 else { break }
      written += count
    }
    flush()
    updateInterest()
    return written
  }

  func closeForward(_ id: ForwardID) {
    guard let forward = forwards.removeValue(forKey: id) else { return }
    abandon(forward.handle)
  }
}

/// A channel of the hop before as the pipe of a connection on the same loop.
final class ChannelPipe: BytePipe {
  private let hop: LibSSH2Connection
  private let id: ForwardID
  private var isClosed = false

  init(hop: LibSSH2Connection, id: ForwardID) {
    self.hop = hop
    self.id = id
  }

  func read(
    into queue: ByteQueue,
    limit: Int,
    observe: (UnsafeRawBufferPointer) -> Void
  ) -> PipeRead {
    switch hop.assumeIsolated({ [id] in $0.readForward(id, limit: limit) }) {
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { unsafe observe($0) }
      queue.append(bytes)
      return .bytes(bytes.count)
    case .nothing: return .nothing
    case .ended(let end): return .ended(end)
    }
  }

  func write(from queue: ByteQueue) -> PipeEnd? {
    while !queue.isEmpty {
      let bytes = unsafe queue.withBytes { unsafe [UInt8]($0.prefix(65_536)) }
      let count = hop.assumeIsolated { [id] in $0.writeForward(id, bytes) }
      guard let count else { return .closed }
      guard count > 0 else { return nil }
      queue.remove(first: count)
    }
    return nil
  }

  /// The hop wakes its pipes whenever anything has come or gone, so there is nothing to register.
  func setInterest(reading: Bool, writing: Bool) {}

  func close() {
    guard !isClosed else { return }
    isClosed = true
    hop.assumeIsolated { [id] in $0.closeForward(id) }
  }
}
