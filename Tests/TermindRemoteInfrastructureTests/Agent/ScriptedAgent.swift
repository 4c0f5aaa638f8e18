import Foundation
import Glibc
import Testing

/// A socket that answers each connection with fixed bytes, whatever it is asked.
final class ScriptedAgent: Sendable {
  let path: String
  private let listener: Int32

  /// Starts to listen.
  ///
  /// It sends `reply` to every connection; with `staysOpen` it then waits for the peer to close.
  init(path: String, reply: [UInt8], staysOpen: Bool = false) throws {
    self.path = path
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let listener = listener
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
    try #require(listen(listener, 8) == 0)
    Thread.detachNewThread {
      // Only this thread closes the listener: its number would else be another server's by the next
      // `accept`, which would take connections from there and answer them.
      defer { _ = close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        var request = [UInt8](repeating: 0, count: 4096)
        unsafe _ = recv(connection, &request, request.count, 0)
        var rest = reply[...]
        while !rest.isEmpty {
          let sent = unsafe rest.withUnsafeBytes { bytes in
            unsafe send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
          }
          guard sent > 0 else { break }
          rest = rest.dropFirst(sent)
        }
        if staysOpen { unsafe _ = recv(connection, &request, request.count, 0) }
        _ = close(connection)
      }
    }
  }

  deinit { _ = shutdown(listener, Int32(SHUT_RDWR)) }
}
