import Glibc

/// Finds TCP ports of the loopback interface that nobody listens on.
public enum FreePort {
  /// A port that was free a moment ago.
  public static func find() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure("socket: \(errno)") }
    defer { close(descriptor) }
    return try bind(descriptor)
  }

  /// Binds a socket to a free port of 127.0.0.1.
  public static func bind(_ descriptor: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        let bound = Glibc.bind(descriptor, generic, length)
        return bound == 0 ? getsockname(descriptor, generic, &length) : bound
      }
    }
    guard status == 0 else { throw TestFailure("bind: \(errno)") }
    return UInt16(bigEndian: address.sin_port)
  }
}
