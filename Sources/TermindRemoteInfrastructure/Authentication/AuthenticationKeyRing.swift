public import TermindDomain

/// The keys that one identity may offer to one server, and the means to sign with them.
///
/// The order: files that were named, each as its agent key when the agent holds it; then the agent's
/// other keys; then the default files. No public key stands in it twice.
public struct AuthenticationKeyRing: Sendable {
  private enum Holder: Sendable {
    case ready(any SSHSigner)
    case locked(LockedKey)
  }

  /// The keys in the order in which they are offered; ids are indexes.
  public private(set) var keys: [AuthenticationKey] = []
  /// Named files that cannot be used, and an agent that should be there and is not.
  public private(set) var skipped: [SkippedKey] = []
  /// Why the agent's keys are not known; `nil` when they are, or when it was not asked.
  public private(set) var agentProblem: AgentError?
  private var holders: [Holder] = []

  /// Collects keys from files and the agent; never asks the person.
  ///
  /// - Parameters:
  ///   - credentials: What the identity selects. A named `.pub` file stands for the agent's key.
  ///   - defaultFiles: Files to try when none is named; those that are absent are passed over.
  ///   - agent: The agent; `nil` when there is none.
  public init(
    for credentials: HopCredentials,
    defaultFiles: [String] = [],
    agent: AgentClient?
  ) async {
    let named = credentials.keyFiles
    let files = await BlockingWork.run { _ in
      (named.isEmpty ? defaultFiles : named).map { path in
        (path: path, result: Result { () throws(KeyFileError) in try PrivateKeyFile.load(path) })
      }
    }
    let wantsAgent =
      credentials.usesAgent
      || files.contains { file in
        if case .success(.publicOnly) = file.result { true } else { false }
      }
    var identities: [AgentIdentity] = []
    if wantsAgent, let agent {
      do throws(AgentError) {
        identities = try await agent.identities()
      } catch {
        agentProblem = error
      }
    }
    if !named.isEmpty {
      for file in files { add(file.path, file.result, credentials, agent, identities) }
    }
    if credentials.usesAgent, let agent {
      for identity in identities { add(identity, agent) }
    }
    if named.isEmpty {
      for file in files where file.result != .absent {
        add(file.path, file.result, credentials, agent, identities)
      }
    }
  }

  /// The signer of a key; `nil` while it is locked.
  public func signer(for key: AuthenticationKey) -> (any SSHSigner)? {
    guard holders.indices.contains(key.id), case .ready(let signer) = holders[key.id] else {
      return nil
    }
    return signer
  }

  /// Opens a locked key and keeps it open in this ring.
  ///
  /// - Parameters:
  ///   - key: A key of this ring.
  ///   - passphrase: Its passphrase.
  /// - Returns: The public half, for the planner.
  /// - Throws: `wrongPassphrase`, or what is broken.
  public mutating func unlock(
    _ key: AuthenticationKey,
    passphrase: SecretBytes
  ) async throws(KeyFileError) -> SSHPublicKey {
    guard holders.indices.contains(key.id) else { throw .absent }
    switch holders[key.id] {
    case .ready(let signer):
      guard let publicKey = try? SSHPublicKey(blob: signer.publicKeyBlob) else {
        // `try?`: the blob was read before; there is no better reason to give.
        throw .malformed(reason: "unreadable public key")
      }
      return publicKey
    case .locked(let locked):
      let opened = try await locked.unlock(passphrase)
      holders[key.id] = .ready(opened)
      keys[key.id].isLocked = false
      keys[key.id].publicKey = opened.publicKey
      return opened.publicKey
    }
  }

  // MARK: - Collecting

  private mutating func add(
    _ path: String,
    _ result: Result<LoadedKey, KeyFileError>,
    _ credentials: HopCredentials,
    _ agent: AgentClient?,
    _ identities: [AgentIdentity]
  ) {
    switch result {
    case .failure(let error):
      skipped.append(SkippedKey(label: path, reason: .unusable(error)))
    case .success(.publicOnly(let publicKey, _)):
      guard let agent, let identity = identities.first(where: { $0.publicKey == publicKey }) else {
        skipped.append(SkippedKey(label: path, reason: .unusable(.agentLacksKey)))
        return
      }
      add(identity, agent)
    case .success(.ready(let key)):
      append(.file(path: path), key.publicKey, .ready(key))
    case .success(.locked(let locked)):
      let held = identities.first { $0.publicKey == locked.publicKey }
      if credentials.usesAgent, let agent, let held {
        add(held, agent)
      } else {
        append(.file(path: path), locked.publicKey, .locked(locked))
      }
    }
  }

  private mutating func add(_ identity: AgentIdentity, _ agent: AgentClient) {
    append(
      .agent(comment: identity.comment),
      identity.publicKey,
      .ready(AgentSigner(client: agent, publicKey: identity.publicKey))
    )
  }

  private mutating func append(
    _ place: AuthenticationKey.Place,
    _ publicKey: SSHPublicKey?,
    _ holder: Holder
  ) {
    if let publicKey, keys.contains(where: { $0.publicKey == publicKey }) { return }
    let isLocked = if case .locked = holder { true } else { false }
    keys.append(
      AuthenticationKey(id: keys.count, place: place, publicKey: publicKey, isLocked: isLocked)
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
