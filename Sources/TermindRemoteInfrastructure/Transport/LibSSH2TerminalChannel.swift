internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The program behind an SSH session channel with a PTY, as other threads see it.
///
/// Every call leaves an order and wakes the connection, which carries it out on its loop.
final class LibSSH2TerminalChannel: TerminalChannel {
  /// What was ordered since the connection last looked.
  struct Orders: Sendable {
    var input: [UInt8] = []
    /// Bytes that were accepted and not yet given to libssh2.
    var queued = 0
    var size: TerminalDimensions?
    var isClosed = false
    var isWakeScheduled = false
  }

  private let orders = Locked(Orders())
  private let bound: Int
  private let typing: TypingSign
  private let wake: @Sendable () -> Void

  let refusedVariables: [String]

  init(
    bound: Int,
    typing: TypingSign,
    refusedVariables: [String] = [],
    wake: @escaping @Sendable () -> Void
  ) {
    self.bound = bound
    self.typing = typing
    self.refusedVariables = refusedVariables
    self.wake = wake
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    typing.note()
    return order { orders in
      guard !orders.isClosed, orders.queued + bytes.count <= bound else { return false }
      orders.input.append(contentsOf: bytes)
      orders.queued += bytes.count
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

  /// Takes what was ordered; the queued count stays until `wrote` lowers it.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      let taken = orders
      orders.input = []
      orders.size = nil
      orders.isWakeScheduled = false
      return taken
    }
  }

  /// Tells that queued bytes have gone.
  func wrote(_ count: Int) {
    orders.withLock { $0.queued -= count }
  }

  /// Refuses everything from now on.
  func end() {
    orders.withLock { orders in
      orders.isClosed = true
      orders.input = []
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
