public import TermindDomain

/// Keeps saved hosts.
public protocol HostStoring: Sendable {
  /// Every saved host, by name.
  func hosts() async throws(StoreError) -> [HostRecord]
  /// Adds the record, or replaces the one with its id.
  func save(_ host: HostRecord) async throws(StoreError)
  /// Removes a record; trust in its keys stays.
  func delete(_ id: HostID) async throws(StoreError)
  /// Notes that a host was connected to now (seconds since 1970).
  func markUsed(_ id: HostID, at time: Int64) async throws(StoreError)
}
