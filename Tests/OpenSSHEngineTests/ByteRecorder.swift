import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

/// Keeps what a byte channel delivers, and lets a test wait for it.
final class ByteRecorder: ByteChannelReceiving {
  private struct State {
    var bytes: [UInt8] = []
    var count = 0
    var errors: [UInt8] = []
    var hasFinished = false
    var roomCount = 0
    var ends: [TerminalChannelEnd] = []
  }

  private let state = Locked(State())
  private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  private let keeps: Bool

  init(keepsBytes: Bool = true) { keeps = keepsBytes }

  var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }
  var errorText: String { String(decoding: state.withLock { $0.errors }, as: UTF8.self) }
  var count: Int { state.withLock { $0.count } }
  var roomCount: Int { state.withLock { $0.roomCount } }
  var hasFinished: Bool { state.withLock { $0.hasFinished } }
  var ends: [TerminalChannelEnd] { state.withLock { $0.ends } }

  func received(_ bytes: UnsafeRawBufferPointer) {
    let copy = keeps ? [UInt8](bytes) : []
    let count = bytes.count
    change { state in
      state.bytes += copy
      state.count += count
    }
  }

  func receivedError(_ bytes: UnsafeRawBufferPointer) {
    let copy = [UInt8](bytes)
    change { $0.errors += copy }
  }

  func finishedReceiving() { change { $0.hasFinished = true } }

  func mayContinueSending() { change { $0.roomCount += 1 } }

  func ended(_ end: TerminalChannelEnd) { change { $0.ends.append(end) } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock(body)
    changes.continuation.yield()
  }

  /// Suspends until something holds; one waiter at a time.
  func wait(
    _ what: String,
    until condition: @escaping @Sendable (ByteRecorder) -> Bool
  ) async throws {
    try await withDeadline(what) { [self] in
      if condition(self) { return }
      for await _ in changes.stream where condition(self) { return }
      try Task.checkCancellation()
    }
  }

  func wait(for part: String) async throws {
    try await wait("'\(part)'") { $0.text.contains(part) }
  }

  func waitForEnd() async throws -> TerminalChannelEnd {
    try await wait("the end of a channel") { !$0.ends.isEmpty }
    return ends[0]
  }
}

/// Takes the connections of a remote listener and answers each with a greeting.
final class GreetingListener: RemoteListenReceiving {
  private let recorder: ByteRecorder
  private let stops = Locked<[ConnectionFailure]>([])

  init(_ recorder: ByteRecorder) { self.recorder = recorder }

  var failures: [ConnectionFailure] { stops.withLock { $0 } }

  func accepted(
    _ channel: any ByteChannel,
    from originator: String
  ) -> (any ByteChannelReceiving)? {
    channel.send(Array("hello\n".utf8))
    channel.finishSending()
    return recorder
  }

  func stopped(_ failure: ConnectionFailure) { stops.withLock { $0.append(failure) } }
}
