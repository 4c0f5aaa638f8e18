public import TermindApplication
public import TermindDomain

/// Known hosts in memory; it can be made to fail.
public actor InMemoryKnownHostStore: KnownHostStoring {
  private var records: [KnownHostRecord] = []
  private var failure: StoreError?

  /// Makes a store with records, oldest first.
  public init(_ records: [KnownHostRecord] = [], failure: StoreError? = nil) {
    self.records = records
    self.failure = failure
  }

  /// Everything in it.
  public var all: [KnownHostRecord] { records }

  /// The keys of an endpoint.
  public func knownHosts(at endpoint: SSHEndpoint) async throws(StoreError) -> [KnownHostRecord] {
    if let failure { throw failure }
    return records.filter { $0.endpoint == endpoint && $0.marker == .trusted }
  }

  /// The records whose names must be matched.
  public func knownHostRules() async throws(StoreError) -> [KnownHostRecord] {
    if let failure { throw failure }
    return records.filter { $0.endpoint == nil || $0.marker != .trusted }
  }

  /// Adds a record.
  public func add(_ record: KnownHostRecord) async throws(StoreError) {
    if let failure { throw failure }
    guard !records.contains(where: { $0.endpoint == record.endpoint && $0.key == record.key })
    else { return }
    records.append(record)
  }

  /// Replaces the records of the same endpoint and key type.
  public func replace(with record: KnownHostRecord) async throws(StoreError) {
    if let failure { throw failure }
    records.removeAll { $0.endpoint == record.endpoint && $0.key.type == record.key.type }
    records.append(record)
  }
}
