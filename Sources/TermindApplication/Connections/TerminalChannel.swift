public import TermindDomain

/// How the program behind a terminal channel ended.
public enum TerminalChannelEnd: Hashable, Sendable {
  /// It exited with a status.
  case exited(status: Int)
  /// A signal ended it; the name has no `SIG` (`TERM`, `KILL`).
  case signalled(name: String)
  /// The connection under it failed or was lost.
  case failed(ConnectionFailure)
  /// This side closed it.
  case closed
}

/// Receives what the program behind a terminal channel writes.
///
/// Both calls come on the event loop that owns the channel, in order; `ended` comes exactly once and
/// last. They must return quickly: everything else on that loop waits for them.
public protocol TerminalOutputReceiving: AnyObject, Sendable {
  /// Takes the next bytes; they are only valid during the call.
  func received(_ bytes: UnsafeRawBufferPointer)
  /// Takes the end of the channel.
  func ended(_ end: TerminalChannelEnd)
}

/// A live program behind a terminal: a local PTY or an SSH session channel with a PTY.
///
/// Every call returns at once and is safe from any thread; the work happens on the owner's loop.
public protocol TerminalChannel: AnyObject, Sendable {
  /// Queues input, in order. Input beyond the channel's bound (at least 16 MiB) is refused whole.
  ///
  /// - Returns: Whether the bytes were queued.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool
  /// Tells the program its new size. Calls are coalesced: the newest size always wins.
  func resize(to size: TerminalDimensions)
  /// Ends the program (hangs up the PTY, or closes the SSH channel) and frees the channel.
  func close()
  /// The variables of the request that the server did not take, by name in their order.
  var refusedVariables: [String] { get }
}

extension TerminalChannel {
  /// A program of this machine takes every variable.
  public var refusedVariables: [String] { [] }
}
