import Glibc

/// Finds TCP ports of the loopback interface that nobody listens on.
public enum FreePort {
  /// A port that was free a moment ago.
  ///
  /// It lies below those that the system gives to outgoing connections, so that none of them takes it
  /// before the test does.
  public static func find() throws -> UInt16 {
    for _ in 0..<100 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { throw TestFailure("socket: \(errno)") }
      defer { close(descriptor) }
      if let port = try? bind(descriptor, to: UInt16.random(in: 10_000...30_000)) { return port }
    }
    throw TestFailure("no port is free")
  }

  /// Binds a socket to a port of 127.0.0.1; zero takes any that is free.
  public static func bind(_ descriptor: Int32, to wanted: UInt16 = 0) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
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
