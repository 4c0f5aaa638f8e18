/// The parts of the Vault, in the order in which they stand.
public enum VaultSection: String, Hashable, Sendable, CaseIterable {
  /// Saved hosts.
  case hosts
  /// Accounts: a user name with a password and keys.
  case identities
  /// Keys with their certificates.
  case keys
  /// Trusted host keys.
  case knownHosts
  /// Texts to type.
  case snippets
  /// Saved arrangements of panes.
  case templates
  /// What was connected to.
  case history

  /// Its title.
  public var title: String {
    switch self {
    case .hosts: "Hosts"
    case .identities: "Identities"
    case .keys: "Keys"
    case .knownHosts: "Known Hosts"
    case .snippets: "Snippets"
    case .templates: "Templates"
    case .history: "History"
    }
  }

  /// One of its records, in a sentence.
  public var noun: String {
    switch self {
    case .hosts: "host"
    case .identities: "identity"
    case .keys: "key"
    case .knownHosts: "known host"
    case .snippets: "snippet"
    case .templates: "template"
    case .history: "connection"
    }
  }

  /// Some of its records, in a sentence.
  public func counted(_ count: Int) -> String {
    if count == 1 { return "1 \(noun)" }
    return self == .identities ? "\(count) identities" : "\(count) \(noun)s"
  }

  /// The part some places further, around the ends.
  public func next(_ step: Int = 1) -> VaultSection {
    let all = Self.allCases
    let place = all.firstIndex(of: self) ?? 0
    return all[((place + step) % all.count + all.count) % all.count]
  }
}
