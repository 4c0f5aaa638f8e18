internal import TermindDomain

/// Every bound of the SSH engine, in one place.
public struct TransportLimits: Hashable, Sendable {
  /// How long a name may take to resolve.
  public var resolving: Duration = .seconds(10)
  /// How long TCP, or the channel through the hop before, may take to open.
  public var connecting: Duration = .seconds(10)
  /// How long versions and keys may take to be exchanged.
  public var keyExchange: Duration = .seconds(15)
  /// How long the server may take to answer one authentication request; servers delay refusals on purpose.
  public var authenticationRequest: Duration = .seconds(30)
  /// How long a channel, its PTY and its shell may take to open.
  public var openingChannel: Duration = .seconds(20)
  /// How long a polite goodbye may take.
  public var closing: Duration = .seconds(2)
  /// How long a connection must go on after the server closed a channel without telling how its program ended.
  public var silentEnd: Duration = .milliseconds(300)
  /// The least time between two changes of one terminal's size; the first goes at once, and the last always.
  public var sizeInterval: Duration = .milliseconds(50)
  /// When the next address is tried beside the one that has not answered (RFC 8305 section 5).
  public var nextAddress: Duration = .milliseconds(250)
  /// How long the peer may be silent before it is asked for a sign of life; zero asks never.
  public var keepaliveInterval: Duration = .seconds(15)
  /// How many signs of life may be missing in a row before the connection counts as lost.
  public var keepaliveCount = 3
  /// How long a pooled connection without channels is kept.
  public var idleTransport: Duration = .seconds(10)

  /// Above this many bytes from the peer, no more are read until libssh2 has taken some.
  var inboundMark = 262_144
  /// Most bytes that a server may send before anyone is signed in; what it says then is kept in memory.
  var openingBytes = 4_194_304
  /// Above this many bytes for the peer, which only its own requests can cause, none are read from it.
  var outboundLimit = 4_194_304
  /// Above this many bytes for the peer, channels write no more until some have gone.
  var outboundMark = 262_144
  /// Most bytes that one channel delivers in one turn of the loop; what is typed waits for a turn to end.
  var channelSlice = 32_768
  /// How long one turn of a connection may deliver output; the channels left over come first in the next turn,
  /// after whatever else is ready on the loop.
  var turnTime: Duration = .milliseconds(4)
  /// Most bytes that one byte channel delivers in one turn, after the terminals had theirs.
  var bulkSlice = 262_144
  /// Most bytes that one byte channel sends in one turn.
  var bulkSendSlice = 131_072
  /// Above this many bytes for the peer, byte channels write no more; the rest up to the mark is for terminals.
  var bulkMark = 131_072
  /// How long one turn may deliver from byte channels.
  var bulkTurnTime: Duration = .milliseconds(2)
  /// Most bytes that one read of a byte channel asks for.
  var bulkReadSize = 131_072
  /// Most bytes that a byte channel queues for sending.
  var sendBound = 4_194_304
  /// Most connections that wait to be taken from a listener in one turn.
  var acceptBound = 256
  /// Most bytes that one read of a channel asks for.
  var readSize = 32_768
  /// Bytes that a channel may send before it needs our consent.
  var channelWindow: UInt32 = 2_097_152
  /// The same of a terminal; all of it may be shown still after Ctrl-C, and `ssh` takes no more.
  var terminalWindow: UInt32 = 1_048_576
  /// Most input that a terminal channel queues.
  var inputBound = 16_777_216

  /// The values for normal use.
  public init() {}

  /// The values for one hop, which may be asked for signs of life at an interval of its own.
  func adapted(to hop: Hop) -> TransportLimits {
    guard let wanted = hop.keepAlive else { return self }
    var limits = self
    limits.keepaliveInterval = .seconds(max(wanted.seconds, 0))
    if let count = wanted.count { limits.keepaliveCount = max(count, 1) }
    return limits
  }
}

extension Duration {
  /// Whole seconds, rounded up, at least one.
  var wholeSeconds: Int {
    let parts = components
    return max(1, Int(parts.seconds) + (parts.attoseconds > 0 ? 1 : 0))
  }
}
