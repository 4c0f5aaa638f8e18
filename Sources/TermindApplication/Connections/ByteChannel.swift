public import TermindDomain

/// What a byte channel is opened for.
public enum ByteChannelRequest: Hashable, Sendable {
  /// A command without a terminal, run by the account's shell; its standard error comes apart.
  case command(String)
  /// A subsystem by its name (`sftp`).
  case subsystem(String)
  /// A TCP connection that the server makes, to a host and port as it sees them.
  case tcp(host: String, port: Int)
  /// A connection that the server makes to a Unix socket of its own, by path.
  case unixSocket(path: String)

  /// How many bytes the other end may send before any of them is taken, unless more is asked for.
  public static let standardWindow = 2_097_152
  /// What a channel for bulk data takes: a fast line with a long round trip is kept full.
  public static let bulkWindow = 16_777_216
}

/// Receives what the other end of a byte channel sends.
///
/// Every call comes on the event loop that owns the channel, in order, and must return quickly; `ended` comes exactly
/// once and last.
public protocol ByteChannelReceiving: AnyObject, Sendable {
  /// Takes the next bytes; they are only valid during the call.
  func received(_ bytes: UnsafeRawBufferPointer)
  /// Takes the next bytes of the standard error of a command or subsystem; they are only valid during the call.
  ///
  /// Both streams keep their own order; which of the two comes first is not told.
  func receivedError(_ bytes: UnsafeRawBufferPointer)
  /// Tells that the other end sends no more; this side may still send.
  func finishedReceiving()
  /// Tells that a queue that had refused bytes, or was above half of its bound, is at most half full again.
  func mayContinueSending()
  /// Takes the end of the channel; a connection (not a program) that ends by itself has exited with status 0.
  func ended(_ end: TerminalChannelEnd)
}

/// One SSH channel that carries plain bytes both ways: a command, a subsystem, or a forwarded connection.
///
/// Every call returns at once and is safe from any thread; the work happens on the owner's loop.
public protocol ByteChannel: AnyObject, Sendable {
  /// The event loop that calls the receiver, as the executor for actors that want to run beside it.
  var executor: any SerialExecutor { get }
  /// How many bytes were taken by `send` and not yet given to the connection, which itself holds a few packets only.
  var queuedByteCount: Int { get }
  /// Whether input went lately into a terminal of the same connection, whose echo waits behind all that is under way here.
  var isBesideTyping: Bool { get }

  /// Queues bytes, in order; what does not fit the channel's bound (at least 2 MiB) is refused whole.
  ///
  /// Nothing is taken after `finishSending`, `close` or the end of the channel. Large pieces are kept as they are and not
  /// copied, small ones are joined.
  /// - Returns: Whether the bytes were queued; after a refusal for want of room `mayContinueSending` tells of new room.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool
  /// Tells the other end that nothing more is sent, once what is queued has gone; it may still send.
  func finishSending()
  /// Stops or resumes the calls of `received` and `receivedError`.
  ///
  /// While it is stopped the other end is held back by the channel's window (2 MiB or more), which bounds what waits here.
  /// Also works from within `received`, at once. An end that comes while bytes wait here is told after them; when the
  /// connection is lost they are dropped.
  func setReceiving(_ isOn: Bool)
  /// Sends a signal to the command, by its name without `SIG` (`TERM`); servers may ignore it.
  ///
  /// Does nothing on an engine that names an obstacle to `signalling`.
  func signal(_ name: String)
  /// Ends the channel and frees it; what is queued is dropped, and the receiver sees `closed`.
  func close()
}

extension ByteChannel {
  /// Channels of connections without terminals have nobody beside them.
  public var isBesideTyping: Bool { false }
}

/// Where a server is asked to listen.
public enum RemoteListenAddress: Hashable, Sendable {
  /// A TCP port; 0 lets the server choose. An empty host means every address that its configuration allows.
  case tcp(host: String, port: Int)
  /// A Unix socket by path.
  case unixSocket(path: String)
}

/// Takes the connections that a server accepts for us.
public protocol RemoteListenReceiving: AnyObject, Sendable {
  /// Takes a connection; called on the owner's loop.
  ///
  /// - Parameters:
  ///   - channel: The connection, to be closed by whoever takes it.
  ///   - originator: Who connected, for people (`10.0.0.7 port 51022`); empty when the server does not tell.
  /// - Returns: Who takes its bytes; nil refuses it.
  func accepted(
    _ channel: any ByteChannel,
    from originator: String
  ) -> (any ByteChannelReceiving)?
  /// Tells that the server listens no more, because the connection ended.
  func stopped(_ failure: ConnectionFailure)
}

/// A place at which a server listens for us.
public protocol RemoteListener: AnyObject, Sendable {
  /// Where it listens; with the port that the server chose.
  var address: RemoteListenAddress { get }
  /// Ends the listening; connections that were accepted live on.
  func close() async
}
