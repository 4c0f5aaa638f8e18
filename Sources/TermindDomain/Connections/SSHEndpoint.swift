/// Where an SSH server listens.
public struct SSHEndpoint: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Host name or address as the person gave it; an IPv6 address carries no brackets, but may carry
  /// a scope (`fe80::1%eth0`).
  public let host: String
  /// TCP port, from 1 to 65,535.
  public let port: UInt16

  /// Makes an endpoint.
  public init(host: String, port: UInt16 = 22) {
    self.host = host
    self.port = port
  }

  /// `host`, `host:port` when the port is not 22, and `[host]:port` for IPv6.
  public var description: String {
    guard port != 22 else { return host }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
