internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// Takes the calls of the channel and hands them to the connection, which lives on the same loop.
///
/// A channel has its receiver before the connection can have the channel: what comes until then is kept.
final class SFTPLink: ByteChannelReceiving {
  /// What came before there was a connection.
  struct Early: Sendable {
    var inputs: [SFTPFrames.Input] = []
    var errorBytes: [UInt8] = []
    var isFinished = false
    var end: TerminalChannelEnd?
  }

  private struct State {
    var frames = SFTPFrames()
    var early = Early()
    var connection: SFTPConnection?
  }

  /// Most pieces kept before there is a connection: a server says nothing before it was asked.
  private static let earlyLimit = 64
  private let state = Locked(State())

  /// Takes the connection, on its loop.
  ///
  /// - Returns: What came before.
  func attach(_ connection: SFTPConnection) -> Early {
    state.withLock { state in
      state.connection = connection
      defer { state.early = Early() }
      return state.early
    }
  }

  private func connection(orKeep keep: (inout Early) -> Void) -> SFTPConnection? {
    state.withLock { state in
      if let connection = state.connection { return connection }
      keep(&state.early)
      return nil
    }
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    let (connection, input) = state.withLock { state in
      let input = unsafe state.frames.append(bytes)
      if state.connection == nil, state.early.inputs.count < Self.earlyLimit {
        state.early.inputs.append(input)
      }
      return (state.connection, input)
    }
    guard !input.isEmpty else { return }
    connection?.assumeIsolated { $0.received(input) }
  }

  func receivedError(_ bytes: UnsafeRawBufferPointer) {
    let copy = unsafe Array(bytes.prefix(4096))
    connection { $0.errorBytes = copy }?.assumeIsolated { $0.receivedError(copy) }
  }

  func finishedReceiving() {
    connection { $0.isFinished = true }?.assumeIsolated { $0.finishedReceiving() }
  }

  func mayContinueSending() {
    connection { _ in }?.assumeIsolated { $0.flush() }
  }

  func ended(_ end: TerminalChannelEnd) {
    connection { $0.end = end }?.assumeIsolated { $0.ended(end) }
    state.withLock { $0.connection = nil }
  }
}
