internal import Glibc
internal import TermindDomain

/// Carries secret texts over a connected socket, each behind its length; calls wait for the peer.
struct SecretSocket {
  /// No text is longer: the largest secret with a label, or the list of a very full keyring.
  static let limit = 16 << 20

  let descriptor: OwnedDescriptor

  /// Sends a text; false when the peer has gone.
  func send(_ text: SecretBytes) -> Bool {
    var writer = SecretWriter()
    writer.secret(text)
    return unsafe writer.finish().withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = unsafe Glibc.send(
          descriptor.number,
          bytes.baseAddress.map { unsafe $0 + sent },
          bytes.count - sent,
          Int32(MSG_NOSIGNAL)
        )
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Receives a text; nil when the peer has gone, or sends a length out of bounds.
  func receive() -> SecretBytes? {
    guard let header = receive(4) else { return nil }
    var reader = SecretReader(header)
    guard let count = reader.number(), count <= Self.limit else { return nil }
    return receive(count)
  }

  private func receive(_ wanted: Int) -> SecretBytes? {
    let bytes = unsafe SecretBytes(count: wanted) { memory in
      var used = 0
      while used < wanted {
        let count = unsafe recv(
          descriptor.number,
          memory.baseAddress.map { unsafe $0 + used },
          wanted - used,
          0
        )
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        used += count
      }
      return used
    }
    return bytes.count == wanted ? bytes : nil
  }
}
