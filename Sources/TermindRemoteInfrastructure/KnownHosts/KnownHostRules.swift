internal import TermindDomain

/// The records of our own table whose names must be matched: markers, patterns and hashed names.
///
/// They mean what the same lines of a known_hosts file mean.
struct KnownHostRules: Sendable {
  private let records: [KnownHostRecord]

  init(_ records: [KnownHostRecord]) { self.records = records }

  /// What they say about an endpoint, in their order; hashed names take a digest each, so that this runs
  /// away from the caller.
  func entries(about endpoint: SSHEndpoint) async -> [HostKeyKnowledge.Entry] {
    guard !records.isEmpty else { return [] }
    let records = records
    return await BlockingWork.run { _ in
      let name = KnownHostsFile.name(of: endpoint)
      let exact = Self.entries(of: records, about: name, isPortless: false)
      guard endpoint.port != 22 else { return exact }
      let portless = KnownHostsFile.name(of: SSHEndpoint(host: endpoint.host))
      return exact + Self.entries(of: records, about: portless, isPortless: true)
    }
  }

  private static func entries(
    of records: [KnownHostRecord],
    about name: [UInt8],
    isPortless: Bool
  ) -> [HostKeyKnowledge.Entry] {
    var entries: [HostKeyKnowledge.Entry] = []
    for record in records where Self.names(record.names, match: name) {
      entries.append(
        HostKeyKnowledge.Entry(
          marker: KnownHostsMarker(record.marker),
          key: record.key,
          source: HostKeyVerifier.ownSource,
          since: record.since,
          isPortless: isPortless
        )
      )
    }
    return entries
  }

  private static func names(_ names: KnownHostNames, match name: [UInt8]) -> Bool {
    switch names {
    case .endpoint(let endpoint): return KnownHostsFile.name(of: endpoint) == name
    case .patterns(let text): return HostPattern.list(Array(text.utf8)[...], matches: name)
    case .hashed(let text):
      guard let hashed = HashedHost(Array(text.utf8)[...]), let digest = DigestHandle(.sha1) else {
        return false
      }
      return hashed.matches(name, using: digest)
    }
  }
}

extension KnownHostsMarker {
  init(_ marker: KnownHostMarker) {
    self =
      switch marker {
      case .trusted: .none
      case .revoked: .revoked
      case .certificateAuthority: .certificateAuthority
      }
  }
}
