public import TermindDomain

/// Keeps saved hosts.
public protocol HostStoring: Sendable {
  /// Every saved host, by name.
  func hosts() async throws(StoreError) -> [HostRecord]
  /// Adds the record, or replaces the one with its id; an empty name becomes the default one.
  func save(_ host: HostRecord) async throws(StoreError)
  /// Removes a record; trust in its keys stays.
  ///
  /// Hosts that jump through it keep the reference, so that none is ever reached on a shorter way.
  func delete(_ id: HostID) async throws(StoreError)
  /// Notes that a host was connected to now (seconds since 1970); no change for the journal.
  func markUsed(_ id: HostID, at time: Int64) async throws(StoreError)
}

/// Keeps identities.
public protocol IdentityStoring: Sendable {
  /// Every identity, by name.
  func identities() async throws(StoreError) -> [IdentityRecord]
  /// Adds the record, or replaces the one with its id; an empty name becomes the default one.
  func save(_ identity: IdentityRecord) async throws(StoreError)
  /// Removes a record; hosts that name it have none then. Its secrets are the caller's to remove.
  func delete(_ id: IdentityID) async throws(StoreError)
}

/// Keeps keys.
public protocol KeyStoring: Sendable {
  /// Every key, by name.
  func keys() async throws(StoreError) -> [KeyRecord]
  /// Adds the record, or replaces the one with its id; an empty name becomes the default one.
  func save(_ key: KeyRecord) async throws(StoreError)
  /// Removes a record; identities that offer it offer their others. Its secrets are the caller's to remove.
  func delete(_ id: KeyID) async throws(StoreError)
}

/// Keeps snippets.
public protocol SnippetStoring: Sendable {
  /// Every snippet, by name.
  func snippets() async throws(StoreError) -> [SnippetRecord]
  /// Adds the record, or replaces the one with its id; an empty name becomes the default one.
  func save(_ snippet: SnippetRecord) async throws(StoreError)
  /// Removes a record; hosts that start with it start with none.
  func delete(_ id: SnippetID) async throws(StoreError)
}

/// Keeps workspace templates.
public protocol TemplateStoring: Sendable {
  /// Every template, by name.
  func templates() async throws(StoreError) -> [WorkspaceTemplate]
  /// Adds the record, or replaces the one with its id.
  func save(_ template: WorkspaceTemplate) async throws(StoreError)
  /// Removes a record.
  func delete(_ id: TemplateID) async throws(StoreError)
}
