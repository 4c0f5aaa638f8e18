internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// One order to a master over a control connection of its own, up to its answer; on the master's loop.
final class MuxOrder: Sendable {
  private struct State {
    var input: [UInt8] = []
    var hasGreeted = false
    var watch: DescriptorWatch?
    var timer: LoopTimer?
    var continuation: CheckedContinuation<MuxMessage.Reply, Never>?
  }

  private static let number: UInt32 = 1
  private let socket: LocalSocket
  private let message: [UInt8]
  private let state = Locked(State())

  private init(_ socket: LocalSocket, _ message: [UInt8]) {
    self.socket = socket
    self.message = message
  }

  /// Makes the order.
  ///
  /// - Parameters:
  ///   - path: The control socket.
  ///   - loop: The loop on which the answer is awaited.
  ///   - limit: How long the server may take.
  ///   - message: Makes the message for a request number.
  /// - Returns: The answer; a text that tells why there is none is a refusal.
  static func send(
    to path: String,
    on loop: EventLoop,
    within limit: Duration,
    _ message: (UInt32) -> [UInt8]
  ) async -> MuxMessage.Reply {
    let order: MuxOrder
    do throws(LocalSocketError) {
      let socket = try LocalSocket.connect(to: path)
      try socket.checkPeer()
      socket.setNonblocking()
      order = MuxOrder(socket, message(number))
    } catch {
      return .refused("the control socket of ssh: \(error)")
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        order.state.withLock { $0.continuation = continuation }
        order.begin(on: loop, within: limit)
      }
    } onCancel: {
      order.finish(.refused("cancelled"))
    }
  }

  private func begin(on loop: EventLoop, within limit: Duration) {
    do {
      // Both fit a fresh socket at once.
      _ = try socket.send(MuxMessage.greeting()[...])
      _ = try socket.send(message[...])
      let watch = try loop.watch(socket.descriptor.number, for: .readable) { [self] _ in read() }
      let timer = loop.schedule(after: limit) { [weak self] in
        self?.finish(.refused("no answer within \(limit.wholeSeconds) s"))
      }
      let isLate = state.withLock { state in
        state.watch = watch
        state.timer = timer
        return state.continuation == nil
      }
      if isLate { end() }
    } catch {
      finish(.refused("the control socket of ssh: \(error)"))
    }
  }

  private func read() {
    let input = try? socket.receive()
    // `try?`: a socket that is broken has no answer either.
    guard let input else { return }
    guard !input.bytes.isEmpty else { return finish(.refused("ssh closed its control socket")) }
    state.withLock { $0.input += input.bytes }
    while let content = next() {
      do throws(WireError) {
        let reply = try MuxMessage.reply(content, to: Self.number)
        if case .hello = reply { continue }
        return finish(reply)
      } catch {
        return finish(.refused(error.reason))
      }
    }
  }

  private func next() -> [UInt8]? {
    state.withLock { state in
      var reader = WireReader(state.input)
      // `try?`: what is incomplete is looked at again when more has come.
      guard let content = try? reader.string() else { return nil }
      state.input.removeFirst(reader.position)
      return content
    }
  }

  private func finish(_ reply: MuxMessage.Reply) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    end()
    continuation?.resume(returning: reply)
  }

  private func end() {
    state.withLock { state in
      state.watch?.cancel()
      state.timer?.cancel()
      state.watch = nil
    }
  }
}
