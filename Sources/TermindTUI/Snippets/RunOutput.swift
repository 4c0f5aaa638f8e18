import TermindApplication
import TermindInfrastructure

/// What a command on a host printed, and how it ended.
nonisolated final class RunOutput: TerminalOutputReceiving {
  /// Most bytes that are kept of one host; what comes later is dropped, and that is said.
  static let limit = 256 << 10

  private struct State {
    var bytes: [UInt8] = []
    var isCut = false
    var end: TerminalChannelEnd?
    var waiter: CheckedContinuation<TerminalChannelEnd, Never>?
  }

  private let state = Locked(State())
  private let changed: @Sendable () -> Void

  /// Begins to take output; `changed` is called on the channel's loop.
  init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

  /// What has come so far, and whether some was dropped.
  var text: (bytes: [UInt8], isCut: Bool) { state.withLock { ($0.bytes, $0.isCut) } }

  func received(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      let room = Self.limit - state.bytes.count
      if bytes.count > room { state.isCut = true }
      unsafe state.bytes.append(contentsOf: bytes.prefix(max(room, 0)))
    }
    changed()
  }

  func ended(_ end: TerminalChannelEnd) {
    let waiter = state.withLock { state in
      state.end = end
      return state.waiter.take()
    }
    waiter?.resume(returning: end)
  }

  /// Suspends until the command has ended; asked for once.
  func end() async -> TerminalChannelEnd {
    await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        if state.end == nil { state.waiter = continuation }
        return state.end
      }
      if let end { continuation.resume(returning: end) }
    }
  }
}
