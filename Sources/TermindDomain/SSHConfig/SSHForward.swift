/// A forwarding of a configuration.
public struct SSHForward: Hashable, Sendable, CustomStringConvertible {
  /// One end of a forwarding.
  public enum End: Hashable, Sendable {
    /// A TCP port; the host is nil where none was given.
    case port(host: String?, UInt16)
    /// A Unix socket; tokens are not expanded yet.
    case socket(path: String)
    /// Whatever the other side asks for, by SOCKS.
    case socks
  }

  /// Where connections are accepted.
  public let listen: End
  /// Where they lead.
  public let connect: End

  /// Makes a forwarding.
  public init(listen: End, connect: End) {
    self.listen = listen
    self.connect = connect
  }

  /// `listen connect`, as `ssh -G` prints a forwarding.
  public var description: String {
    guard connect != .socks else { return Self.text(listen) }
    return "\(Self.text(listen)) \(Self.text(connect))"
  }

  private static func text(_ end: End) -> String {
    switch end {
    case .port(host: nil, let port): "\(port)"
    case .port(host: let host?, let port): "[\(host)]:\(port)"
    case .socket(let path): path
    case .socks: "socks"
    }
  }

  /// Reads `[host:]port`, a path, or either followed by a colon and where it leads.
  ///
  /// - Parameters:
  ///   - text: The fields with colons between them; variables are expanded already.
  ///   - isDynamic: Whether only the listening end is given.
  ///   - allowsAnyPort: Whether port 0 may be asked for.
  ///   - service: Looks the port of a service up.
  init?(
    _ text: String,
    isDynamic: Bool,
    allowsAnyPort: Bool,
    service: (String) -> UInt16?
  ) {
    guard let fields = Self.fields(text) else { return nil }
    func port(_ field: Field) -> UInt16? {
      if field.text.utf8.allSatisfy({ $0 == 0x30 }), !field.text.isEmpty { return 0 }
      return SSHOptionReader.port(field.text, service: service)
    }
    func end(_ host: Field?, _ field: Field) -> End? {
      port(field).map { .port(host: host?.text, $0) }
    }
    func path(_ field: Field) -> End { .socket(path: field.text) }
    let ends: (End?, End?)
    switch fields.count {
    case 1:
      ends = (fields[0].isPath ? path(fields[0]) : end(nil, fields[0]), .socks)
    case 2 where fields[0].isPath && fields[1].isPath:
      ends = (path(fields[0]), path(fields[1]))
    case 2 where fields[1].isPath:
      ends = (end(nil, fields[0]), path(fields[1]))
    case 2:
      ends = (end(fields[0], fields[1]), .socks)
    case 3 where fields[0].isPath:
      ends = (path(fields[0]), end(fields[1], fields[2]))
    case 3 where fields[2].isPath:
      ends = (end(fields[0], fields[1]), path(fields[2]))
    case 3:
      ends = (end(nil, fields[0]), end(fields[1], fields[2]))
    case 4:
      ends = (end(fields[0], fields[1]), end(fields[2], fields[3]))
    default:
      return nil
    }
    guard let listen = ends.0, let connect = ends.1, (connect == .socks) == isDynamic else {
      return nil
    }
    if case .port(_, 0) = connect { return nil }
    if case .port(_, 0) = listen, !allowsAnyPort { return nil }
    self.listen = listen
    self.connect = connect
  }

  private struct Field {
    var text: String
    var isPath: Bool
  }

  /// The fields: brackets and backslashes keep colons, a slash makes a path.
  private static func fields(_ text: String) -> [Field]? {
    var rest = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    var fields: [Field] = []
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      if rest.first == UInt8(ascii: "[") {
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        bytes = Array(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        guard rest.first == nil || rest.first == UInt8(ascii: ":") else { return nil }
      } else {
        while let byte = rest.first, byte != UInt8(ascii: ":") {
          rest.removeFirst()
          if byte == UInt8(ascii: "\\") {
            guard let next = rest.popFirst() else { return nil }
            bytes.append(next)
          } else {
            bytes.append(byte)
          }
        }
      }
      _ = rest.popFirst()
      guard fields.count < 4 else { return nil }
      fields.append(
        Field(
          text: String(decoding: bytes, as: UTF8.self),
          isPath: bytes.contains(UInt8(ascii: "/"))
        )
      )
    }
    return fields
  }
}
