public import TermindDomain

/// The marker at the start of a known_hosts line.
public enum KnownHostsMarker: Hashable, Sendable {
  /// A plain line: the key identifies the host.
  case none
  /// `@cert-authority`: the key signs host certificates.
  case certificateAuthority
  /// `@revoked`: the key must never be accepted.
  case revoked
}

/// One line of a known_hosts file that concerns a host.
public struct KnownHostsEntry: Hashable, Sendable {
  /// What the line says about the key.
  public let marker: KnownHostsMarker
  /// The key.
  public let key: HostKey
  /// The line's number, from 1.
  public let line: Int
}

/// A line that was skipped.
public struct KnownHostsNote: Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line's number, from 1; zero when the whole file is meant.
  public let line: Int
  /// What is odd about it.
  public let reason: String

  /// `path:line: reason`.
  public var description: String { line == 0 ? "\(path): \(reason)" : "\(path):\(line): \(reason)" }
}

/// The text of a known_hosts file, searched line by line.
///
/// Lines are decoded only when their host field matches, so that large files stay cheap.
public struct KnownHostsFile: Sendable {
  /// The most notes that one search returns.
  public static let maximumNotes = 50

  /// Where the text came from.
  public let path: String
  private let text: [UInt8]

  /// Takes the text; nothing is parsed yet.
  public init(path: String, text: [UInt8]) {
    self.path = path
    self.text = text
  }

  /// The name that lines carry for an endpoint: `host`, or `[host]:port` for a port that is not 22.
  public static func name(of endpoint: SSHEndpoint) -> [UInt8] {
    let host = endpoint.host.utf8.map(HostPattern.lowered)
    guard endpoint.port != 22 else { return host }
    return [0x5b] + host + Array("]:\(endpoint.port)".utf8)
  }

  /// The lines about a name, in order, and what had to be skipped on the way.
  ///
  /// - Parameter name: The result of `name(of:)`.
  /// - Returns: Entries and notes; notes are bounded by `maximumNotes`.
  public func search(for name: [UInt8]) -> (entries: [KnownHostsEntry], notes: [KnownHostsNote]) {
    guard let digest = DigestHandle(.sha1) else {
      return ([], [KnownHostsNote(path: path, line: 0, reason: "SHA-1 is not available")])
    }
    var entries: [KnownHostsEntry] = []
    var notes: [KnownHostsNote] = []
    var number = 0
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: 0x0a) ?? text.count
      number += 1
      do throws(KnownHostsLineError) {
        let fields = try KnownHostsLine(text[start..<end])
        if let fields, try fields.matches(name, using: digest) {
          entries.append(
            KnownHostsEntry(marker: fields.marker, key: try fields.decodeKey(), line: number)
          )
        }
      } catch {
        if notes.count < Self.maximumNotes {
          notes.append(KnownHostsNote(path: path, line: number, reason: error.reason))
        }
      }
      start = end + 1
    }
    return (entries, notes)
  }
}
