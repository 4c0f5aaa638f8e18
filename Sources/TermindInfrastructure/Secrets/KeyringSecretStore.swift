internal import FoundationEssentials
public import TermindApplication
public import TermindDomain

/// Secrets in the keyring of the desktop, through the Secret Service of the session's message bus.
///
/// A helper process talks to it (`KeyringHelper`); calls that come together share one. The keyring is the
/// person's default one, so that what unlocks it (a login, usually) unlocks this store, and `lock` locks it for
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

  /// What the helper is started as.
  public struct Helper: Hashable, Sendable {
    /// The path of a program that calls `KeyringHelper.run`.
    public var program: String
    /// The arguments before the scope, without the program's own name.
    public var arguments: [String]
    /// Its variables; the address of the bus is added.
    public var environment: [String: String]

    /// Describes a helper; this program itself unless told otherwise.
    public init(
      program: String = ProcessEnvironment.executablePath(),
      arguments: [String] = [KeyringHelper.word],
      environment: [String: String] = ProcessEnvironment.all()
    ) {
      self.program = program
      self.arguments = arguments
      self.environment = environment
    }
  }

  private let limits: Limits
  private let clock: any Clock<Duration>
  private let line: KeyringLine?

  /// Names a store in a keyring; nothing is started or connected yet.
  ///
  /// - Parameters:
  ///   - address: The session's message bus; nil when there is none.
  ///   - scope: Tells the secrets of this store from those of others in the same keyring.
  ///   - helper: What talks to the keyring.
  ///   - limits: How long calls may take.
  ///   - clock: Measures them.
  public init(
    address: String?,
    scope: String,
    helper: Helper = Helper(),
    limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.limits = limits
    self.clock = clock
    line = address.map { address in
      var helper = helper
      helper.environment["DBUS_SESSION_BUS_ADDRESS"] = address
      let described = helper
      return KeyringLine { () throws(SecretStoreError) in
        try KeyringHelperProcess(
          described.program,
          ["termind"] + described.arguments + [scope],
          environment: described.environment
        )
      }
    }
  }

  /// The keyring.
  public var place: SecretPlace { .keyring }

  /// Whether the keyring answers, and whether it is open; one that does not exist yet counts as locked,
  /// since `unlock` makes it.
  public func state() async -> SecretStoreState {
    do throws(SecretStoreError) {
      let isLocked = try await run(within: limits.probe, Self.isLocked)
      return isLocked == false ? .unlocked : .locked
    } catch {
      return .unusable(error)
    }
  }

  /// Lets the keyring ask for its password, where it is not open; also makes one where there is none.
  public func unlock(_ passphrase: SecretBytes?) async throws(SecretStoreError) {
    guard passphrase == nil else { throw .passphraseIsKeyrings }
    try await run(within: nil) { (exchange) throws(SecretStoreError) in
      if try Self.isLocked(exchange) != false { _ = try exchange(.unlock) }
    }
  }

  /// Locks the person's keyring.
  public func lock() async throws(SecretStoreError) {
    try await run(within: limits.call) { (exchange) throws(SecretStoreError) in
      _ = try exchange(.lock)
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
  public func create(_ secrets: [NewSecret]) async throws(SecretStoreError) -> [SecretItemID] {
    for secret in secrets { try Self.checkSize(secret.bytes) }
    return try await runOpen { (exchange) throws(SecretStoreError) in
      var kept: [SecretItemID] = []
      do throws(SecretStoreError) {
        for secret in secrets {
          let id = SecretItemID()
          _ = try exchange(.store(id, secret.bytes, label: Self.cut(secret.label)))
          kept.append(id)
        }
      } catch {
        // `try?`: the first reason is what matters; `deleteUnnamed` finds what is left.
        for id in kept { _ = try? exchange(.delete(id)) }
        throw error
      }
      return kept
    }
  }

  /// Reads one secret.
  public func read(_ id: SecretItemID) async throws(SecretStoreError) -> SecretBytes {
    try await run(within: limits.call) { (exchange) throws(SecretStoreError) in
      guard case .secret(let bytes) = try exchange(.read(id)) else { throw Self.wrongReply }
      return bytes
    }
  }

  /// Puts other bytes in the place of a secret.
  public func replace(_ id: SecretItemID, with bytes: SecretBytes) async throws(SecretStoreError) {
    try Self.checkSize(bytes)
    try await runOpen { (exchange) throws(SecretStoreError) in
      _ = try exchange(.replace(id, bytes))
    }
  }

  /// Removes secrets.
  public func delete(_ ids: [SecretItemID]) async throws(SecretStoreError) {
    guard !ids.isEmpty else { return }
    try await runOpen { (exchange) throws(SecretStoreError) in
      for id in ids { _ = try exchange(.delete(id)) }
    }
  }

  /// Every secret of this store, by identifier.
  public func entries() async throws(SecretStoreError) -> [SecretEntry] {
    try await run(within: limits.call) { (exchange) throws(SecretStoreError) in
      guard case .entries(let entries) = try exchange(.entries) else { throw Self.wrongReply }
      return entries.sorted { $0.id.rawValue.uuidString < $1.id.rawValue.uuidString }
    }
  }

  // MARK: - Calls

  /// Runs what would make a locked keyring ask, only where it is open.
  private func runOpen<Value: Sendable>(
    _ body: @escaping @Sendable (KeyringCall<Value>.Exchange) throws(SecretStoreError) -> Value
  ) async throws(SecretStoreError) -> Value {
    try await run(within: limits.call) { (exchange) throws(SecretStoreError) in
      guard try Self.isLocked(exchange) == false else { throw .locked }
      return try body(exchange)
    }
  }

  private func run<Value: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (KeyringCall<Value>.Exchange) throws(SecretStoreError) -> Value
  ) async throws(SecretStoreError) -> Value {
    guard let line else { throw .noMessageBus }
    let call = KeyringCall(body)
    let clock = clock
    let timer = limit.map { limit in
      Task {
        // Ended early means that the call has ended.
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        call.fail(.timedOut(seconds: Int(limit.components.seconds)))
      }
    }
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.wait(continuation)
        line.run(call)
      }
    } onCancel: {
      call.fail(.cancelled)
    }
    return try result.get()
  }

  private static func isLocked(
    _ exchange: KeyringCall<Bool?>.Exchange
  ) throws(SecretStoreError) -> Bool? {
    guard case .state(let isLocked) = try exchange(.state) else { throw wrongReply }
    return isLocked
  }

  private static var wrongReply: SecretStoreError {
    .failed(diagnostic: "the keyring's helper gave an answer to another question")
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
