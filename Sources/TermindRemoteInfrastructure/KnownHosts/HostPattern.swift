internal import TermindDomain

/// The host field of a known_hosts line: a comma-separated list with `*`, `?` and `!` (sshd(8)).
enum HostPattern {
  /// Whether the list matches a name; both sides are compared without regard to ASCII case.
  ///
  /// A negated pattern that matches ends the search: the list does not match then. Brackets have no
  /// special meaning, so that `[host]:22*` matches literally up to the star.
  static func list(_ list: ArraySlice<UInt8>, matches name: [UInt8]) -> Bool {
    var isMatched = false
    for item in list.split(separator: 0x2c) {
      let isNegated = item.first == 0x21
      guard matches(isNegated ? item.dropFirst() : item, name) else { continue }
      if isNegated { return false }
      isMatched = true
    }
    return isMatched
  }

  /// Matches one glob in time proportional to the product of the lengths at worst.
  static func matches(_ pattern: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
    let first = pattern.startIndex
    return StarPattern.matches(
      length: name.count,
      parts: pattern.count,
      isStar: { pattern[first + $0] == 0x2a },
      step: { part, position in
        let sign = pattern[first + part]
        return sign == 0x3f || lowered(sign) == lowered(name[position]) ? position + 1 : nil
      }
    )
  }

  static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
  }
}

/// A hashed host field, `|1|salt|hash`: HMAC-SHA1 of the name with the salt as the key.
struct HashedHost {
  private static let prefix: [UInt8] = Array("|1|".utf8)

  let salt: [UInt8]
  let hash: [UInt8]

  static func isHashed(_ field: ArraySlice<UInt8>) -> Bool { field.starts(with: prefix) }

  /// Reads a field; `nil` when it is hashed in another way or broken.
  init?(_ field: ArraySlice<UInt8>) {
    guard Self.isHashed(field) else { return nil }
    let parts = field.dropFirst(Self.prefix.count).split(separator: 0x7c)
    guard parts.count == 2, let salt = Base64Codec.decode(parts[0]),
      let hash = Base64Codec.decode(parts[1]), !salt.isEmpty, salt.count <= 64, hash.count == 20
    else { return nil }
    self.salt = salt
    self.hash = hash
  }

  /// Whether the hash is over `name`, which must be in lower case.
  func matches(_ name: [UInt8], using digest: borrowing DigestHandle) -> Bool {
    // RFC 2104; the salt is never longer than a SHA-1 block.
    func pad(_ value: UInt8) -> [UInt8] {
      (0..<64).map { $0 < salt.count ? salt[$0] ^ value : value }
    }
    digest.restart()
    digest.update(pad(0x36))
    digest.update(name)
    let inner = digest.finish()
    digest.restart()
    digest.update(pad(0x5c))
    digest.update(inner)
    return digest.finish() == hash
  }
}
