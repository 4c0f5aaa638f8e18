public import TermindApplication
public import TermindDomain

/// Hosts, known hosts, settings and history in memory, with the rules of the real store.
public actor InMemoryVault: HostStoring, KnownHostStoring, SettingStoring, ConnectionHistoryStoring,
  EngineLessonStoring
{
  private var saved: [HostID: HostRecord] = [:]
  private var known: [KnownHostRecord] = []
  private var choices: [String: String] = [:]
  private var history: [String: ConnectionHistoryEntry] = [:]
  private var lessons: [SSHEndpoint: [String: EngineLesson]] = [:]

  /// Makes an empty vault.
  public init() {}

  // MARK: Hosts

  /// Every saved host, by name.
  public func hosts() throws(StoreError) -> [HostRecord] { saved.values.sortedByName() }

  /// Adds the record, or replaces the one with its id.
  public func save(_ host: HostRecord) throws(StoreError) {
    var host = host
    if host.name.isEmpty { host.name = host.defaultName }
    let isTaken = saved.values.contains {
      $0.name.utf8.elementsEqual(host.name.utf8) && $0.id != host.id
    }
    guard HostRecord.isValidName(host.name) else { throw .conflict("hosts.name") }
    guard !isTaken else { throw .nameTaken(.host, host.name) }
    if let used = saved[host.id]?.lastUsed { host.lastUsed = max(used, host.lastUsed ?? used) }
    if let old = saved[host.id], old.endpoint != host.endpoint || old.engine != host.engine {
      lessons[old.endpoint] = nil
      lessons[host.endpoint] = nil
    }
    saved[host.id] = host
  }

  /// Removes a record; trust in its keys stays.
  public func delete(_ id: HostID) throws(StoreError) {
    guard let old = saved.removeValue(forKey: id) else { throw .notFound }
    lessons[old.endpoint] = nil
    for (target, entry) in history where entry.host == id {
      history[target] = ConnectionHistoryEntry(
        target: target,
        host: nil,
        lastUsed: entry.lastUsed,
        count: entry.count
      )
    }
  }

  /// Notes that a host was connected to now.
  public func markUsed(_ id: HostID, at time: Int64) throws(StoreError) {
    guard saved[id] != nil else { throw .notFound }
    saved[id]?.lastUsed = time
  }

  // MARK: Known hosts

  /// The keys trusted for exactly this endpoint, oldest first.
  public func knownHosts(at endpoint: SSHEndpoint) throws(StoreError) -> [KnownHostRecord] {
    known.enumerated()
      .filter { $0.element.endpoint == endpoint && $0.element.marker == .trusted }
      .sorted { ($0.element.since, $0.offset) < ($1.element.since, $1.offset) }
      .map(\.element)
  }

  /// The records whose names must be matched: all with a marker, patterns, or a hashed name.
  public func knownHostRules() throws(StoreError) -> [KnownHostRecord] {
    known.filter { $0.endpoint == nil || $0.marker != .trusted }
  }

  /// Remembers a key beside those that are already there; adding it again changes nothing.
  public func add(_ record: KnownHostRecord) throws(StoreError) {
    let isKnown = known.contains {
      $0.endpoint == record.endpoint && $0.key.type == record.key.type
        && $0.key.blob == record.key.blob
    }
    if !isKnown { known.append(record) }
  }

  /// Puts a key in the place of every key of the same type at its endpoint, in one step.
  public func replace(with record: KnownHostRecord) throws(StoreError) {
    known.removeAll { $0.endpoint == record.endpoint && $0.key.type == record.key.type }
    known.append(record)
  }

  // MARK: Settings

  /// Every setting that was set.
  public func settings() throws(StoreError) -> [String: String] { choices }

  /// The value of a setting; nil when it was never set.
  public func setting(_ key: String) throws(StoreError) -> String? { choices[key] }

  /// Sets a value, or removes it with nil.
  public func setSetting(_ key: String, to value: String?) throws(StoreError) {
    choices[key] = value
  }

  // MARK: History

  /// Notes a connection; a saved host that is deleted by now counts as none.
  public func recordConnection(
    to target: String,
    host: HostID?,
    at time: Int64
  ) throws(StoreError) {
    history[target] = ConnectionHistoryEntry(
      target: target,
      host: host.flatMap { saved[$0] == nil ? nil : $0 },
      lastUsed: time,
      count: (history[target]?.count ?? 0) + 1
    )
    for entry in sortedHistory().dropFirst(500) { history[entry.target] = nil }
  }

  /// The latest entries, the newest first.
  public func recentConnections(limit: Int) throws(StoreError) -> [ConnectionHistoryEntry] {
    Array(sortedHistory().prefix(max(limit, 0)))
  }

  /// Removes an entry; one that is not there is no error.
  public func forgetConnection(to target: String) throws(StoreError) { history[target] = nil }

  // MARK: Lessons

  /// What is known of a server on a way; nil when nothing was learned.
  public func engineLesson(
    for endpoint: SSHEndpoint,
    way: String
  ) throws(StoreError) -> EngineLesson? { lessons[endpoint]?[way] }

  /// Keeps a lesson in the place of what was known of its server.
  public func remember(_ lesson: EngineLesson) throws(StoreError) {
    lessons[lesson.endpoint, default: [:]][lesson.way] = lesson
  }

  private func sortedHistory() -> [ConnectionHistoryEntry] {
    history.values.sorted { ($1.lastUsed, $0.target) < ($0.lastUsed, $1.target) }
  }
}
