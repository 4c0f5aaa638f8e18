/// What a list of the Vault is sorted by.
public enum VaultSort: String, Hashable, Sendable, CaseIterable {
  /// By name, letters of both cases together; pinned hosts first.
  case name
  /// The record used last first.
  case lastUsed
  /// The record changed last first.
  case changed
  /// By address.
  case address
  /// By the kind of the key.
  case kind
  /// The newest first.
  case newest

  /// What it is called over the list.
  public var name: String {
    switch self {
    case .name: "name"
    case .lastUsed: "last use"
    case .changed: "last change"
    case .address: "address"
    case .kind: "kind"
    case .newest: "age"
    }
  }
}

extension VaultSection {
  /// What its list can be sorted by; the first one at the start.
  public var sorts: [VaultSort] {
    switch self {
    case .hosts: [.name, .lastUsed, .address, .changed]
    case .identities, .snippets, .templates: [.name, .changed]
    case .keys: [.name, .kind, .changed]
    case .knownHosts: [.name, .kind, .newest]
    case .history: [.newest, .name]
    }
  }
}
