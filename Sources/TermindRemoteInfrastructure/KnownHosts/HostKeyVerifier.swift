public import TermindApplication
public import TermindDomain

/// Knows host keys: our own table with its rules, which it writes, and OpenSSH's known_hosts files, which
/// it only reads.
public struct HostKeyVerifier: Sendable {
  /// How our own table is named as the source of a key.
  public static let ownSource = "Termind"

  private let store: any KnownHostStoring
  private let reader: KnownHostsReader

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - store: Our own table.
  ///   - files: The known_hosts files, in order; absent ones are skipped.
  public init(store: any KnownHostStoring, files: [String]) {
    self.store = store
    reader = KnownHostsReader(paths: files)
  }

  /// The files that OpenSSH reads by default.
  public static func standardFiles(home: String) -> [String] {
    [
      "\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts",
      "/etc/ssh/ssh_known_hosts2",
    ]
  }

  /// Collects what is known about an endpoint; each hop of a route is asked under its own name.
  ///
  /// The files are read anew, off the calling executor.
  /// - Parameter endpoint: The endpoint as the person gave it.
  /// - Returns: The known keys and what was skipped.
  /// - Throws: Why our own table cannot be read; the host must not be treated as unknown then.
  public func knowledge(of endpoint: SSHEndpoint) async throws(StoreError) -> HostKeyKnowledge {
    let records = try await store.knownHosts(at: endpoint)
    var entries = records.map { record in
      HostKeyKnowledge.Entry(key: record.key, source: Self.ownSource, since: record.since)
    }
    let rules = KnownHostRules(try await store.knownHostRules())
    entries += await rules.entries(about: endpoint)
    let found = await reader.search(for: endpoint)
    entries += found.entries
    return HostKeyKnowledge(endpoint: endpoint, entries: entries, notes: found.notes)
  }

  /// Writes a decision into our own table.
  ///
  /// - Parameters:
  ///   - key: The key that the person trusts.
  ///   - endpoint: Where it was offered.
  ///   - verdict: What was known; a changed key replaces those of its type.
  ///   - time: Now, in seconds since 1970.
  /// - Throws: Why it could not be stored.
  public func remember(
    _ key: HostKey,
    at endpoint: SSHEndpoint,
    after verdict: HostKeyVerdict,
    time: Int64
  ) async throws(StoreError) {
    let record = KnownHostRecord(endpoint: endpoint, key: key, since: time)
    if case .changed = verdict {
      try await store.replace(with: record)
    } else {
      try await store.add(record)
    }
  }
}
