internal import TermindApplication
internal import TermindDomain

/// What one hop needs beside the wire: which host keys are trusted, and how to log in.
struct HopSecurity: Sendable {
  /// Puts supported host key algorithms in order of preference.
  var orderHostKeys: @Sendable (_ supported: [String]) -> [String]
  /// Tells why the server's host key algorithms and ours do not meet; nil when they do.
  var negotiate: @Sendable (_ offered: [String], _ supported: [String]) -> ConnectionFailureCause? =
    { _, _ in nil }
  /// Decides about the offered key, asking the person when it must; nil trusts it.
  var judge: @Sendable (HostKey) async -> ConnectionFailureCause?
  /// Logs in; returns once the account is open.
  var authenticate:
    @Sendable (isolated LibSSH2Connection, any ConnectionPrompting) async throws(ConnectionFailure)
      -> Void

  /// Finds out, before the key exchange, what is known about a hop.
  typealias Provider =
    @Sendable (HopContext, any ConnectionPrompting) async -> Result<
      HopSecurity, SecurityProblem
    >
}

/// Why nothing can be said about a hop's security, as a cause of failure.
struct SecurityProblem: Error, Hashable, Sendable {
  let cause: ConnectionFailureCause
}

extension LibSSH2Connection {
  /// Exchanges keys, has the host key judged, and logs in.
  func secure(
    _ provider: @escaping HopSecurity.Provider,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) {
    let context = context
    let found = try await guarded { await provider(context, prompts) }
    let security: HopSecurity
    switch found {
    case .success(let known): security = known
    case .failure(let problem): throw ended(problem.cause)
    }
    hostKeyNegotiation = security.negotiate
    let key = try await exchangeKeys(order: security.orderHostKeys)
    begin(.hostKey, prompts: prompts)
    let judge = security.judge
    if let cause = try await guarded({ await judge(key) }) { throw ended(cause) }
    begin(.authentication, prompts: prompts)
    try await security.authenticate(self, prompts)
    if let failure { throw failure }
    opened()
  }
}
