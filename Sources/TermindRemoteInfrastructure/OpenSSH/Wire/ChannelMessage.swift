/// A message of the SSH connection layer (RFC 4254), as the master passes it on from the server.
///
/// Contents are ranges of the message, so that floods are not copied to be understood.
enum ChannelMessage: Equatable {
  /// The server wants a channel, which is nothing that was asked for here.
  case open(sender: UInt32)
  /// A channel is open; `sender` is its number at the server.
  case confirmation(channel: UInt32, sender: UInt32, window: UInt32, maximumPacket: UInt32)
  /// The server refuses a channel.
  case openFailure(channel: UInt32, reason: UInt32, text: String)
  /// The server takes so many bytes more.
  case window(channel: UInt32, byteCount: UInt32)
  /// Output.
  case data(channel: UInt32, content: Range<Int>)
  /// Output of another stream; 1 is standard error.
  case extendedData(channel: UInt32, stream: UInt32, content: Range<Int>)
  /// The server sends no more on the channel.
  case eof(channel: UInt32)
  /// The channel is over.
  case close(channel: UInt32)
  /// The program exited.
  case exitStatus(channel: UInt32, status: UInt32)
  /// A signal ended the program; the name has no `SIG`.
  case exitSignal(channel: UInt32, name: String)
  /// Another request of the server.
  case request(channel: UInt32, wantsReply: Bool)
  /// A request of ours was granted.
  case success(channel: UInt32)
  /// A request of ours was refused.
  case failure(channel: UInt32)
  /// A message without a meaning here.
  case other(type: UInt8)

  /// The longest message that is taken, in bytes without its length; the master's own bound.
  static let maximumByteCount = 256 * 1024
  /// Texts of a server are cut to this many bytes.
  private static let maximumTextCount = 4096

  /// Reads a message: the padding length, which is zero, the type, and its fields.
  ///
  /// - Parameter bytes: The message without its length.
  /// - Throws: What is wrong; the connection cannot go on then.
  init<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes) throws(WireError)
  where Bytes.Index == Int {
    var reader = WireReader(bytes)
    _ = try reader.byte()
    let type = try reader.byte()
    guard let kind = ChannelMessageType(rawValue: type) else {
      self = .other(type: type)
      return
    }
    if kind == .open {
      _ = try reader.stringRange()
      self = .open(sender: try reader.uint32())
      return
    }
    let channel = try reader.uint32()
    switch kind {
    case .open: preconditionFailure("handled above")
    case .confirmation:
      self = .confirmation(
        channel: channel,
        sender: try reader.uint32(),
        window: try reader.uint32(),
        maximumPacket: try reader.uint32()
      )
    case .openFailure:
      self = .openFailure(
        channel: channel,
        reason: try reader.uint32(),
        text: Self.text(bytes, try reader.stringRange())
      )
    case .window: self = .window(channel: channel, byteCount: try reader.uint32())
    case .data: self = .data(channel: channel, content: try reader.stringRange())
    case .extendedData:
      self = .extendedData(
        channel: channel,
        stream: try reader.uint32(),
        content: try reader.stringRange()
      )
    case .eof: self = .eof(channel: channel)
    case .close: self = .close(channel: channel)
    case .request: self = try Self.request(channel, bytes, &reader)
    case .success: self = .success(channel: channel)
    case .failure: self = .failure(channel: channel)
    }
  }

  private static func request<Bytes: RandomAccessCollection<UInt8>>(
    _ channel: UInt32,
    _ bytes: Bytes,
    _ reader: inout WireReader<Bytes>
  ) throws(WireError) -> ChannelMessage where Bytes.Index == Int {
    let name = text(bytes, try reader.stringRange())
    let wantsReply = try reader.byte() != 0
    switch name {
    case "exit-status": return .exitStatus(channel: channel, status: try reader.uint32())
    case "exit-signal":
      return .exitSignal(channel: channel, name: text(bytes, try reader.stringRange()))
    default: return .request(channel: channel, wantsReply: wantsReply)
    }
  }

  private static func text<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes,
    _ range: Range<Int>
  ) -> String where Bytes.Index == Int {
    String(decoding: bytes[range].prefix(maximumTextCount), as: UTF8.self)
  }
}

/// The numbers of the messages (RFC 4250 section 4.1.2).
enum ChannelMessageType: UInt8 {
  case open = 90
  case confirmation = 91
  case openFailure = 92
  case window = 93
  case data = 94
  case extendedData = 95
  case eof = 96
  case close = 97
  case request = 98
  case success = 99
  case failure = 100
}
