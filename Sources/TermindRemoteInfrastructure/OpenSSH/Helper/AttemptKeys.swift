internal import TermindApplication
internal import TermindDomain

/// The keys of one attempt, as the agent that its `ssh` asks: what the identity selects and nothing else.
///
/// A locked key is opened when the server has accepted its public half. Nothing is kept after the attempt.
actor AttemptKeys {
  /// The most public keys and certificates that are offered; servers count each one.
  private static let maximumOffers = 5
  private static let maximumTries = 3
  private static let failure: [UInt8] = [5]

  private struct Offer {
    let blob: [UInt8]
    let comment: String
    /// The key of the ring; nil for one that only the person's agent can use.
    let key: AuthenticationKey.ID
  }

  private var ring: AuthenticationKeyRing
  private let offers: [Offer]
  private let agent: AgentClient?
  private let opener: KeyOpener
  /// Key files that our own code does not read and `ssh` may: of security keys, and those without a public half.
  nonisolated let foreignFiles: [String]
  /// What could not be used, for questions that come instead.
  nonisolated let unused: [UnusedKey]
  /// A key that the server would have taken, and why it was not opened.
  private var unopened: SkippedKey?

  init(
    ring: AuthenticationKeyRing,
    credentials: HopCredentials,
    agent: AgentClient?,
    opener: KeyOpener
  ) async {
    self.ring = ring
    self.agent = agent
    self.opener = opener
    let certificates = await Self.certificates(of: credentials)
    var offers: [Offer] = []
    var foreign: [String] = []
    for key in ring.keys {
      guard let publicKey = key.publicKey else {
        if case .file(let path) = key.place { foreign.append(path) }
        continue
      }
      // A certificate first: a server that trusts its authority need not know the key.
      for blob in (certificates[publicKey] ?? []) + [publicKey.blob] {
        offers.append(Offer(blob: blob, comment: key.name, key: key.id))
      }
    }
    self.offers = Array(offers.prefix(Self.maximumOffers))
    var unused: [UnusedKey] = []
    for skipped in ring.skipped {
      switch skipped.reason {
      case .unusable(.unsupportedKeyType), .unusable(.unsupportedCipher),
        .unusable(.unsupportedKeyDerivation):
        if skipped.label.hasPrefix("/") { foreign.append(skipped.label) }
      case .needsOpenSSHEngine: continue
      default:
        if let phrase = skipped.reason.phrase {
          unused.append(.key(label: skipped.label, reason: phrase))
        }
      }
    }
    if let problem = ring.agentProblem { unused.insert(.agent(reason: problem.phrase), at: 0) }
    foreignFiles = foreign
    self.unused = unused
  }

  /// Whether there is anything to offer.
  nonisolated var isEmpty: Bool { offers.isEmpty && foreignFiles.isEmpty }

  /// Answers a message of the agent protocol (draft-miller-ssh-agent), both without their lengths.
  func answer(_ message: [UInt8]) async -> [UInt8] {
    switch message.first {
    case 11: return list()
    case 13: return await sign(message) ?? Self.failure
    default: return Self.failure
    }
  }

  /// The key that was not opened, for questions that come instead.
  var notOpened: [UnusedKey] {
    guard let unopened, let phrase = unopened.reason.phrase else { return [] }
    return [.key(label: unopened.label, reason: phrase)]
  }

  /// Why signing in failed, when that was because a key which the server would have taken was not opened.
  func cause(
    behind cause: ConnectionFailureCause,
    isSilent: Bool
  ) -> ConnectionFailureCause {
    guard let unopened else { return cause }
    switch unopened.reason {
    case .secret(.locked) where isSilent: return .interactionRequired("secret store")
    case .needsPassphrase: return .interactionRequired("passphrase of \(unopened.label)")
    default:
      let reason = unopened.reason.phrase ?? "it was not unlocked"
      return .keyUnusable(path: unopened.label, reason: reason)
    }
  }

  private func list() -> [UInt8] {
    var writer = WireWriter()
    writer.byte(12)
    writer.uint32(UInt32(offers.count))
    for offer in offers {
      writer.string(offer.blob)
      writer.string(offer.comment)
    }
    return writer.bytes
  }

  private func sign(_ message: [UInt8]) async -> [UInt8]? {
    var reader = WireReader(message)
    // `try?`: what is no request is refused like one that cannot be met.
    guard (try? reader.byte()) != nil, let blob = try? reader.string(),
      let data = try? reader.string(), let flags = try? reader.uint32(),
      let offer = offers.first(where: { $0.blob == blob })
    else { return nil }
    let key = ring.keys[offer.key]
    if case .agent = key.place {
      // The person's agent knows better what its key needs, such as a touch.
      return try? await agent?.relay(message)
    }
    guard let signer = await signer(of: key) else { return nil }
    let algorithm = Self.algorithm(signer.algorithms, flags: flags)
    guard let algorithm, let signature = try? await signer.sign(data, algorithm: algorithm) else {
      return nil
    }
    var writer = WireWriter()
    writer.byte(14)
    writer.string(signature)
    return writer.bytes
  }

  private func signer(of key: AuthenticationKey) async -> (any SSHSigner)? {
    if let signer = ring.signer(for: key) { return signer }
    guard let source = ring.lockedSource(of: key) else { return nil }
    switch await opener.open(source) {
    case .opened(let opened):
      ring.keep(opened, for: key)
      return opened
    case .failed(let reason):
      if unopened == nil { unopened = SkippedKey(label: key.name, reason: reason) }
      return nil
    }
  }

  /// draft-miller-ssh-agent section 4.5.1.
  private static func algorithm(_ algorithms: [String], flags: UInt32) -> String? {
    guard algorithms.contains("ssh-rsa") else { return algorithms.first }
    if flags & 4 != 0 { return "rsa-sha2-512" }
    return flags & 2 != 0 ? "rsa-sha2-256" : "ssh-rsa"
  }

  /// The certificates of the vault's keys, and those beside key files, by the keys that they certify.
  private static func certificates(
    of credentials: HopCredentials
  ) async -> [SSHPublicKey: [[UInt8]]] {
    var files = credentials.keyFiles
    var blobs: [[UInt8]] = []
    for record in credentials.keys {
      if let certificate = record.certificate { blobs.append(certificate) }
      if case .file(let path) = record.location { files.append(path) }
    }
    let paths = files.map { "\($0)-cert.pub" }
    blobs += await BlockingWork.run { _ in
      paths.compactMap { path -> [UInt8]? in
        // `try?`: most keys have no certificate beside them.
        guard case .publicOnly(let key, _)? = try? PrivateKeyFile.load(path) else { return nil }
        return key.isCertificate ? key.blob : nil
      }
    }
    var found: [SSHPublicKey: [[UInt8]]] = [:]
    for blob in blobs {
      // `try?`: a certificate that cannot be read cannot be offered; its plain key still is.
      guard let certificate = try? SSHCertificate(blob: blob), certificate.purpose == .user else {
        continue
      }
      found[certificate.publicKey, default: []].append(blob)
    }
    return found
  }
}
