import TermindApplication
import TermindInfrastructure

/// What a command on a host printed, and how it ended.
nonisolated final class RunOutput: TerminalOutputReceiving {
  /// Most bytes that are kept of one host, the newest; that older ones were dropped is said.
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
  var text: (bytes: [UInt8], isCut: Bool) {
    state.withLock { state in
      if state.bytes.count > Self.limit { Self.cut(&state) }
      return (state.bytes, state.isCut)
    }
  }

  /// Keeps the newest bytes, from the start of a line on where there is one.
  private static func cut(_ state: inout State) {
    let kept = state.bytes.suffix(limit)
    let start = kept.firstIndex(of: 0x0A).map { $0 + 1 } ?? kept.startIndex
    state.bytes = Array(start < kept.endIndex ? kept[start...] : kept)
    state.isCut = true
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      unsafe state.bytes.append(contentsOf: bytes.suffix(Self.limit))
      // Cut now and then, since that moves what is kept.
      if state.bytes.count > 2 * Self.limit { Self.cut(&state) }
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
