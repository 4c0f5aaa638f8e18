internal import CLinux

/// What a descriptor is watched for, or was found to be.
public struct DescriptorEvents: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Wraps bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A read would not block; it may also report the end or an error.
  public static let readable = DescriptorEvents(rawValue: 1)
  /// A write would not block.
  public static let writable = DescriptorEvents(rawValue: 2)
  /// The peer is gone or the descriptor has an error.
  ///
  /// Reported whatever was asked for, together with what was asked for.
  public static let hangup = DescriptorEvents(rawValue: 4)
  /// The peer will send no more (`EPOLLRDHUP`); only sockets report it, and only when asked for.
  public static let peerClosed = DescriptorEvents(rawValue: 8)

  var epollBits: UInt32 {
    var bits: UInt32 = 0
    if contains(.readable) { bits |= EPOLLIN.rawValue }
    if contains(.writable) { bits |= EPOLLOUT.rawValue }
    if contains(.peerClosed) { bits |= EPOLLRDHUP.rawValue }
    return bits
  }

  init(epollBits bits: UInt32) {
    var events: DescriptorEvents = []
    if bits & EPOLLIN.rawValue != 0 { events.insert(.readable) }
    if bits & EPOLLOUT.rawValue != 0 { events.insert(.writable) }
    if bits & EPOLLRDHUP.rawValue != 0 { events.insert(.peerClosed) }
    if bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
      events.formUnion([.readable, .writable, .hangup])
    }
    self = events
  }
}
