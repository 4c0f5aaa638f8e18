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
    let start = carrier?.route.hops.count ?? 0
    if let carrier, carrier is OpenSSHTransport {
      let reason = "its jump host is reached with OpenSSH"
      return try await openRest(route, from: start, through: carrier, prompts, reason)
    }
    for index in start..<route.hops.count {
      if let reason = await EngineNeed.before(route.hops[index], memory) {
        return try await openRest(route, from: index, through: carrier, prompts, reason)
      }
    }
    let failure: ConnectionFailure
    do throws(ConnectionFailure) {
      return try await libssh2.open(route, through: carrier, prompts: prompts)
    } catch {
      failure = error
    }
    guard failure.hopIndex >= start, failure.hopIndex < route.hops.count else { throw failure }
    let hop = route.hops[failure.hopIndex]
    let reason = await EngineNeed.after(
      failure,
      hop,
      agent: agent,
      hasTickets: await hasTickets()
    )
    guard let reason, !Task.isCancelled else { throw failure }
    let transport = try await openRest(
      route,
      from: failure.hopIndex,
      through: carrier,
      prompts,
      reason
    )
    memory.remember(reason, for: hop.endpoint)
    return transport
  }

  /// Opens the hops from one on with OpenSSH, and those before it, as far as no carrier has them, with libssh2.
  private func openRest(
    _ route: Route,
    from first: Int,
    through carrier: (any SSHTransport)?,
    _ prompts: any ConnectionPrompting,
    _ reason: String
  ) async throws(ConnectionFailure) -> any SSHTransport {
    if let pinned = route.hops[first...].firstIndex(where: { $0.engine == .libssh2 }) {
      throw ConnectionFailure(
        hopIndex: pinned,
        hopCount: route.hops.count,
        endpoint: route.hops[pinned].endpoint,
        step: .connecting,
        cause: .unsupported(
          obstacle: "libssh2, which the host is set to, cannot run through a hop on OpenSSH"
        )
      )
    }
    let covered = carrier?.route.hops.count ?? 0
    guard first > covered, let way = route.prefix(first) else {
      return try await openSSH.open(route, through: carrier, prompts: prompts, reason: reason)
    }
    let longer = LongerRoutePrompts(prompts, count: route.hops.count)
    let before: any SSHTransport
    do throws(ConnectionFailure) {
      before = try await libssh2.open(way, through: carrier, prompts: longer)
    } catch {
      throw error.onRoute(of: route.hops.count)
    }
    do throws(ConnectionFailure) {
      return try await openSSH.open(
        route,
        through: before,
        ownsCarrier: true,
        prompts: prompts,
        reason: reason
      )
    } catch {
      await before.close()
      throw error
    }
  }
}

extension Route {
  /// The first hops; nil when there are none.
  fileprivate func prefix(_ count: Int) -> Route? {
    // `try?`: a part of a route is a route, unless it is empty.
    try? Route(hops: Array(hops.prefix(count)))
  }
}
