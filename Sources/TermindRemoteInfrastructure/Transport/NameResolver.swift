internal import Glibc
internal import TermindDomain
internal import TermindInfrastructure

/// One address of a host, ready for `connect`.
struct SocketAddress: Hashable, Sendable {
  var family: Int32
  /// The system's `sockaddr` of that family.
  var bytes: [UInt8]

  var isIPv6: Bool { family == AF_INET6 }
}

/// Resolves names off the loops, on a few short-lived threads.
///
/// The system's resolver cannot be stopped; a cancelled or late answer is dropped, and at most
/// `maximumThreads` of them run at once, later ones queue.
final class NameResolver: Sendable {
  enum Outcome: Hashable, Sendable {
    case addresses([SocketAddress])
    case unknown(String)
    case cancelled
  }

  static let maximumThreads = 8

  private struct Request: Sendable {
    let number: UInt64
    let host: String
    let port: UInt16
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var numbers: UInt64 = 0
    var threads = 0
    var queue: [Request] = []
    var running: [UInt64: Request] = [:]
    var cancelledEarly: Set<UInt64> = []
  }

  private let state = Locked(State())
  private let lookUp: @Sendable (String, UInt16) -> Outcome

  /// Makes a resolver; tests pass a look-up of their own.
  init(lookUp: @escaping @Sendable (String, UInt16) -> Outcome = NameResolver.systemLookUp) {
    self.lookUp = lookUp
  }

  /// The addresses of a host in the system's order; ends at once with `.cancelled` when the task is cancelled.
  ///
  /// A numeric address needs neither a thread nor the network, and is there at once.
  func resolve(_ endpoint: SSHEndpoint) async -> Outcome {
    if case .addresses(let found) = Self.lookUp(endpoint.host, endpoint.port, AI_NUMERICHOST) {
      return .addresses(found)
    }
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    defer { state.withLock { _ = $0.cancelledEarly.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(
          Request(
            number: number,
            host: endpoint.host,
            port: endpoint.port,
            continuation: continuation
          )
        )
      }
    } onCancel: {
      let request = state.withLock { state -> Request? in
        if let place = state.queue.firstIndex(where: { $0.number == number }) {
          return state.queue.remove(at: place)
        }
        if let running = state.running.removeValue(forKey: number) { return running }
        state.cancelledEarly.insert(number)
        return nil
      }
      request?.continuation.resume(returning: .cancelled)
    }
  }

  private func enqueue(_ request: Request) {
    enum Next { case cancelled, queued, startThread }
    let next = state.withLock { state -> Next in
      if state.cancelledEarly.remove(request.number) != nil { return .cancelled }
      state.queue.append(request)
      guard state.threads < Self.maximumThreads else { return .queued }
      state.threads += 1
      return .startThread
    }
    switch next {
    case .cancelled: request.continuation.resume(returning: .cancelled)
    case .queued: break
    case .startThread:
      do throws(EventLoopError) {
        try NamedThread.start(name: "resolver") { [self] in work() }
      } catch {
        let mine = state.withLock { state -> Request? in
          state.threads -= 1
          guard let place = state.queue.firstIndex(where: { $0.number == request.number }) else {
            return nil
          }
          return state.queue.remove(at: place)
        }
        mine?.continuation.resume(returning: .unknown("no thread for the resolver"))
      }
    }
  }

  private func work() {
    while true {
      let next = state.withLock { state -> Request? in
        guard !state.queue.isEmpty else {
          state.threads -= 1
          return nil
        }
        let request = state.queue.removeFirst()
        state.running[request.number] = request
        return request
      }
      guard let next else { return }
      let outcome = lookUp(next.host, next.port)
      let mine = state.withLock { $0.running.removeValue(forKey: next.number) }
      mine?.continuation.resume(returning: outcome)
    }
  }

  /// Asks the system; numeric addresses, also with a scope (`fe80::1%eth0`), need no network.
  static let systemLookUp: @Sendable (String, UInt16) -> Outcome = { lookUp($0, $1, 0) }

  private static func lookUp(_ host: String, _ port: UInt16, _ flags: Int32) -> Outcome {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV | flags
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else {
      guard let text = unsafe gai_strerror(status) else { return .unknown("resolver error") }
      return .unknown(unsafe String(cString: text))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var place = unsafe list
    while let entry = unsafe place {
      if let address = unsafe entry.pointee.ai_addr {
        let bytes = unsafe UnsafeRawBufferPointer(
          start: address,
          count: Int(entry.pointee.ai_addrlen)
        )
        let found = unsafe SocketAddress(family: entry.pointee.ai_family, bytes: [UInt8](bytes))
        if !addresses.contains(found) { addresses.append(found) }
      }
      unsafe place = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .unknown("no address") : .addresses(addresses)
  }
}
