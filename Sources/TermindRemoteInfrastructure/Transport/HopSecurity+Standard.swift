internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

extension HopSecurity {
  /// The security of normal use: our known hosts, the keys of the identity, and the person.
  ///
  /// - Parameters:
  ///   - verifier: Knows host keys.
  ///   - agent: The agent; nil when there is none.
  ///   - defaultKeyFiles: Files to try when nothing is selected.
  ///   - secrets: Finds the secret store; nil when there is none.
  ///   - shared: What the attempts of this server share.
  ///   - now: Seconds since 1970.
  /// - Returns: What collects, before each key exchange, what is known about a hop.
  static func standard(
    verifier: HostKeyVerifier,
    agent: AgentClient?,
    defaultKeyFiles: [String],
    secrets: SecretStoreSource? = nil,
    shared: SharedUnlocking = SharedUnlocking(),
    now: @escaping @Sendable () -> Int64
  ) -> Provider {
    { context, prompts in
      let knowledge: HostKeyKnowledge
      do throws(StoreError) {
        knowledge = try await verifier.knowledge(of: context.hop.endpoint)
      } catch {
        // Without our own table a known key would look unknown, and a changed one new.
        return .failure(
          SecurityProblem(cause: .internalError(diagnostic: "known hosts: \(error)"))
        )
      }
      return .success(
        HopSecurity(
          orderHostKeys: { knowledge.ordered($0) },
          negotiate: { offered, supported in
            knowledge.negotiation(offered: offered, supported: supported)
              .cause(supported: supported)
          },
          judge: { key in
            await judge(key, knowledge, verifier, context, prompts, now)
          },
          authenticate: { connection, prompts throws(ConnectionFailure) in
            let ring = try await connection.guarded {
              await AuthenticationKeyRing(
                for: context.hop.credentials,
                defaultFiles: defaultKeyFiles,
                agent: agent
              )
            }
            let run = AuthenticationRun(
              ring: ring,
              connection: connection,
              prompts: prompts,
              secrets: secrets,
              shared: shared
            )
            try await run.run(on: connection)
          }
        )
      )
    }
  }

  private static func judge(
    _ key: HostKey,
    _ knowledge: HostKeyKnowledge,
    _ verifier: HostKeyVerifier,
    _ context: HopContext,
    _ prompts: any ConnectionPrompting,
    _ now: @Sendable () -> Int64
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
      hasUnusedAuthority: knowledge.hasCertificateAuthority
    )
    switch await prompts.decide(question) {
    case .reject: return refusal
    case .trustOnce: return nil
    case .trust:
      do throws(StoreError) {
        try await verifier.remember(
          key,
          at: context.hop.endpoint,
          after: verdict,
          time: now()
        )
        return nil
      } catch {
        return .internalError(diagnostic: "known hosts: \(error)")
      }
    }
  }
}
