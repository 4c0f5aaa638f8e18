/// What a host key of the vault says about the hosts that it names.
public enum KnownHostMarker: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is the host's own key.
  case trusted
  /// It must never be accepted (`@revoked`).
  case revoked
  /// It signs the host certificates of these hosts (`@cert-authority`).
  case certificateAuthority
}

/// Which hosts a host key is about.
public enum KnownHostNames: Hashable, Sendable {
  /// Exactly one endpoint, as the person gave it.
  case endpoint(SSHEndpoint)
  /// The first field of a known_hosts line: names and patterns, some negated, divided by commas.
  case patterns(String)
  /// One name as OpenSSH hashes it, `|1|salt|digest`, over the name with its port in wire form.
  case hashed(String)

  /// The names as the first field of a known_hosts line.
  public var text: String {
    switch self {
    case .endpoint(let endpoint):
      endpoint.port == 22 ? endpoint.host : "[\(endpoint.host)]:\(endpoint.port)"
    case .patterns(let text), .hashed(let text): text
    }
  }
}

/// One host key of the vault; independent of saved hosts.
public struct KnownHostRecord: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: KnownHostID
  /// Which hosts it is about.
  public let names: KnownHostNames
  /// What it says about them.
  public let marker: KnownHostMarker
  /// The key.
  public let key: HostKey
  /// The comment of the line that it came from.
  public let comment: String
  /// When it was first trusted, seconds since 1970.
  public let since: Int64

  /// Makes a record.
  public init(
    id: KnownHostID = KnownHostID(),
    names: KnownHostNames,
    marker: KnownHostMarker = .trusted,
    key: HostKey,
    comment: String = "",
    since: Int64
  ) {
    self.id = id
    self.names = names
    self.marker = marker
    self.key = key
    self.comment = comment
    self.since = since
  }

  /// Makes a record of a key that is trusted at one endpoint.
  public init(endpoint: SSHEndpoint, key: HostKey, since: Int64) {
    self.init(names: .endpoint(endpoint), key: key, since: since)
  }

  /// The endpoint when it is about exactly one; nil for patterns and hashed names.
  public var endpoint: SSHEndpoint? {
    guard case .endpoint(let endpoint) = names else { return nil }
    return endpoint
  }

  /// Whether two records say the same, whatever their identity and age.
  public func saysTheSame(as other: KnownHostRecord) -> Bool {
    names == other.names && marker == other.marker && key.type == other.key.type
      && key.blob == other.key.blob
  }
}
