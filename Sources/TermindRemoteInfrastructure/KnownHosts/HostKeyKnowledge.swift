public import TermindApplication
public import TermindDomain

/// What is known about an offered host key.
public enum HostKeyVerdict: Hashable, Sendable {
  /// This key is trusted for the endpoint; `source` is our own table or a file's path.
  case known(source: String)
  /// Nothing is known about the endpoint.
  case unknown
  /// Only keys of other types are known.
  case newType(known: [KnownKeySummary])
  /// Another key of the same type is known.
  case changed(known: [KnownKeySummary])
  /// The key is marked `@revoked`; it must be refused without a question.
  case revoked(source: String)

  /// The question to put to the person; `nil` when there is none.
  public var doubt: HostKeyDoubt? {
    switch self {
    case .known, .revoked: nil
    case .unknown: .unknown
    case .newType(let known): .newType(known: known)
    case .changed(let known): .changed(known: known)
    }
  }
}

/// How a server's host key algorithms meet ours.
public enum HostKeyNegotiation: Hashable, Sendable {
  /// At least one algorithm is common.
  case possible
  /// The server offers host certificates only, and the engine cannot check them.
  ///
  /// - `authorityKnown` says whether a `@cert-authority` line covers the host, so that an engine
  ///   that checks certificates would connect without a question.
  case certificatesOnly(offered: [String], authorityKnown: Bool)
  /// Nothing is common.
  case impossible(offered: [String], supported: [String])

  /// The failure to report; `nil` when negotiation is possible.
  public func cause(supported: [String]) -> ConnectionFailureCause? {
    switch self {
    case .possible: nil
    case .certificatesOnly(let offered, _):
      .noCommonAlgorithm(kind: "host certificate", offered: offered, supported: supported)
    case .impossible(let offered, let supported):
      .noCommonAlgorithm(kind: "host key", offered: offered, supported: supported)
    }
  }
}

/// Everything known about one endpoint, taken before the key exchange, so that the decision inside
/// the attempt needs no I/O.
public struct HostKeyKnowledge: Sendable {
  /// One known key.
  public struct Entry: Hashable, Sendable {
    /// What is said about the key.
    public let marker: KnownHostsMarker
    /// The key.
    public let key: HostKey
    /// Our own table or a file's path.
    public let source: String
    /// When it was first trusted, when that is known.
    public let since: Int64?
    /// Whether it stands under the host's name without the port, as lines for port 22 do.
    public let isPortless: Bool

    /// Makes an entry.
    public init(
      marker: KnownHostsMarker = .none,
      key: HostKey,
      source: String,
      since: Int64? = nil,
      isPortless: Bool = false
    ) {
      self.marker = marker
      self.key = key
      self.source = source
      self.since = since
      self.isPortless = isPortless
    }
  }

  /// The endpoint.
  public let endpoint: SSHEndpoint
  /// The known keys, our own table first, then the files in order.
  public let entries: [Entry]
  /// What was skipped while reading the files.
  public let notes: [KnownHostsNote]

  /// Makes knowledge from entries.
  public init(endpoint: SSHEndpoint, entries: [Entry], notes: [KnownHostsNote] = []) {
    self.endpoint = endpoint
    self.entries = entries
    self.notes = notes
  }

  /// Judges an offered key.
  ///
  /// `@revoked` wins over everything. A key that stands under the host's name without its port is
  /// accepted when it is exactly the offered one; it never makes another key look changed.
  public func verdict(for key: HostKey) -> HostKeyVerdict {
    let same = entries.filter { $0.key.blob == key.blob }
    if let revoked = same.first(where: { $0.marker == .revoked }) {
      return .revoked(source: revoked.source)
    }
    if let trusted = same.first(where: { $0.marker == .none }) {
      return .known(source: trusted.source)
    }
    let known = entries.filter { $0.marker == .none && !$0.isPortless }
    let sameType = known.filter { Self.family(of: $0.key.type) == Self.family(of: key.type) }
    if !sameType.isEmpty { return .changed(known: sameType.map(Self.summary)) }
    return known.isEmpty ? .unknown : .newType(known: known.map(Self.summary))
  }

  /// Whether a `@cert-authority` line covers the endpoint.
  public var hasCertificateAuthority: Bool {
    entries.contains { $0.marker == .certificateAuthority }
  }

  /// The supported host key algorithms, those of known types first, the order otherwise kept.
  ///
  /// Certificate algorithms come first where a certificate authority is known.
  public func ordered(_ supported: [String]) -> [String] {
    let trusted = entries.filter { $0.marker == .none }
    let exact = trusted.filter { !$0.isPortless }
    let families = Set((exact.isEmpty ? trusted : exact).map { Self.family(of: $0.key.type) })
    func rank(_ algorithm: String) -> Int {
      if SSHKeyType.isCertificate(algorithm) { return hasCertificateAuthority ? 0 : 2 }
      return families.contains(Self.family(of: algorithm)) ? 1 : 2
    }
    return (0...2).flatMap { wanted in supported.filter { rank($0) == wanted } }
  }

  /// Compares what a server offers with what the engine supports.
  public func negotiation(offered: [String], supported: [String]) -> HostKeyNegotiation {
    if offered.contains(where: supported.contains) { return .possible }
    if !offered.isEmpty, offered.allSatisfy(SSHKeyType.isCertificate) {
      return .certificatesOnly(offered: offered, authorityKnown: hasCertificateAuthority)
    }
    return .impossible(offered: offered, supported: supported)
  }

  /// The key type of an algorithm name, or the name itself when it is unknown.
  private static func family(of algorithm: String) -> String {
    SSHKeyType(algorithm: algorithm)?.rawValue ?? algorithm
  }

  private static func summary(of entry: Entry) -> KnownKeySummary {
    KnownKeySummary(
      type: entry.key.type,
      fingerprint: entry.key.fingerprint,
      since: entry.since,
      source: entry.source
    )
  }
}
