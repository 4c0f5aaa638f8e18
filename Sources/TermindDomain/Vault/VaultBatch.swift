/// Records that are written together: all of them, or none.
public struct VaultBatch: Hashable, Sendable {
  /// Keys.
  public var keys: [KeyRecord]
  /// Identities; they may name keys of the batch.
  public var identities: [IdentityRecord]
  /// Snippets.
  public var snippets: [SnippetRecord]
  /// Hosts; they may name identities, snippets and hosts of the batch.
  public var hosts: [HostRecord]
  /// Host keys.
  public var knownHosts: [KnownHostRecord]
  /// Templates; they may name hosts of the batch.
  public var templates: [WorkspaceTemplate]

  /// Makes a batch.
  public init(
    keys: [KeyRecord] = [],
    identities: [IdentityRecord] = [],
    snippets: [SnippetRecord] = [],
    hosts: [HostRecord] = [],
    knownHosts: [KnownHostRecord] = [],
    templates: [WorkspaceTemplate] = []
  ) {
    self.keys = keys
    self.identities = identities
    self.snippets = snippets
    self.hosts = hosts
    self.knownHosts = knownHosts
    self.templates = templates
  }

  /// How many records there are.
  public var count: Int {
    keys.count + identities.count + snippets.count + hosts.count + knownHosts.count
      + templates.count
  }

  /// Whether there is no record.
  public var isEmpty: Bool { count == 0 }
}
