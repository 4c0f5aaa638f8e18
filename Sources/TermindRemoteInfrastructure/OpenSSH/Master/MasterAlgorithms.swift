internal import TermindDomain

/// What is said to `ssh` about algorithms, and what it is told about them in return.
enum MasterAlgorithms {
  /// The options of a hop.
  ///
  /// - Parameters:
  ///   - knowledge: What is known of its host keys.
  ///   - allowsOld: Whether algorithms may be used that are no longer safe.
  /// - Returns: Names and values.
  static func options(_ knowledge: HostKeyKnowledge, allowsOld: Bool) -> [(String, String)] {
    guard allowsOld else {
      // The known types first, so that a known host does not look changed; `ssh` keeps its own list behind them.
      return [("HostKeyAlgorithms", "^" + preferred(knowledge).joined(separator: ","))]
    }
    return SSHOldAlgorithms.all.map { ($0.option.rawValue, "+" + $0.names.joined(separator: ",")) }
  }

  /// The cause behind an offer that `ssh` does not take.
  static func cause(kind: String, offered: [String]) -> ConnectionFailureCause {
    let real = offered.filter { !isMark($0) }
    let known = SSHOldAlgorithms.all.first { $0.kind == kind }?.names ?? []
    if !real.isEmpty, real.allSatisfy(known.contains) {
      return .oldAlgorithmsOnly(kind: kind, offered: real)
    }
    return .noCommonAlgorithm(kind: kind, offered: real, supported: [])
  }

  /// Names in a list that announce an extension and are no algorithm.
  private static func isMark(_ name: String) -> Bool {
    name.hasPrefix("ext-info-") || name.hasPrefix("kex-strict-")
  }

  private static func preferred(_ knowledge: HostKeyKnowledge) -> [String] {
    knowledge.ordered(usual).filter { name in
      let isFirst = knowledge.ordered(usual).first == name
      return isFirst || isKnown(name, knowledge)
    }
  }

  private static func isKnown(_ name: String, _ knowledge: HostKeyKnowledge) -> Bool {
    if SSHKeyType.isCertificate(name) { return knowledge.hasCertificateAuthority }
    return knowledge.entries.contains { entry in
      entry.marker == .none
        && SSHKeyType(algorithm: entry.key.type) == SSHKeyType(algorithm: name)
    }
  }

  /// What every OpenSSH that is used here knows.
  private static let usual = [
    "ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com",
    "ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com",
    "rsa-sha2-512-cert-v01@openssh.com", "rsa-sha2-256-cert-v01@openssh.com", "ssh-ed25519",
    "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "rsa-sha2-512",
    "rsa-sha2-256",
  ]
}
