import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

/// Keeps trusted keys in memory.
actor InMemoryKnownHosts: KnownHostStoring {
  private(set) var records: [KnownHostRecord] = []
  private let failure: StoreError?

  init(_ records: [KnownHostRecord] = [], failure: StoreError? = nil) {
    self.records = records
    self.failure = failure
  }

  func knownHosts(at endpoint: SSHEndpoint) async throws(StoreError) -> [KnownHostRecord] {
    if let failure { throw failure }
    return records.filter { $0.endpoint == endpoint && $0.marker == .trusted }
  }

  func knownHostRules() async throws(StoreError) -> [KnownHostRecord] {
    if let failure { throw failure }
    return records.filter { $0.endpoint == nil || $0.marker != .trusted }
  }

  func add(_ record: KnownHostRecord) async throws(StoreError) {
    if !records.contains(where: { $0.endpoint == record.endpoint && $0.key == record.key }) {
      records.append(record)
    }
  }

  func replace(with record: KnownHostRecord) async throws(StoreError) {
    records.removeAll { $0.endpoint == record.endpoint && $0.key.type == record.key.type }
    records.append(record)
  }
}

@Suite("Host key verifier") struct HostKeyVerifierTests {
  static func key(_ seed: UInt8, type: SSHKeyType = .ed25519) throws -> HostKey {
    var writer = WireWriter()
    writer.string(type.rawValue)
    if let curve = EllipticCurve(type) {
      writer.string(curve.rawValue)
      writer.string([4] + [UInt8](repeating: seed, count: 2 * curve.fieldByteCount))
    } else if type == .rsa {
      writer.mpint([1, 0, 1])
      writer.mpint([UInt8](repeating: seed, count: 256))
    } else {
      writer.string([UInt8](repeating: seed, count: 32))
    }
    return try HostKey(blob: writer.bytes)
  }

  static func line(_ hosts: String, _ key: HostKey) -> String {
    "\(hosts) \(key.type) \(Base64Codec.encodeUnpadded(key.blob))\n"
  }

  private func knowledge(
    _ text: String,
    of endpoint: SSHEndpoint,
    records: [KnownHostRecord] = []
  ) async throws -> HostKeyKnowledge {
    let workshop = try KeyWorkshop()
    let path = try workshop.write("known_hosts", text)
    let verifier = HostKeyVerifier(
      store: InMemoryKnownHosts(records),
      files: [workshop.path("absent"), path]
    )
    return try await verifier.knowledge(of: endpoint)
  }

  @Test("tells known, unknown, new type and changed apart")
  func verdicts() async throws {
    let endpoint = SSHEndpoint(host: "example.org")
    let known = try Self.key(1)
    let text = Self.line("example.org", known)
    let knowledge = try await knowledge(text, of: endpoint)
    guard case .known(let source) = knowledge.verdict(for: known) else {
      Issue.record("not known")
      return
    }
    #expect(source.hasSuffix("/known_hosts"))
    let summary = KnownKeySummary(
      type: "ssh-ed25519",
      fingerprint: known.fingerprint,
      since: nil,
      source: source
    )
    #expect(knowledge.verdict(for: try Self.key(2)) == .changed(known: [summary]))
    let other = knowledge.verdict(for: try Self.key(1, type: .ecdsaP256))
    #expect(other == .newType(known: [summary]))
    #expect(other.doubt == .newType(known: [summary]))
    let elsewhere = try await self.knowledge(text, of: SSHEndpoint(host: "example.com"))
    #expect(elsewhere.verdict(for: known) == .unknown)
    #expect(elsewhere.verdict(for: known).doubt == .unknown)
  }

  @Test("joins our own table with the files: a key in either is known")
  func joins() async throws {
    let endpoint = SSHEndpoint(host: "example.org", port: 2222)
    let own = try Self.key(1)
    let filed = try Self.key(2)
    let record = KnownHostRecord(endpoint: endpoint, key: own, since: 1000)
    let knowledge = try await knowledge(
      Self.line("[example.org]:2222", filed),
      of: endpoint,
      records: [record]
    )
    #expect(knowledge.verdict(for: own) == .known(source: HostKeyVerifier.ownSource))
    guard case .known = knowledge.verdict(for: filed) else {
      Issue.record("the file's key is not known")
      return
    }
    guard case .changed(let known) = knowledge.verdict(for: try Self.key(3)) else {
      Issue.record("not changed")
      return
    }
    #expect(known.map(\.since) == [1000, nil])
  }

  @Test("rules of our own table mean what the lines of a file mean")
  func ownRules() async throws {
    let key = try Self.key(1)
    let authority = try Self.key(2)
    // As `ssh-keygen -H` writes `[example.org]:2222`.
    let name = KnownHostsFile.name(of: SSHEndpoint(host: "example.org", port: 2222))
    let salt = [UInt8](repeating: 9, count: 20)
    let hashed = try Self.hashed(name, salt)
    let records = [
      KnownHostRecord(names: .hashed(hashed), key: key, since: 5),
      KnownHostRecord(
        names: .patterns("*.org,!bad.org"),
        marker: .certificateAuthority,
        key: authority,
        since: 6
      ),
      KnownHostRecord(
        names: .endpoint(SSHEndpoint(host: "one.net")),
        marker: .revoked,
        key: key,
        since: 7
      ),
      KnownHostRecord(names: .hashed("|1|broken"), key: key, since: 8),
    ]
    let port = SSHEndpoint(host: "Example.org", port: 2222)
    let found = try await knowledge("", of: port, records: records)
    #expect(found.verdict(for: key) == .known(source: HostKeyVerifier.ownSource))
    #expect(found.hasCertificateAuthority)
    guard case .changed(let known) = found.verdict(for: authority) else {
      Issue.record("an authority's key is no host key")
      return
    }
    #expect(known.map(\.since) == [5])
    let bad = try await knowledge("", of: SSHEndpoint(host: "bad.org"), records: records)
    #expect(!bad.hasCertificateAuthority)
    #expect(bad.verdict(for: key) == .unknown)
    for port: UInt16 in [22, 2222] {
      let one = SSHEndpoint(host: "one.net", port: port)
      let revoked = try await knowledge(Self.line("one.net", key), of: one, records: records)
      #expect(revoked.verdict(for: key) == .revoked(source: HostKeyVerifier.ownSource))
    }
  }

  private static func hashed(_ name: [UInt8], _ salt: [UInt8]) throws -> String {
    func pad(_ value: UInt8) -> [UInt8] {
      (0..<64).map { $0 < salt.count ? salt[$0] ^ value : value }
    }
    let inner = Digest.sha1.hash(pad(0x36) + name)
    let hash = Digest.sha1.hash(pad(0x5c) + inner)
    return "|1|\(Base64Codec.encodeUnpadded(salt))=|\(Base64Codec.encodeUnpadded(hash))="
  }

  @Test("refuses a revoked key even when it is also trusted")
  func revoked() async throws {
    let endpoint = SSHEndpoint(host: "example.org")
    let key = try Self.key(1)
    let record = KnownHostRecord(endpoint: endpoint, key: key, since: 1)
    let knowledge = try await knowledge(
      "@revoked " + Self.line("*", key),
      of: endpoint,
      records: [record]
    )
    guard case .revoked = knowledge.verdict(for: key) else {
      Issue.record("not refused")
      return
    }
    #expect(knowledge.verdict(for: key).doubt == nil)
    #expect(
      knowledge.verdict(for: try Self.key(2))
        == .changed(known: [
          KnownKeySummary(
            type: key.type,
            fingerprint: key.fingerprint,
            since: 1,
            source: HostKeyVerifier.ownSource
          )
        ])
    )
  }

  @Test("accepts exactly the key of the host without its port, and never calls another one changed")
  func portless() async throws {
    let endpoint = SSHEndpoint(host: "example.org", port: 2222)
    let key = try Self.key(1)
    let knowledge = try await knowledge(Self.line("example.org", key), of: endpoint)
    guard case .known = knowledge.verdict(for: key) else {
      Issue.record("not known")
      return
    }
    #expect(knowledge.verdict(for: try Self.key(2)) == .unknown)
  }

  @Test("knows each hop under its own name only")
  func hops() async throws {
    let bastion = SSHEndpoint(host: "bastion")
    let target = SSHEndpoint(host: "target")
    let first = try Self.key(1)
    let second = try Self.key(2)
    let text = Self.line("bastion", first) + Self.line("target", second)
    #expect(try await knowledge(text, of: target).verdict(for: first).doubt != nil)
    #expect(try await knowledge(text, of: target).verdict(for: second).doubt == nil)
    #expect(try await knowledge(text, of: bastion).verdict(for: first).doubt == nil)
  }

  @Test(
    "puts the algorithms of known types first",
    arguments: [
      (SSHKeyType.ed25519, ["ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-512", "ssh-rsa"]),
      (.rsa, ["rsa-sha2-512", "ssh-rsa", "ecdsa-sha2-nistp256", "ssh-ed25519"]),
      (.ecdsaP384, ["ecdsa-sha2-nistp256", "ssh-ed25519", "rsa-sha2-512", "ssh-rsa"]),
    ]
  )
  func order(type: SSHKeyType, expected: [String]) async throws {
    let supported = ["ecdsa-sha2-nistp256", "ssh-ed25519", "rsa-sha2-512", "ssh-rsa"]
    let knowledge = try await knowledge(
      Self.line("host", try Self.key(1, type: type)),
      of: SSHEndpoint(host: "host")
    )
    #expect(knowledge.ordered(supported) == expected)
  }

  @Test("names a server that offers host certificates only")
  func certificatesOnly() async throws {
    let supported = ["ssh-ed25519", "ecdsa-sha2-nistp256"]
    let offered = ["ssh-ed25519-cert-v01@openssh.com", "rsa-sha2-512-cert-v01@openssh.com"]
    let authority = "@cert-authority " + Self.line("*.x", try Self.key(9))
    let knowledge = try await knowledge(authority, of: SSHEndpoint(host: "a.x"))
    #expect(knowledge.hasCertificateAuthority)
    let negotiation = knowledge.negotiation(offered: offered, supported: supported)
    #expect(negotiation == .certificatesOnly(offered: offered, authorityKnown: true))
    #expect(
      negotiation.cause(supported: supported)
        == .noCommonAlgorithm(kind: "host certificate", offered: offered, supported: supported)
    )
    #expect(knowledge.negotiation(offered: ["ssh-ed25519"], supported: supported) == .possible)
    #expect(
      knowledge.negotiation(offered: ["ssh-dss"], supported: supported)
        == .impossible(offered: ["ssh-dss"], supported: supported)
    )
    #expect(knowledge.ordered(["ssh-ed25519"] + offered) == offered + ["ssh-ed25519"])
    // The authority signs keys; it is no host key itself.
    #expect(knowledge.verdict(for: try Self.key(9)) == .unknown)
  }

  @Test("adds a new key, and replaces a changed one of its type only")
  func remembers() async throws {
    let endpoint = SSHEndpoint(host: "h")
    let store = InMemoryKnownHosts()
    let verifier = HostKeyVerifier(store: store, files: [])
    let first = try Self.key(1)
    let curve = try Self.key(1, type: .ecdsaP256)
    let second = try Self.key(2)
    for (key, time) in [(first, 1), (curve, 2), (second, 3)] as [(HostKey, Int64)] {
      let verdict = try await verifier.knowledge(of: endpoint).verdict(for: key)
      try await verifier.remember(key, at: endpoint, after: verdict, time: time)
    }
    #expect(await store.records.map(\.key) == [curve, second])
  }

  @Test("does not treat a host as unknown when our own table cannot be read")
  func storeFailure() async throws {
    let store = InMemoryKnownHosts(failure: .locked(path: "/db"))
    let verifier = HostKeyVerifier(store: store, files: [])
    await #expect(throws: StoreError.locked(path: "/db")) {
      try await verifier.knowledge(of: SSHEndpoint(host: "h"))
    }
  }

  @Test("notes a file that cannot be read")
  func unreadableFile() async throws {
    let workshop = try KeyWorkshop()
    let verifier = HostKeyVerifier(store: InMemoryKnownHosts(), files: [workshop.path(".")])
    let knowledge = try await verifier.knowledge(of: SSHEndpoint(host: "h"))
    #expect(knowledge.notes.map(\.reason) == ["not a regular file"])
  }
}
