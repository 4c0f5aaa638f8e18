internal import Dispatch
internal import FoundationEssentials
public import TermindApplication
public import TermindDomain

/// Secrets in the keyring of the desktop, through the Secret Service of the session's message bus.
///
/// Each call connects anew on a thread of its own; see `KeyringSession`. The keyring is the person's
/// default one, so that what unlocks it (a login, usually) unlocks this store, and `lock` locks it for
/// other programs as well.
public struct KeyringSecretStore: SecretStoring {
  /// How long calls may take that ask nobody.
  public struct Limits: Hashable, Sendable {
    /// How long `state` waits for an answer.
    public var probe: Duration
    /// How long anything else may take, but for the person.
    public var call: Duration

    /// Makes limits.
    public init(probe: Duration = .seconds(3), call: Duration = .seconds(15)) {
      self.probe = probe
      self.call = call
    }
  }

  private let address: String?
  private let scope: String
  private let limits: Limits
  private let clock: any Clock<Duration>
  private let queue = DispatchQueue(label: "termind.keyring")

  /// Names a store in a keyring; nothing is connected yet, and no library is loaded.
  ///
  /// - Parameters:
  ///   - address: The session's message bus; nil when there is none.
  ///   - scope: Tells the secrets of this store from those of others in the same keyring.
  ///   - limits: How long calls may take.
  ///   - clock: Measures them.
  public init(
    address: String?,
    scope: String,
    limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.address = address
    self.scope = scope
    self.limits = limits
    self.clock = clock
  }

  /// The keyring.
  public var place: SecretPlace { .keyring }

  /// Whether the keyring answers, and whether it is open; a keyring that does not exist yet is not set up.
  public func state() async -> SecretStoreState {
    do throws(SecretStoreError) {
      let isLocked = try await run(within: limits.probe) { (session) throws(SecretStoreError) in
        try session.isLocked()
      }
      guard let isLocked else { return .notSetUp }
      return isLocked ? .locked : .unlocked
    } catch {
      return .unusable(error)
    }
  }

  /// Lets the keyring ask for its password, where it is not open; also makes one where there is none.
  public func unlock(_ passphrase: SecretBytes?) async throws(SecretStoreError) {
    guard passphrase == nil else { throw .passphraseIsKeyrings }
    try await run(within: nil) { (session) throws(SecretStoreError) in
      if try session.isLocked() != false { try session.setLocked(false) }
    }
  }

  /// Locks the person's keyring.
  public func lock() async throws(SecretStoreError) {
    try await run(within: limits.call) { (session) throws(SecretStoreError) in
      try session.setLocked(true)
    }
  }

  /// Not possible: the desktop's own program changes the password of its keyring.
  public func changePassphrase(
    from old: SecretBytes?,
    to new: SecretBytes
  ) async throws(SecretStoreError) {
    throw .passphraseIsKeyrings
  }

  /// Keeps new secrets; those that were kept are removed again when one is not.
  public func create(_ secrets: [NewSecret]) async throws(SecretStoreError) -> [SecretID] {
    for secret in secrets { try Self.checkSize(secret.bytes) }
    return try await runOpen { (session) throws(SecretStoreError) in
      var kept: [SecretID] = []
      do throws(SecretStoreError) {
        for secret in secrets {
          let id = SecretID()
          try session.store(id, secret.bytes, label: Self.cut(secret.label))
          kept.append(id)
        }
      } catch {
        // `try?`: the first reason is what matters; `deleteUnnamed` finds what is left.
        for id in kept { try? session.delete(id) }
        throw error
      }
      return kept
    }
  }

  /// Reads one secret.
  public func read(_ id: SecretID) async throws(SecretStoreError) -> SecretBytes {
    try await run(within: limits.call) { (session) throws(SecretStoreError) in
      try session.read(id)
    }
  }

  /// Puts other bytes in the place of a secret.
  public func replace(_ id: SecretID, with bytes: SecretBytes) async throws(SecretStoreError) {
    try Self.checkSize(bytes)
    try await runOpen { (session) throws(SecretStoreError) in try session.replace(id, bytes) }
  }

  /// Removes secrets.
  public func delete(_ ids: [SecretID]) async throws(SecretStoreError) {
    guard !ids.isEmpty else { return }
    try await runOpen { (session) throws(SecretStoreError) in
      for id in ids { try session.delete(id) }
    }
  }

  /// Every secret of this store, by identifier.
  public func entries() async throws(SecretStoreError) -> [SecretEntry] {
    try await run(within: limits.call) { (session) throws(SecretStoreError) in
      try session.entries().sorted { $0.id.rawValue.uuidString < $1.id.rawValue.uuidString }
    }
  }

  // MARK: - Calls

  /// Runs what would make a locked keyring ask, only where it is open.
  private func runOpen<Value: Sendable>(
    _ body: @escaping @Sendable (KeyringSession) throws(SecretStoreError) -> Value
  ) async throws(SecretStoreError) -> Value {
    try await run(within: limits.call) { (session) throws(SecretStoreError) in
      switch try session.isLocked() {
      case nil: throw .notSetUp
      case true?: throw .locked
      case false?: return try body(session)
      }
    }
  }

  private func run<Value: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (KeyringSession) throws(SecretStoreError) -> Value
  ) async throws(SecretStoreError) -> Value {
    guard let address else { throw .noMessageBus }
    let scope = scope
    let cancellation = KeyringCancellation()
    let wait = KeyringWait<Value>()
    let clock = clock
    let timer = limit.map { limit in
      Task {
        // Ended early means that the call has ended.
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        let error = SecretStoreError.timedOut(seconds: Int(limit.components.seconds))
        cancellation.cancel(error)
        wait.finish(.failure(error))
      }
    }
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.begin(continuation)
        queue.async {
          wait.finish(
            Result { () throws(SecretStoreError) in
              try KeyringSession.run(at: address, scope: scope, cancellation, body)
            }
          )
        }
      }
    } onCancel: {
      cancellation.cancel(.cancelled)
      wait.finish(.failure(.cancelled))
    }
    return try result.get()
  }

  private static func checkSize(_ bytes: SecretBytes) throws(SecretStoreError) {
    guard (1...SecretLimits.secretByteCount).contains(bytes.count) else {
      throw .wrongSize(byteCount: bytes.count)
    }
  }

  private static func cut(_ label: String) -> String {
    var label = label.filter { $0 != "\0" }
    while label.utf8.count > SecretLimits.labelByteCount { label.removeLast() }
    return label
  }
}

/// One caller's wait, ended by whoever comes first: the call, its deadline, or the caller's cancellation.
private final class KeyringWait<Value: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result<Value, SecretStoreError>, Never>?
    var result: Result<Value, SecretStoreError>?
  }

  private let state = Locked(State())

  func begin(_ continuation: CheckedContinuation<Result<Value, SecretStoreError>, Never>) {
    let early = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let early { continuation.resume(returning: early) }
  }

  func finish(_ result: Result<Value, SecretStoreError>) {
    let waiting = state.withLock { state in
      let waiting = state.continuation
      state.continuation = nil
      if state.result == nil { state.result = result }
      return waiting
    }
    waiting?.resume(returning: result)
  }
}
