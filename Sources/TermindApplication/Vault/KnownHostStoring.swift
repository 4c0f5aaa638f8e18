public import TermindDomain

/// One trusted key of the vault's known-hosts table.
public struct KnownHostRecord: Hashable, Sendable {
  /// The endpoint that the key was offered at.
  public let endpoint: SSHEndpoint
  /// The key.
  public let key: HostKey
  /// When it was first trusted, seconds since 1970.
  public let since: Int64

  /// Makes a record.
  public init(endpoint: SSHEndpoint, key: HostKey, since: Int64) {
    self.endpoint = endpoint
    self.key = key
    self.since = since
  }
}

/// Keeps trusted host keys; independent of saved hosts.
public protocol KnownHostStoring: Sendable {
  /// The keys trusted for exactly this endpoint, oldest first.
  func knownHosts(at endpoint: SSHEndpoint) async throws(StoreError) -> [KnownHostRecord]
  /// Remembers a key beside those that are already there; adding it again changes nothing.
  func add(_ record: KnownHostRecord) async throws(StoreError)
  /// Puts a key in the place of every key of the same type at its endpoint, in one step.
  func replace(with record: KnownHostRecord) async throws(StoreError)
}
