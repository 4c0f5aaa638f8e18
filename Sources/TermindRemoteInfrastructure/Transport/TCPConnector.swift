internal import Glibc
internal import TermindDomain
internal import TermindInfrastructure

/// Connects to the first of several addresses that answers.
///
/// The families alternate, beginning with the resolver's first choice; the next address is tried when one
/// fails or has not answered for a moment, and the others go on meanwhile (RFC 8305).
actor TCPConnector {
  enum Outcome: Sendable {
    /// A connected, non-blocking socket; it is closed when nobody takes it.
    case connected(OwnedDescriptor)
    case failed(ConnectionFailureCause)
    case cancelled
  }

  private struct Attempt {
    let descriptor: Int32
    let watch: DescriptorWatch
  }

  nonisolated let loop: EventLoop
  private let delay: Duration
  private var remaining: [SocketAddress]
  private var attempts: [Int32: Attempt] = [:]
  private var lastFailure: ConnectionFailureCause?
  private var timer: LoopTimer?
  private var continuation: CheckedContinuation<Outcome, Never>?
  private var isCancelled = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(addresses: [SocketAddress], loop: EventLoop, delay: Duration) {
    remaining = Self.interleaved(addresses)
    self.loop = loop
    self.delay = delay
  }

  /// Races the addresses; call it once.
  ///
  /// Cancelling the task ends it at once and closes every socket.
  func connect() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !isCancelled, !Task.isCancelled else {
          return continuation.resume(returning: .cancelled)
        }
        self.continuation = continuation
        startNext()
      }
    } onCancel: {
      loop.run { self.assumeIsolated { $0.cancel() } }
    }
  }

  /// Alternates between the families and keeps the order within each.
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let preferred = addresses.filter { $0.family == first.family }
    let others = addresses.filter { $0.family != first.family }
    var result: [SocketAddress] = []
    for index in 0..<max(preferred.count, others.count) {
      if index < preferred.count { result.append(preferred[index]) }
      if index < others.count { result.append(others[index]) }
    }
    return result
  }

  private func cancel() {
    isCancelled = true
    finish(.cancelled)
  }

  private func startNext() {
    timer?.cancel()
    timer = nil
    while continuation != nil, !remaining.isEmpty {
      if start(remaining.removeFirst()) {
        guard !remaining.isEmpty, continuation != nil else { return }
        timer = loop.schedule(after: delay) { [weak self] in
          self?.assumeIsolated { $0.startNext() }
        }
        return
      }
    }
    if attempts.isEmpty { finish(.failed(lastFailure ?? .unreachable("no address"))) }
  }

  /// Starts one attempt; false when it failed at once.
  private func start(_ address: SocketAddress) -> Bool {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else {
      note(errno)
      return false
    }
    let status = unsafe address.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return Int32(-1) }
      return unsafe Glibc.connect(
        descriptor,
        base.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count)
      )
    }
    if status == 0 {
      finish(.connected(OwnedDescriptor(adopting: descriptor)))
      return true
    }
    let code = errno
    do throws(EventLoopError) {
      guard code == EINPROGRESS else { throw .system(operation: "connect", code: code) }
      let watch = try loop.watch(descriptor, for: .writable) { [weak self] _ in
        self?.assumeIsolated { $0.settle(descriptor) }
      }
      attempts[descriptor] = Attempt(descriptor: descriptor, watch: watch)
      return true
    } catch {
      if case .system(_, let code) = error {
        note(code)
      } else {
        lastFailure = .internalError(diagnostic: "connect: \(error)")
      }
      _ = close(descriptor)
      return false
    }
  }

  private func settle(_ descriptor: Int32) {
    guard let attempt = attempts.removeValue(forKey: descriptor) else { return }
    attempt.watch.cancel()
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    if unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) != 0 { code = errno }
    guard code != 0 else {
      return finish(.connected(OwnedDescriptor(adopting: descriptor)))
    }
    _ = close(descriptor)
    note(code)
    startNext()
  }

  /// Keeps the failure that tells most: a refusal proves that the host is there.
  private func note(_ code: Int32) {
    switch code {
    case ECONNREFUSED: lastFailure = .refused
    case ETIMEDOUT where lastFailure == nil: lastFailure = .unreachable(systemText(code))
    default: if lastFailure != .refused { lastFailure = .unreachable(systemText(code)) }
    }
  }

  private func finish(_ outcome: Outcome) {
    timer?.cancel()
    timer = nil
    remaining = []
    for attempt in attempts.values {
      attempt.watch.cancel()
      _ = close(attempt.descriptor)
    }
    attempts = [:]
    continuation?.resume(returning: outcome)
    continuation = nil
  }
}
