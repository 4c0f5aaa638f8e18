import TermindApplication
import TermindInfrastructure

/// What a command on a host printed, and how it ended.
nonisolated final class RunOutput: TerminalOutputReceiving {
  /// Most bytes that are kept of one host, the newest; that older ones were dropped is said.
  static let limit = 256 << 10

  private struct State {
    var bytes: [UInt8] = []
    var isCut = false
    var isMarked = false
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

  /// Whether the command said that it can be told to end; the mark is no part of the output.
  var isMarked: Bool { state.withLock(\.isMarked) }

  /// Most bytes that are looked through for the mark; start-up files may print before it.
  private static let markRoom = 65_536

  private static func takeMark(_ state: inout State) {
    guard !state.isMarked, !state.isCut,
      let range = state.bytes.prefix(markRoom).firstRange(of: StoppableCommand.mark)
    else { return }
    state.bytes.removeSubrange(range)
    state.isMarked = true
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
      Self.takeMark(&state)
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
