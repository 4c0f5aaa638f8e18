internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// A channel of an OpenSSH master, as other threads see it: a terminal, a command, or a connection.
///
/// Every call leaves an order and wakes the connection, which carries it out on its loop.
final class OpenSSHChannel: TerminalChannel, ByteChannel {
  /// What was ordered since the connection last looked.
  struct Orders: Sendable {
    var input: [UInt8] = []
    /// Bytes that were accepted and not yet written to the master.
    var queued = 0
    var size: TerminalDimensions?
    var signals: [String] = []
    var isReceiving = true
    var isFinished = false
    var isClosed = false
    /// Somebody waits for room.
    var wantsRoom = false
    var isWakeScheduled = false
  }

  /// A program that is sent more signals than this at once has missed them anyway.
  private static let maximumSignals = 64

  private let orders = Locked(Orders())
  private let bound: Int
  private let loop: EventLoop
  private let typing: TypingSign
  private let isTerminal: Bool
  private let wake: @Sendable () -> Void

  init(
    bound: Int,
    loop: EventLoop,
    typing: TypingSign,
    isTerminal: Bool,
    wake: @escaping @Sendable () -> Void
  ) {
    self.bound = bound
    self.loop = loop
    self.typing = typing
    self.isTerminal = isTerminal
    self.wake = wake
  }

  var executor: any SerialExecutor { loop }

  var queuedByteCount: Int { orders.withLock { $0.queued } }
  var isBesideTyping: Bool { typing.isOn }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    if isTerminal { typing.note() }
    return order { orders in
      guard !orders.isClosed, !orders.isFinished else { return false }
      guard orders.queued + bytes.count <= bound else {
        orders.wantsRoom = true
        return false
      }
      orders.input.append(contentsOf: bytes)
      orders.queued += bytes.count
      if orders.queued > bound / 2 { orders.wantsRoom = true }
      return true
    }
  }

  func finishSending() {
    order { orders in
      orders.isFinished = true
      return true
    }
  }

  func setReceiving(_ isOn: Bool) {
    order { orders in
      guard orders.isReceiving != isOn else { return false }
      orders.isReceiving = isOn
      return true
    }
  }

  func signal(_ name: String) {
    order { orders in
      guard !orders.isClosed, orders.signals.count < Self.maximumSignals else { return false }
      orders.signals.append(name)
      return true
    }
  }

  func resize(to size: TerminalDimensions) {
    order { orders in
      orders.size = size
      return true
    }
  }

  func close() {
    order { orders in
      orders.isClosed = true
      return true
    }
  }

  /// Whether what comes is wanted now.
  var isReceiving: Bool { orders.withLock { $0.isReceiving } }

  /// Takes what was ordered; the queued count stays until `wrote` lowers it.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      let taken = orders
      orders.input = []
      orders.size = nil
      orders.signals = []
      orders.isWakeScheduled = false
      return taken
    }
  }

  /// Tells that queued bytes have gone.
  ///
  /// - Returns: Whether somebody who waited for room has to be told.
  func wrote(_ count: Int) -> Bool {
    orders.withLock { orders in
      orders.queued -= count
      guard orders.wantsRoom, orders.queued <= bound / 2 else { return false }
      orders.wantsRoom = false
      return !orders.isClosed
    }
  }

  /// Refuses everything from now on.
  func end() {
    orders.withLock { orders in
      orders.isClosed = true
      orders.input = []
      orders.queued = 0
    }
  }

  @discardableResult
  private func order(_ change: (inout Orders) -> Bool) -> Bool {
    let (isTaken, mustWake) = orders.withLock { orders -> (Bool, Bool) in
      guard change(&orders) else { return (false, false) }
      defer { orders.isWakeScheduled = true }
      return (true, !orders.isWakeScheduled)
    }
    if mustWake { wake() }
    return isTaken
  }
}
