public import TermindApplication
import TermindInfrastructure

/// Keeps what a byte channel delivers, and lets a test wait for it.
public final class RecordingBytes: ByteChannelReceiving {
  /// What has come so far.
  public struct Record: Sendable {
    /// The output; empty when only its length is kept.
    public var bytes: [UInt8] = []
    /// How many bytes of output have come.
    public var count = 0
    /// Standard error.
    public var errors: [UInt8] = []
    /// How often the other end told that it sends no more.
    public var finishes = 0
    /// How often there was room again.
    public var rooms = 0
    /// Every end; there may only be one.
    public var ends: [TerminalChannelEnd] = []
    /// Whether anything came after something that must be last.
    public var isDisorderly = false

    /// The output as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  private struct State {
    var record = Record()
    var changes = 0
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

  /// What has come so far.
  public var record: Record { state.withLock { $0.record } }

  /// Takes output.
  public func received(_ bytes: UnsafeRawBufferPointer) {
    let copy = keeps ? [UInt8](bytes) : []
    let count = bytes.count
    change { record in
      if record.finishes > 0 || !record.ends.isEmpty { record.isDisorderly = true }
      record.bytes += copy
      record.count += count
    }
    onBytes?(count)
  }

  /// Takes standard error.
  public func receivedError(_ bytes: UnsafeRawBufferPointer) {
    let copy = [UInt8](bytes)
    change { record in
      if record.finishes > 0 || !record.ends.isEmpty { record.isDisorderly = true }
      record.errors += copy
    }
  }

  /// Notes that nothing more comes.
  public func finishedReceiving() {
    change { record in
      if !record.ends.isEmpty { record.isDisorderly = true }
      record.finishes += 1
    }
  }

  /// Notes that there is room.
  public func mayContinueSending() {
    change { record in
      if !record.ends.isEmpty { record.isDisorderly = true }
      record.rooms += 1
    }
  }

  /// Takes the end.
  public func ended(_ end: TerminalChannelEnd) { change { $0.ends.append(end) } }

  /// Suspends until something is true of what has come.
  public func wait(
    _ what: String,
    _ condition: @escaping @Sendable (Record) -> Bool
  ) async throws {
    try await withDeadline(what) { [self] in
      while true {
        let (isTrue, before) = state.withLock { (condition($0.record), $0.changes) }
        if isTrue { return }
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            let isNew = state.withLock { state in
              if state.changes != before || Task.isCancelled { return true }
              state.waiters.append(continuation)
              return false
            }
            if isNew { continuation.resume() }
          }
        } onCancel: {
          change { _ in }
        }
        try Task.checkCancellation()
      }
    }
  }

  /// Suspends until the output contains a text.
  public func wait(for part: String) async throws {
    try await wait("'\(part)' in '\(record.text.suffix(400))'") { $0.text.contains(part) }
  }

  /// Suspends until at least this many bytes have come.
  public func wait(forBytes number: Int) async throws {
    try await wait("\(number) bytes") { $0.count >= number }
  }

  /// Suspends until the channel has ended.
  public func waitForEnd() async throws -> TerminalChannelEnd {
    try await wait("the end of a channel") { !$0.ends.isEmpty }
    return record.ends[0]
  }

  private func change(_ body: (inout Record) -> Void) {
    let waiters = state.withLock { state in
      body(&state.record)
      state.changes += 1
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
