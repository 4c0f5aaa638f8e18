public import TermindDomain

/// Keeps host keys; independent of saved hosts.
public protocol KnownHostStoring: Sendable {
  /// Every key trusted for exactly this endpoint, oldest first.
  ///
  /// Keys with markers, patterns and hashed names are not among them: see `knownHostRules()`.
  func knownHosts(at endpoint: SSHEndpoint) async throws(StoreError) -> [KnownHostRecord]
  /// The records whose names must be matched: all with a marker, patterns, or a hashed name.
  func knownHostRules() async throws(StoreError) -> [KnownHostRecord]
  /// Remembers a key beside those that are already there; adding it again changes nothing.
  func add(_ record: KnownHostRecord) async throws(StoreError)
  /// Puts a key in the place of every trusted key of the same type with the same names, in one step.
  func replace(with record: KnownHostRecord) async throws(StoreError)
}

/// Keeps host keys, for those who list and edit them.
public protocol KnownHostLibrary: KnownHostStoring {
  /// Every record, by names and then oldest first.
  func knownHosts() async throws(StoreError) -> [KnownHostRecord]
  /// Remembers keys beside those that are already there, all or none.
  ///
  /// - Parameter records: What to remember; what says the same as a record that is there changes nothing.
  /// - Returns: How many were new.
  /// - Throws: Why none was written.
  @discardableResult
  func add(_ records: [KnownHostRecord]) async throws(StoreError) -> Int
  /// Removes records, all or none.
  func delete(_ ids: [KnownHostID]) async throws(StoreError)
}
