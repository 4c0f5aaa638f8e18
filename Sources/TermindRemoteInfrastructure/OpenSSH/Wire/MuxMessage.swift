internal import TermindApplication

/// The messages on the master's control socket (OpenSSH's PROTOCOL.mux), without any I/O.
enum MuxMessage {
  /// The longest reply that is taken, in bytes without its length.
  static let maximumByteCount = 65_536

  private static let version: UInt32 = 4
  private static let hello: UInt32 = 1
  private static let openForward: UInt32 = 0x1000_0006
  private static let closeForward: UInt32 = 0x1000_0007
  private static let proxy: UInt32 = 0x1000_000f
  private static let streamLocalPort: UInt32 = 0xffff_fffe
  private static let remoteForward: UInt32 = 2

  /// What the master answers.
  enum Reply: Equatable {
    /// It speaks this version.
    case hello(version: UInt32)
    /// From now on the socket carries messages of the connection layer.
    case proxy
    /// Done.
    case done
    /// Done; the server chose this port.
    case port(UInt32)
    /// Not done; the text is the master's.
    case refused(String)
  }

  /// The greeting, which is also the first thing that the master says.
  static func greeting() -> [UInt8] {
    framed { writer in
      writer.uint32(hello)
      writer.uint32(version)
    }
  }

  /// Whether a greeting's version is the one that is spoken here.
  static func isKnown(version: UInt32) -> Bool { version == self.version }

  /// Asks for proxy mode.
  static func proxyRequest(_ number: UInt32) -> [UInt8] {
    framed { writer in
      writer.uint32(proxy)
      writer.uint32(number)
    }
  }

  /// Asks the server to listen, and the master to connect what comes to a Unix socket of ours.
  static func listenRequest(
    _ number: UInt32,
    at address: RemoteListenAddress,
    to path: String,
    isEnd: Bool = false
  ) -> [UInt8] {
    framed { writer in
      writer.uint32(isEnd ? closeForward : openForward)
      writer.uint32(number)
      writer.uint32(remoteForward)
      switch address {
      case .tcp(let host, let port):
        writer.string(host)
        writer.uint32(UInt32(clamping: port))
      case .unixSocket(let path):
        writer.string(path)
        writer.uint32(streamLocalPort)
      }
      writer.string(path)
      writer.uint32(streamLocalPort)
    }
  }

  /// Reads a reply.
  ///
  /// - Parameters:
  ///   - bytes: The message without its length.
  ///   - number: The number of the request that is answered.
  /// - Returns: What it says.
  /// - Throws: What is wrong with it.
  static func reply(_ bytes: [UInt8], to number: UInt32) throws(WireError) -> Reply {
    var reader = WireReader(bytes)
    let type = try reader.uint32()
    let second = try reader.uint32()
    if type == hello { return .hello(version: second) }
    guard second == number else { throw WireError(reason: "an answer to another request") }
    switch type {
    case 0x8000_000f: return .proxy
    case 0x8000_0001: return .done
    case 0x8000_0007: return .port(try reader.uint32())
    case 0x8000_0002, 0x8000_0003:
      return .refused(String(decoding: try reader.string().prefix(4096), as: UTF8.self))
    default: throw WireError(reason: "answer \(type)")
    }
  }

  private static func framed(_ body: (inout WireWriter) -> Void) -> [UInt8] {
    var content = WireWriter()
    body(&content)
    var writer = WireWriter()
    writer.string(content.bytes)
    return writer.bytes
  }
}
