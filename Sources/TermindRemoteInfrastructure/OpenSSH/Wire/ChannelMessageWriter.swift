internal import TermindApplication
internal import TermindDomain

/// Writes messages of the SSH connection layer (RFC 4254) to the end of a queue, framed for the master.
struct ChannelMessageWriter {
  let queue: ByteQueue

  /// Asks for a channel.
  func open(
    _ type: String,
    sender: UInt32,
    window: UInt32,
    maximumPacket: UInt32,
    content: [UInt8] = []
  ) {
    var writer = WireWriter()
    writer.string(type)
    writer.uint32(sender)
    writer.uint32(window)
    writer.uint32(maximumPacket)
    append(.open, writer.bytes + content)
  }

  /// Refuses a channel that the server wants.
  func refuse(_ channel: UInt32) {
    var writer = WireWriter()
    writer.uint32(channel)
    // RFC 4254 section 5.1: administratively prohibited.
    writer.uint32(1)
    writer.string("not asked for")
    writer.string("")
    append(.openFailure, writer.bytes)
  }

  /// Lets the server send so many bytes more.
  func window(_ channel: UInt32, byteCount: UInt32) {
    var writer = WireWriter()
    writer.uint32(channel)
    writer.uint32(byteCount)
    append(.window, writer.bytes)
  }

  /// Sends bytes; they must fit one packet.
  func data(_ channel: UInt32, _ bytes: UnsafeRawBufferPointer) {
    var writer = WireWriter()
    writer.uint32(channel)
    writer.uint32(UInt32(clamping: bytes.count))
    header(.data, byteCount: writer.bytes.count + bytes.count)
    queue.append(writer.bytes)
    unsafe queue.append(bytes)
  }

  /// Sends a message that has nothing but the channel's number.
  func plain(_ type: ChannelMessageType, _ channel: UInt32) {
    var writer = WireWriter()
    writer.uint32(channel)
    append(type, writer.bytes)
  }

  /// Makes a request on a channel.
  func request(_ channel: UInt32, _ name: String, wantsReply: Bool, content: [UInt8] = []) {
    var writer = WireWriter()
    writer.uint32(channel)
    writer.string(name)
    writer.byte(wantsReply ? 1 : 0)
    append(.request, writer.bytes + content)
  }

  private func append(_ type: ChannelMessageType, _ content: [UInt8]) {
    header(type, byteCount: content.count)
    queue.append(content)
  }

  /// The length counts the padding length, which is always zero, and the type.
  private func header(_ type: ChannelMessageType, byteCount: Int) {
    var writer = WireWriter()
    writer.uint32(UInt32(clamping: byteCount + 2))
    writer.byte(0)
    writer.byte(type.rawValue)
    queue.append(writer.bytes)
  }
}

/// The contents of requests on session channels (RFC 4254 section 6).
enum SessionRequestContent {
  /// `pty-req`.
  static func terminal(type: String, size: TerminalDimensions) -> [UInt8] {
    var writer = WireWriter()
    writer.string(type)
    for number in numbers(size) { writer.uint32(number) }
    writer.string(terminalModes)
    return writer.bytes
  }

  /// `window-change`.
  static func size(_ size: TerminalDimensions) -> [UInt8] {
    var writer = WireWriter()
    for number in numbers(size) { writer.uint32(number) }
    return writer.bytes
  }

  /// `env`.
  static func variable(_ name: String, _ value: String) -> [UInt8] {
    var writer = WireWriter()
    writer.string(name)
    writer.string(value)
    return writer.bytes
  }

  /// `exec`, `subsystem`, and `signal`.
  static func text(_ text: String) -> [UInt8] {
    var writer = WireWriter()
    writer.string(text)
    return writer.bytes
  }

  private static func numbers(_ size: TerminalDimensions) -> [UInt32] {
    [size.columns, size.rows, size.pixelWidth, size.pixelHeight].map { UInt32(clamping: $0) }
  }

  /// Erase is DEL, input is UTF-8, and the line is fast (RFC 4254 section 8, RFC 8160).
  private static let terminalModes: [UInt8] =
    [3, 0, 0, 0, 127] + [42, 0, 0, 0, 1] + [128, 0, 0, 0x96, 0] + [129, 0, 0, 0x96, 0] + [0]
}
