internal import TermindApplication
internal import TermindInfrastructure

/// A channel of plain bytes, as other threads see it.
///
/// Every call leaves an order and wakes the connection, which carries it out on its loop.
final class LibSSH2ByteChannel: ByteChannel {
  /// What was ordered since the connection last looked.
  struct Orders: Sendable {
    /// What is to be sent, in pieces that are handed to libssh2 as they are.
    var pieces: [[UInt8]] = []
    var signals: [String] = []
    var isFinished = false
    var isClosed = false
  }

  private struct State {
    var orders = Orders()
    /// Bytes that were accepted and not yet given to libssh2.
    var queued = 0
    var wantsRoom = false
    var isReceiving = true
    var isWakeScheduled = false
  }

  /// Pieces up to this size are joined, so that many small ones become few packets.
  private static let joined = 16_384

  let executor: any SerialExecutor
  private let state = Locked(State())
  private let bound: Int
  private let typing: TypingSign
  private let wake: @Sendable () -> Void

  init(
    executor: any SerialExecutor,
    bound: Int,
    typing: TypingSign,
    wake: @escaping @Sendable () -> Void
  ) {
    self.executor = executor
    self.bound = bound
    self.typing = typing
    self.wake = wake
  }

  var queuedByteCount: Int { state.withLock { $0.queued } }
  var isBesideTyping: Bool { typing.isOn }

  /// Whether bytes may be delivered.
  var isReceiving: Bool { state.withLock { $0.isReceiving } }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    change { state in
      guard !state.orders.isClosed, !state.orders.isFinished else { return false }
      guard !bytes.isEmpty else { return true }
      guard state.queued + bytes.count <= bound else {
        state.wantsRoom = true
        return false
      }
      state.queued += bytes.count
      if state.queued > bound / 2 { state.wantsRoom = true }
      let last = state.orders.pieces.count - 1
      if last >= 0, state.orders.pieces[last].count + bytes.count <= Self.joined {
        state.orders.pieces[last].append(contentsOf: bytes)
      } else {
        state.orders.pieces.append(bytes)
      }
      return true
    }
  }

  func finishSending() {
    change { state in
      guard !state.orders.isFinished else { return false }
      state.orders.isFinished = true
      return true
    }
  }

  func setReceiving(_ isOn: Bool) {
    change { state in
      guard state.isReceiving != isOn else { return false }
      state.isReceiving = isOn
      return isOn
    }
  }

  func signal(_ name: String) {
    change { state in
      guard !state.orders.isClosed else { return false }
      state.orders.signals.append(name)
      return true
    }
  }

  func close() {
    change { state in
      guard !state.orders.isClosed else { return false }
      state.orders.isClosed = true
      return true
    }
  }

  /// Takes what was ordered; the queued count stays until `wrote` lowers it.
  func takeOrders() -> Orders {
    state.withLock { state in
      state.isWakeScheduled = false
      let taken = state.orders
      state.orders.pieces = []
      state.orders.signals = []
      return taken
    }
  }

  /// Notes that queued bytes have gone; true when that makes room for whoever waits for it.
  func wrote(_ count: Int) -> Bool {
    state.withLock { state in
      state.queued -= count
      guard state.wantsRoom, state.queued <= bound / 2 else { return false }
      state.wantsRoom = false
      return true
    }
  }

  /// Refuses everything from now on.
  func end() {
    state.withLock { state in
      state.orders = Orders(isFinished: true, isClosed: true)
      state.queued = 0
    }
  }

  /// Changes the state, and wakes the connection if that is an order to carry out.
  @discardableResult
  private func change(_ body: (inout State) -> Bool) -> Bool {
    let (isTaken, mustWake) = state.withLock { state -> (Bool, Bool) in
      guard body(&state) else { return (false, false) }
      defer { state.isWakeScheduled = true }
      return (true, !state.isWakeScheduled)
    }
    if mustWake { wake() }
    return isTaken
  }
}
