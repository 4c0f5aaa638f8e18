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
            await HostKeyJudge(verifier: verifier, now: now)
              .judge(key, knowledge, at: context, prompts)
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
}
