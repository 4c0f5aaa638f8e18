public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// Opens each connection with the engine that suits it: libssh2, or OpenSSH where that cannot do it.
///
/// A host may be pinned to one of them. What libssh2 could not reach once is reached with OpenSSH at once from then on.
public struct EngineChoosingOpener: SSHTransportOpening {
  private let libssh2: LibSSH2TransportOpener
  private let openSSH: OpenSSHTransportOpener
  private let memory: EngineMemory
  private let agent: AgentClient?
  private let hasTickets: @Sendable () async -> Bool

  /// Makes an opener of two.
  ///
  /// - Parameters:
  ///   - libssh2: The usual one.
  ///   - openSSH: The other one.
  ///   - memory: What was learned; several openers may share it.
  ///   - agent: The person's agent; nil when there is none.
  ///   - environment: The variables that tell whether there are Kerberos tickets.
  public init(
    libssh2: LibSSH2TransportOpener,
    openSSH: OpenSSHTransportOpener,
    memory: EngineMemory,
    agent: AgentClient?,
    environment: @escaping @Sendable () async -> [String: String]
  ) {
    self.libssh2 = libssh2
    self.openSSH = openSSH
    self.memory = memory
    self.agent = agent
    hasTickets = { KerberosTickets.areThere(await environment()) }
  }

  /// Opens and authenticates a connection along a route.
  ///
  /// - Parameters:
  ///   - route: The hops; the last one is the host.
  ///   - carrier: An open connection of either engine along the hops before the last; nil opens every hop.
  ///   - prompts: Who answers.
  /// - Returns: The connection.
  /// - Throws: The hop, the step and the cause.
  public func open(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    if carrier != nil { return try await openLast(of: route, through: carrier, prompts) }
    var before: [any SSHTransport] = []
    var known: Verdict?
    do throws(ConnectionFailure) {
      var covered = await hopsOfLibSSH2(in: route)
      if covered == route.hops.count {
        do throws(ConnectionFailure) {
          return try await libssh2.open(route, prompts: prompts)
        } catch {
          guard (0..<covered).contains(error.hopIndex),
            let reason = await need(after: error, route.hops[error.hopIndex])
          else { throw error }
          covered = error.hopIndex
          known = Verdict(failure: error, reason: reason)
        }
      }
      if let way = route.prefix(covered) {
        before.append(try await libssh2.open(way, prompts: prompts.onRoute(of: route)))
      }
      for count in stride(from: covered + 1, to: route.hops.count, by: 1) {
        guard let way = route.prefix(count) else { continue }
        before.append(
          try await openLast(of: way, through: before.last, prompts.onRoute(of: route), known)
        )
      }
      let last = try await openLast(of: route, through: before.last, prompts, known)
      return before.isEmpty ? last : ChainedTransport(before, last: last)
    } catch {
      for transport in before.reversed() { await transport.close() }
      throw error.onRoute(of: route.hops.count)
    }
  }

  /// What an attempt with libssh2 has told about a hop.
  private struct Verdict {
    let failure: ConnectionFailure
    let reason: String
  }

  /// How many hops at the beginning of a route libssh2 may do, as far as that is known.
  private func hopsOfLibSSH2(in route: Route) async -> Int {
    for index in route.hops.indices
    where await EngineNeed.before(hop: index, of: route, memory) != nil { return index }
    return route.hops.count
  }

  /// Opens the last hop of a route with the engine that suits it.
  private func openLast(
    of route: Route,
    through carrier: (any SSHTransport)?,
    _ prompts: any ConnectionPrompting,
    _ known: Verdict? = nil
  ) async throws(ConnectionFailure) -> any SSHTransport {
    let hop = route.destination
    if let known, known.failure.hopIndex == route.hops.count - 1 {
      return try await openInstead(route, through: carrier, prompts, known)
    }
    if let reason = await EngineNeed.before(hop: route.hops.count - 1, of: route, memory) {
      return try await openSSH.open(route, through: carrier, prompts: prompts, reason: reason)
    }
    let failure: ConnectionFailure
    do throws(ConnectionFailure) {
      return try await libssh2.open(route, through: carrier, prompts: prompts)
    } catch {
      failure = error
    }
    guard failure.hopIndex == route.hops.count - 1, !Task.isCancelled,
      let reason = await need(after: failure, hop)
    else { throw failure }
    let verdict = Verdict(failure: failure, reason: reason)
    return try await openInstead(route, through: carrier, prompts, verdict)
  }

  /// Opens with OpenSSH what libssh2 could not, and remembers it.
  private func openInstead(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    _ prompts: any ConnectionPrompting,
    _ verdict: Verdict
  ) async throws(ConnectionFailure) -> any SSHTransport {
    do throws(ConnectionFailure) {
      let transport = try await openSSH.open(
        route,
        through: carrier,
        prompts: prompts,
        reason: verdict.reason
      )
      // Keys and tickets are an identity's; another one may do without.
      if EngineNeed.isOfServer(verdict.failure.cause) {
        await memory.remember(verdict.reason, for: route)
      }
      return transport
    } catch {
      // Where OpenSSH does no better, the words of the usual engine are the better ones.
      switch (verdict.failure.cause, error.cause) {
      case (.oldAlgorithmsOnly, .noCommonAlgorithm), (.oldAlgorithmsOnly, .oldAlgorithmsOnly),
        (.oldAlgorithmsOnly, .unsupported), (.authenticationFailed, .unsupported):
        throw verdict.failure
      default: throw error
      }
    }
  }

  private func need(after failure: ConnectionFailure, _ hop: Hop) async -> String? {
    await EngineNeed.after(failure, hop, agent: agent, hasTickets: await hasTickets())
  }
}

extension Route {
  /// The first hops; nil when there are none.
  fileprivate func prefix(_ count: Int) -> Route? {
    // `try?`: a part of a route is a route, unless it is empty.
    try? Route(hops: Array(hops.prefix(count)))
  }
}

extension ConnectionPrompting {
  /// The same for the first hops of a longer route.
  fileprivate func onRoute(of route: Route) -> any ConnectionPrompting {
    LongerRoutePrompts(self, count: route.hops.count)
  }
}
