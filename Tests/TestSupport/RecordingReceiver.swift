public import TermindApplication
import TermindDomain
import TermindInfrastructure

/// Keeps what a terminal channel delivers, and lets a test wait for it.
public final class RecordingReceiver: TerminalOutputReceiving {
  private struct State {
    var bytes: [UInt8] = []
    var count = 0
    var ends: [TerminalChannelEnd] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let keeps: Bool
  private let onBytes: (@Sendable (Int) -> Void)?

  /// Makes a receiver.
  ///
  /// - Parameters:
  ///   - keepsBytes: False only counts, for floods.
  ///   - onBytes: Called with each delivery's length, on the loop.
  public init(keepsBytes: Bool = true, onBytes: (@Sendable (Int) -> Void)? = nil) {
    keeps = keepsBytes
    self.onBytes = onBytes
  }

  /// Takes output.
  public func received(_ bytes: UnsafeRawBufferPointer) {
    let copy = keeps ? [UInt8](bytes) : []
    let count = bytes.count
    onBytes?(count)
    wake { state in
      state.bytes += copy
      state.count += count
    }
  }

  /// Takes the end.
  public func ended(_ end: TerminalChannelEnd) {
    wake { $0.ends.append(end) }
  }

  /// Everything so far, as text.
  public var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

  /// How many bytes have come.
  public var count: Int { state.withLock { $0.count } }

  /// Every end that was delivered; there may only be one.
  public var ends: [TerminalChannelEnd] { state.withLock { $0.ends } }

  /// Suspends until the output contains a text.
  public func wait(for part: String) async throws {
    try await wait("'\(part)' in '\(text.suffix(400))'") { $0.text.contains(part) }
  }

  /// Suspends until at least this many bytes have come.
  public func wait(forBytes number: Int) async throws {
    try await wait("\(number) bytes") { $0.count >= number }
  }

  /// Suspends until the channel has ended.
  public func waitForEnd() async throws -> TerminalChannelEnd {
    try await wait("the end of a channel") { !$0.ends.isEmpty }
    return ends[0]
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func wait(
    _ what: String,
    _ condition: @escaping @Sendable (RecordingReceiver) -> Bool
  ) async throws {
    try await withDeadline(what) { [self] in
      while !condition(self) {
        let before = state.withLock { ($0.count, $0.ends.count) }
        if condition(self) { return }
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            let isNew = state.withLock { state in
              if (state.count, state.ends.count) != before || Task.isCancelled { return true }
              state.waiters.append(continuation)
              return false
            }
            if isNew { continuation.resume() }
          }
        } onCancel: {
          wake { _ in }
        }
        try Task.checkCancellation()
      }
    }
  }
}
