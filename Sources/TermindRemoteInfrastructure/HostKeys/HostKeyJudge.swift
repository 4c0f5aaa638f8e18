internal import TermindApplication
internal import TermindDomain

/// Decides about an offered host key: by what is known, else by asking the person.
struct HostKeyJudge: Sendable {
  let verifier: HostKeyVerifier
  /// Seconds since 1970.
  let now: @Sendable () -> Int64

  /// Judges a key, and remembers it when the person says so.
  ///
  /// - Parameters:
  ///   - key: The offered key.
  ///   - knowledge: What is known about where it was offered.
  ///   - context: The hop.
  ///   - prompts: Who is asked.
  ///   - checksCertificates: Whether the engine makes use of known authorities by itself.
  /// - Returns: Why it is not trusted; nil when it is.
  func judge(
    _ key: HostKey,
    _ knowledge: HostKeyKnowledge,
    at context: HopContext,
    _ prompts: any ConnectionPrompting,
    checksCertificates: Bool = false
  ) async -> ConnectionFailureCause? {
    let verdict = knowledge.verdict(for: key)
    if case .revoked = verdict { return .hostKeyRevoked(key) }
    guard let doubt = verdict.doubt else { return nil }
    let refusal: ConnectionFailureCause
    if case .changed(let known) = doubt {
      refusal = .hostKeyChanged(offered: key, known: known.map(\.fingerprint))
    } else {
      refusal = .hostKeyRejected(key)
    }
    guard prompts.isInteractive else {
      if case .changed = doubt { return refusal }
      return .interactionRequired("host key \(key.fingerprint)")
    }
    let question = HostKeyQuestion(
      context: context,
      key: key,
      doubt: doubt,
      hasUnusedAuthority: knowledge.hasCertificateAuthority && !checksCertificates
    )
    switch await prompts.decide(question) {
    case .reject: return refusal
    case .trustOnce: return nil
    case .trust:
      do throws(StoreError) {
        try await verifier.remember(key, at: knowledge.endpoint, after: verdict, time: now())
        return nil
      } catch {
        return .internalError(diagnostic: "known hosts: \(error)")
      }
    }
  }
}
