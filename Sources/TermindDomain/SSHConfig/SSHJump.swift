/// One server of a ProxyJump, as it is written there.
public struct SSHJump: Hashable, Sendable, CustomStringConvertible {
  /// The account; nil when none is given.
  public let user: String?
  /// A name, an alias or an address without brackets; may hold tokens.
  public let host: String
  /// The port; nil when none is given.
  public let port: UInt16?

  /// Makes a jump.
  public init(user: String? = nil, host: String, port: UInt16? = nil) {
    self.user = user
    self.host = host
    self.port = port
  }

  /// `[user@]host[:port]`, with brackets around addresses that have colons.
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return (user.map { "\($0)@" } ?? "") + name + (port.map { ":\($0)" } ?? "")
  }

  /// Reads the value of a ProxyJump.
  ///
  /// - Parameters:
  ///   - value: The text after the keyword, with its comment.
  ///   - service: Looks the port of a service up.
  /// - Returns: The servers in the order of the way; empty for `none`; nil when it cannot be read.
  static func chain(_ value: String, service: (String) -> UInt16?) -> [SSHJump]? {
    let bytes = value.utf8.prefix { $0 != UInt8(ascii: "#") }
    let text = String(decoding: bytes, as: UTF8.self)
    let word = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    if SSHPattern.lowered(String(word)) == "none" { return [] }
    var jumps: [SSHJump] = []
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      guard let jump = SSHJump(String(part), service: service) else { return nil }
      jumps.append(jump)
    }
    return jumps
  }

  /// Reads `[user@]host[:port]` or `ssh://[user@]host[:port]`.
  init?(_ text: String, service: (String) -> UInt16?) {
    let scheme = "ssh://"
    let isURL = text.hasPrefix(scheme)
    var rest = isURL ? text.dropFirst(scheme.count) : text[...]
    if isURL, rest.hasSuffix("/") { rest.removeLast() }
    var user: String?
    if let mark = rest.lastIndex(of: "@") {
      guard let name = isURL ? PercentText.decoded(rest[..<mark]) : String(rest[..<mark]),
        !name.isEmpty
      else { return nil }
      user = name
      rest = rest[rest.index(after: mark)...]
    }
    var host = rest
    var port: Substring?
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = rest[rest.index(after: rest.startIndex)..<end]
      let tail = rest[rest.index(after: end)...]
      if !tail.isEmpty {
        guard tail.hasPrefix(":") else { return nil }
        port = tail.dropFirst()
      }
    } else if let colon = rest.firstIndex(of: ":") {
      host = rest[..<colon]
      port = rest[rest.index(after: colon)...]
      // A second colon: an address without its brackets.
      guard let port, !port.contains(":") else { return nil }
    }
    guard !host.isEmpty, !host.contains("/"), !host.contains("?") else { return nil }
    self.user = user
    self.host = String(host)
    if let port, !port.isEmpty {
      guard let number = SSHOptionReader.port(String(port), service: service) else { return nil }
      self.port = number
    } else {
      self.port = nil
    }
  }
}
