public import TermindDomain

/// The keys that one identity may offer to one server, and the means to sign with them.
///
/// The order: files that were named, each as its agent key when the agent holds it; then the keys of the
/// vault in their order; then the agent's other keys; then, where nothing is named, the default files. No
/// public key stands in it twice.
public struct AuthenticationKeyRing: Sendable {
  private enum Holder: Sendable {
    case ready(any SSHSigner)
    case locked(LockedKeySource)
  }

  /// The keys in the order in which they are offered; ids are indexes.
  public private(set) var keys: [AuthenticationKey] = []
  /// Named files that cannot be used, and an agent that should be there and is not.
  public private(set) var skipped: [SkippedKey] = []
  /// Why the agent's keys are not known; `nil` when they are, or when it was not asked.
  public private(set) var agentProblem: AgentError?
  /// The agent whose keys come after all that stand here, and which was not asked for them yet.
  private var unreadAgent: AgentClient?
  private var holders: [Holder] = []

  /// Collects keys from files and the agent; never asks the person.
  ///
  /// Where named files are open and nothing else comes before the agent's keys, the agent is left for
  /// `withAgentKeys`: one that hangs holds up no key that comes before its own.
  ///
  /// - Parameters:
  ///   - credentials: What the identity selects. A named `.pub` file stands for the agent's key.
  ///   - defaultFiles: Files to try when nothing is named and no identity of the vault selects; those that
  ///     are absent are passed over.
  ///   - agent: The agent; `nil` when there is none.
  public init(
    for credentials: HopCredentials,
    defaultFiles: [String] = [],
    agent: AgentClient?
  ) async {
    let named = credentials.keyFiles
    let records = credentials.keys
    let usesDefaults = named.isEmpty && records.isEmpty && credentials.identity == nil
    let (files, recordFiles) = await BlockingWork.run { _ in
      (
        (usesDefaults ? defaultFiles : named).map { path in
          (path: path, result: Result { () throws(KeyFileError) in try PrivateKeyFile.load(path) })
        },
        records.map { record -> Result<LoadedKey, KeyFileError>? in
          guard case .file(let path) = record.location else { return nil }
          return Result { () throws(KeyFileError) in try PrivateKeyFile.load(path) }
        }
      )
    }
    let results = files.map(\.result) + recordFiles.compactMap { $0 }
    let wantsAgent =
      credentials.usesAgent || records.contains { $0.location == .agent }
      || results.contains { result in
        if case .success(.publicOnly) = result { true } else { false }
      }
    var identities: [AgentIdentity] = []
    if wantsAgent, let agent, agent.isNamed {
      if !named.isEmpty, records.isEmpty, Self.areOpen(results) {
        unreadAgent = agent
      } else {
        do throws(AgentError) {
          identities = try await agent.identities()
        } catch {
          agentProblem = error
        }
      }
    }
    let held = AgentHolding(agent: agent, identities: identities)
    if !named.isEmpty {
      for file in files { add(file.path, file.result, credentials, held) }
    }
    for (record, file) in zip(records, recordFiles) { add(record, file, credentials, held) }
    if credentials.usesAgent, let agent {
      for identity in identities { add(identity, agent) }
    }
    if usesDefaults {
      for file in files where file.result != .absent {
        add(file.path, file.result, credentials, held)
      }
    }
  }

  /// Whether there may be more keys, which `withAgentKeys` gives.
  var hasUnreadAgent: Bool { unreadAgent != nil }

  /// The ring with the keys of an agent that was not asked yet behind its own.
  ///
  /// - Parameter timeout: How long the agent may take; nil for as long as it is usually given.
  /// - Returns: The ring, whose `agentProblem` tells why there are none of them.
  func withAgentKeys(within timeout: Duration? = nil) async -> AuthenticationKeyRing {
    guard let agent = unreadAgent else { return self }
    var ring = self
    ring.unreadAgent = nil
    do throws(AgentError) {
      for identity in try await agent.identities(within: timeout) { ring.add(identity, agent) }
    } catch {
      ring.agentProblem = error
    }
    return ring
  }

  /// Whether a file gave a key, and none of them needs the agent or a passphrase.
  private static func areOpen(_ results: [Result<LoadedKey, KeyFileError>]) -> Bool {
    var hasKey = false
    for result in results {
      switch result {
      case .success(.ready): hasKey = true
      case .success(.locked), .success(.publicOnly): return false
      case .failure: break
      }
    }
    return hasKey
  }

  /// The signer of a key; `nil` while it is locked.
  public func signer(for key: AuthenticationKey) -> (any SSHSigner)? {
    guard holders.indices.contains(key.id), case .ready(let signer) = holders[key.id] else {
      return nil
    }
    return signer
  }

  /// What has to be opened before a key can sign; nil when it is open.
  func lockedSource(of key: AuthenticationKey) -> LockedKeySource? {
    guard holders.indices.contains(key.id), case .locked(let source) = holders[key.id] else {
      return nil
    }
    return source
  }

  /// Keeps a key that was opened, so that it signs from now on.
  mutating func keep(_ opened: PrivateKey, for key: AuthenticationKey) {
    guard holders.indices.contains(key.id) else { return }
    holders[key.id] = .ready(opened)
    keys[key.id].isLocked = false
    keys[key.id].publicKey = opened.publicKey
  }

  // MARK: - Collecting

  /// What the agent has.
  private struct AgentHolding {
    let agent: AgentClient?
    let identities: [AgentIdentity]

    /// The agent's way to sign with a key; nil when it does not hold it.
    func identity(of publicKey: SSHPublicKey?) -> (AgentIdentity, AgentClient)? {
      guard let agent, let publicKey,
        let identity = identities.first(where: { $0.publicKey == publicKey })
      else { return nil }
      return (identity, agent)
    }
  }

  private mutating func add(
    _ path: String,
    _ result: Result<LoadedKey, KeyFileError>,
    _ credentials: HopCredentials,
    _ held: AgentHolding,
    record: KeyRecord? = nil
  ) {
    let lacksCertificate = record?.certificate != nil
    switch result {
    case .failure(let error):
      skipped.append(SkippedKey(label: path, reason: .unusable(error)))
    case .success(.publicOnly(let publicKey, _)):
      guard let (identity, agent) = held.identity(of: publicKey) else {
        skipped.append(SkippedKey(label: path, reason: .unusable(.agentLacksKey)))
        return
      }
      add(identity, agent, lacksCertificate)
    case .success(.ready(let key)):
      append(.file(path: path), key.publicKey, .ready(key), lacksCertificate)
    case .success(.locked(let locked)):
      if credentials.usesAgent, let (identity, agent) = held.identity(of: locked.publicKey) {
        add(identity, agent, lacksCertificate)
      } else {
        let source = LockedKeySource(
          content: .file(locked, path: path),
          passphrase: record?.passphrase
        )
        append(.file(path: path), locked.publicKey, .locked(source), lacksCertificate)
      }
    }
  }

  /// Adds a key of the vault; what was found at its path comes with it.
  private mutating func add(
    _ record: KeyRecord,
    _ file: Result<LoadedKey, KeyFileError>?,
    _ credentials: HopCredentials,
    _ held: AgentHolding
  ) {
    let name = record.name.isEmpty ? record.defaultName : record.name
    if record.certificate != nil {
      skipped.append(
        SkippedKey(label: "the certificate of \(name)", reason: .needsOpenSSHEngine)
      )
    }
    if case .file(let path) = record.location, let file {
      return add(path, file, credentials, held, record: record)
    }
    let publicKey: SSHPublicKey
    do throws(PublicKeyError) {
      publicKey = try SSHPublicKey(blob: record.publicKey)
    } catch {
      skipped.append(SkippedKey(label: name, reason: .unusable(KeyFileError(error))))
      return
    }
    let lacksCertificate = record.certificate != nil
    if case .secret(let item) = record.location {
      if credentials.usesAgent, let (identity, agent) = held.identity(of: publicKey) {
        return add(identity, agent, lacksCertificate)
      }
      let source = LockedKeySource(
        content: .stored(item, name: name),
        passphrase: record.passphrase
      )
      append(.stored(name: name), publicKey, .locked(source), lacksCertificate)
    } else if let (identity, agent) = held.identity(of: publicKey) {
      add(identity, agent, lacksCertificate)
    } else {
      skipped.append(SkippedKey(label: name, reason: .agentLacksKey))
    }
  }

  private mutating func add(
    _ identity: AgentIdentity,
    _ agent: AgentClient,
    _ lacksCertificate: Bool = false
  ) {
    append(
      .agent(comment: identity.comment),
      identity.publicKey,
      .ready(AgentSigner(client: agent, publicKey: identity.publicKey)),
      lacksCertificate
    )
  }

  private mutating func append(
    _ place: AuthenticationKey.Place,
    _ publicKey: SSHPublicKey?,
    _ holder: Holder,
    _ lacksCertificate: Bool
  ) {
    if let publicKey, let known = keys.firstIndex(where: { $0.publicKey == publicKey }) {
      keys[known].lacksCertificate = keys[known].lacksCertificate || lacksCertificate
      return
    }
    var isLocked = false
    var opensFromStore = false
    if case .locked(let source) = holder {
      isLocked = true
      opensFromStore = source.opensFromStore
    }
    keys.append(
      AuthenticationKey(
        id: keys.count,
        place: place,
        publicKey: publicKey,
        isLocked: isLocked,
        opensFromStore: opensFromStore,
        lacksCertificate: lacksCertificate
      )
    )
    holders.append(holder)
  }
}

extension Result where Success == LoadedKey, Failure == KeyFileError {
  /// Compares with a failure only; keys are never compared.
  fileprivate static func != (left: Self, right: KeyFileError) -> Bool {
    if case .failure(let error) = left { error != right } else { true }
  }
}
