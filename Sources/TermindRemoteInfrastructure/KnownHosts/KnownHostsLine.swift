internal import TermindDomain

/// Why a line is skipped.
struct KnownHostsLineError: Error, Equatable {
  let reason: String
}

/// The fields of one known_hosts line: `[@marker] hosts keytype base64-key [comment]`.
struct KnownHostsLine {
  private static let maximumByteCount = 131_072

  let marker: KnownHostsMarker
  let hosts: ArraySlice<UInt8>
  private let keyType: ArraySlice<UInt8>
  private let keyText: ArraySlice<UInt8>
  /// What follows the key, without blanks at its ends.
  let comment: ArraySlice<UInt8>

  /// Splits a line; `nil` for blank lines and comments.
  init?(_ line: ArraySlice<UInt8>) throws(KnownHostsLineError) {
    var rest = Self.trimmed(line)
    guard let first = rest.first, first != 0x23 else { return nil }
    guard rest.count <= Self.maximumByteCount else {
      throw KnownHostsLineError(reason: "the line is too long")
    }
    var field = Self.nextField(&rest)
    if first == 0x40 {
      switch String(decoding: field, as: UTF8.self) {
      case "@cert-authority": marker = .certificateAuthority
      case "@revoked": marker = .revoked
      default: throw KnownHostsLineError(reason: "unknown marker")
      }
      field = Self.nextField(&rest)
    } else {
      marker = .none
    }
    hosts = field
    keyType = Self.nextField(&rest)
    keyText = Self.nextField(&rest)
    comment = rest
    guard !keyType.isEmpty, !keyText.isEmpty else {
      throw KnownHostsLineError(reason: "the line has too few fields")
    }
    if keyType.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      throw KnownHostsLineError(reason: "SSH 1 keys are not used")
    }
  }

  /// Whether the host field is about a name.
  func matches(
    _ name: [UInt8],
    using digest: borrowing DigestHandle
  ) throws(KnownHostsLineError) -> Bool {
    guard hosts.first == 0x7c else { return HostPattern.list(hosts, matches: name) }
    guard let hashed = HashedHost(hosts) else {
      throw KnownHostsLineError(reason: "unreadable hashed host name")
    }
    return hashed.matches(name, using: digest)
  }

  /// Reads the key; a type that this program does not know is kept for comparison.
  func decodeKey() throws(KnownHostsLineError) -> HostKey {
    guard let blob = Base64Codec.decode(keyText), blob.count <= SSHPublicKey.maximumByteCount else {
      throw KnownHostsLineError(reason: "the key is not base64")
    }
    do {
      let key = try SSHPublicKey(blob: blob)
      guard key.algorithm.utf8.elementsEqual(keyType) else {
        throw KnownHostsLineError(reason: "the key is of another type than the line says")
      }
      return key.hostKey
    } catch let error as KnownHostsLineError {
      throw error
    } catch PublicKeyError.unknownType(let name) where name.utf8.elementsEqual(keyType) {
      let fingerprint = "SHA256:" + Base64Codec.encodeUnpadded(Digest.sha256.hash(blob))
      return HostKey(type: name, blob: blob, fingerprint: fingerprint)
    } catch PublicKeyError.malformed(let reason) {
      throw KnownHostsLineError(reason: "malformed key: \(reason)")
    } catch {
      throw KnownHostsLineError(reason: "the key is of another type than the line says")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0d
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  private static func nextField(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let field = rest.prefix { !isBlank($0) }
    rest = rest[field.endIndex...].drop(while: isBlank)
    return field
  }
}
