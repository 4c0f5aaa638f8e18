/// Why an agent did not do what it was asked.
public enum AgentError: Error, Hashable, Sendable {
  /// There is no agent at the socket.
  case unavailable(diagnostic: String)
  /// The agent said no.
  case refused
  /// The reply breaks the protocol or a bound.
  case malformed(reason: String)
  /// No answer came within the deadline.
  case timedOut
  /// The calling task was cancelled.
  case cancelled
}

/// A key that an agent holds.
public struct AgentIdentity: Hashable, Sendable {
  /// The public half.
  public let publicKey: SSHPublicKey
  /// The comment; not trusted, show it sanitised.
  public let comment: String

  /// Makes an identity.
  public init(publicKey: SSHPublicKey, comment: String) {
    self.publicKey = publicKey
    self.comment = comment
  }
}

/// The messages of the SSH agent protocol (draft-miller-ssh-agent), without any I/O.
enum AgentMessage {
  /// The bound that OpenSSH's own client and agent use, in bytes.
  static let maximumByteCount = 256 * 1024
  static let maximumIdentities = 2048

  private static let failure: UInt8 = 5
  private static let requestIdentities: UInt8 = 11
  private static let identitiesAnswer: UInt8 = 12
  private static let signRequest: UInt8 = 13
  private static let signResponse: UInt8 = 14

  /// A request for the list of keys, with its length.
  static func listRequest() -> [UInt8] { framed([requestIdentities]) }

  /// A request for a signature, with its length; `nil` when it would exceed the bound.
  static func signRequest(_ data: [UInt8], keyBlob: [UInt8], algorithm: String) -> [UInt8]? {
    var writer = WireWriter()
    writer.byte(signRequest)
    writer.string(keyBlob)
    writer.string(data)
    writer.uint32(flags(for: algorithm))
    return writer.bytes.count <= maximumByteCount ? framed(writer.bytes) : nil
  }

  /// The length that a reply's first four bytes announce.
  static func replyByteCount(_ header: [UInt8]) throws(AgentError) -> Int {
    var reader = WireReader(header)
    guard let count = try? reader.uint32(), count >= 1, count <= UInt32(maximumByteCount) else {
      // `try?`: a short header is the same fault as a wrong length.
      throw .malformed(reason: "reply length")
    }
    return Int(count)
  }

  /// Reads a reply to `listRequest`; keys of types that are not known here are left out.
  static func identities(_ reply: [UInt8]) throws(AgentError) -> [AgentIdentity] {
    do throws(WireError) {
      var reader = WireReader(reply)
      guard try reader.byte() == identitiesAnswer else { throw WireError(reason: "reply type") }
      let count = try reader.uint32()
      guard count <= UInt32(maximumIdentities) else { throw WireError(reason: "too many keys") }
      var identities: [AgentIdentity] = []
      for _ in 0..<count {
        let blob = try reader.string()
        let comment = String(decoding: try reader.string().prefix(1024), as: UTF8.self)
        // `try?`: what cannot be read cannot be offered either, and must not hide the other keys.
        guard let key = try? SSHPublicKey(blob: blob) else { continue }
        identities.append(AgentIdentity(publicKey: key, comment: comment))
      }
      guard reader.isAtEnd else { throw WireError(reason: "trailing bytes") }
      return identities
    } catch {
      if reply == [failure] { throw .refused }
      throw .malformed(reason: error.reason)
    }
  }

  /// Reads a reply to `signRequest`: the SSH signature blob, made with the algorithm asked for.
  static func signature(_ reply: [UInt8], algorithm: String) throws(AgentError) -> [UInt8] {
    if reply == [failure] { throw .refused }
    do throws(WireError) {
      var reader = WireReader(reply)
      guard try reader.byte() == signResponse else { throw WireError(reason: "reply type") }
      let blob = try reader.string()
      guard reader.isAtEnd else { throw WireError(reason: "trailing bytes") }
      var fields = WireReader(blob)
      // An agent that does not know the SHA-2 flags signs with SHA-1, which must not be sent on.
      let name = try fields.name()
      guard name == algorithm else { throw WireError(reason: "signed with \(name)") }
      guard try !fields.stringRange().isEmpty else { throw WireError(reason: "empty signature") }
      return blob
    } catch {
      throw .malformed(reason: error.reason)
    }
  }

  // draft-miller-ssh-agent section 4.5.1.
  private static func flags(for algorithm: String) -> UInt32 {
    switch algorithm {
    case "rsa-sha2-256": 2
    case "rsa-sha2-512": 4
    default: 0
    }
  }

  private static func framed(_ content: [UInt8]) -> [UInt8] {
    var writer = WireWriter()
    writer.string(content)
    return writer.bytes
  }
}
