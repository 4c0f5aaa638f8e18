public import TermindDomain

/// Every record of the vault, as it was read last, with what is looked up in it often.
public struct VaultContents: Sendable {
  /// Saved hosts, by name.
  public var hosts: [HostRecord] = [] { didSet { hostsChanged() } }
  /// Identities, by name.
  public var identities: [IdentityRecord] = [] { didSet { identitiesChanged() } }
  /// Keys, by name.
  public var keys: [KeyRecord] = [] {
    didSet { keyPlaces = Self.places(keys.map(\.id)) }
  }
  /// Host keys.
  public var knownHosts: [KnownHostRecord] = []
  /// Snippets, by name.
  public var snippets: [SnippetRecord] = [] {
    didSet { snippetPlaces = Self.places(snippets.map(\.id)) }
  }
  /// Templates, by name.
  public var templates: [WorkspaceTemplate] = []
  /// The history, the newest first.
  public var events: [ConnectionEvent] = []
  private var hostPlaces: [HostID: Int] = [:]
  private var identityPlaces: [IdentityID: Int] = [:]
  private var keyPlaces: [KeyID: Int] = [:]
  private var snippetPlaces: [SnippetID: Int] = [:]
  /// How many hosts use an identity.
  private(set) var identityUses: [IdentityID: Int] = [:]
  /// How many identities offer a key.
  private(set) var keyUses: [KeyID: Int] = [:]

  /// Makes an empty vault.
  public init() {}

  /// The host with an identity.
  public func host(_ id: HostID) -> HostRecord? { hostPlaces[id].map { hosts[$0] } }
  /// The identity with an identity of its own.
  public func identity(_ id: IdentityID) -> IdentityRecord? {
    identityPlaces[id].map { identities[$0] }
  }
  /// The key with an identity.
  public func key(_ id: KeyID) -> KeyRecord? { keyPlaces[id].map { keys[$0] } }
  /// The snippet with an identity.
  public func snippet(_ id: SnippetID) -> SnippetRecord? { snippetPlaces[id].map { snippets[$0] } }

  /// What the checks of records need to know.
  public var context: VaultContext {
    VaultContext(
      hosts: hosts,
      identities: identities,
      keys: keys,
      snippets: snippets,
      templates: templates
    )
  }

  /// How many records a part has.
  public func count(of section: VaultSection) -> Int {
    switch section {
    case .hosts: hosts.count
    case .identities: identities.count
    case .keys: keys.count
    case .knownHosts: knownHosts.count
    case .snippets: snippets.count
    case .templates: templates.count
    case .history: events.count
    }
  }

  /// The account and address of a host, such as `deploy@10.0.0.11:2222`.
  public func address(of host: HostRecord) -> String {
    let user =
      host.username.isEmpty
      ? host.identity.flatMap(identity)?.username ?? "" : host.username
    let isStandard = host.endpoint.port == host.connectionProtocol.defaultPort
    let place = isStandard ? host.endpoint.host : Self.text(host.endpoint)
    return user.isEmpty ? place : "\(user)@\(place)"
  }

  /// The names of the hosts on the way to a host, itself last; jumps that are gone are `?`.
  public func way(to host: HostRecord) -> [String] {
    way(to: host, room: Route.maximumHops, seen: [host.id])
  }

  private func way(to host: HostRecord, room: Int, seen: Set<HostID>) -> [String] {
    var names: [String] = []
    for jump in host.jumps where names.count < room {
      switch jump {
      case .text(let text): names.append(text)
      case .saved(let id):
        guard let next = self.host(id) else {
          names.append("?")
          continue
        }
        guard !seen.contains(id) else {
          names.append(next.name)
          continue
        }
        names += way(to: next, room: room - names.count, seen: seen.union([id]))
      }
    }
    return names + [host.name.isEmpty ? host.defaultName : host.name]
  }

  /// What a jump is called.
  public func name(of jump: HostJump) -> String {
    switch jump {
    case .saved(let id): host(id)?.name ?? "deleted host"
    case .text(let text): text
    }
  }

  private static func text(_ endpoint: SSHEndpoint) -> String {
    endpoint.host.contains(":")
      ? "[\(endpoint.host)]:\(endpoint.port)" : "\(endpoint.host):\(endpoint.port)"
  }

  private mutating func hostsChanged() {
    hostPlaces = Self.places(hosts.map(\.id))
    identityUses = [:]
    for case let id? in hosts.lazy.map(\.identity) { identityUses[id, default: 0] += 1 }
  }

  private mutating func identitiesChanged() {
    identityPlaces = Self.places(identities.map(\.id))
    keyUses = [:]
    for key in identities.lazy.flatMap(\.keys) { keyUses[key, default: 0] += 1 }
  }

  private static func places<ID: Hashable>(_ ids: [ID]) -> [ID: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }
}
