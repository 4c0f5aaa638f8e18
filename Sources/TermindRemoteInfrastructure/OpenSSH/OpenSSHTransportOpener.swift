public import TermindApplication
public import TermindDomain
public import TermindInfrastructure

/// Opens SSH connections with the `ssh` of this machine.
public struct OpenSSHTransportOpener: SSHTransportOpening {
  private let loops: EventLoopGroup
  private let limits: TransportLimits
  private let surroundings: OpenSSHSurroundings
  private let security: OpenSSHSecurity

  /// Makes an opener.
  ///
  /// - Parameters:
  ///   - surroundings: The `ssh` to use and where its sockets are.
  ///   - loops: Where connections run; each route takes the next loop.
  ///   - verifier: Knows host keys and keeps what the person trusts.
  ///   - agent: The person's agent; nil when there is none.
  ///   - defaultKeyFiles: Files to try when nothing is selected.
  ///   - secrets: Finds the secret store; nil when there is none.
  ///   - shared: What attempts share, also those of other openers that are given the same.
  ///   - limits: Every bound of the engine.
  ///   - now: Seconds since 1970.
  public init(
    surroundings: OpenSSHSurroundings,
    loops: EventLoopGroup,
    verifier: HostKeyVerifier,
    agent: AgentClient?,
    defaultKeyFiles: [String] = [],
    secrets: SecretStoreSource? = nil,
    shared: SharedUnlocking = SharedUnlocking(),
    limits: TransportLimits = TransportLimits(),
    now: @escaping @Sendable () -> Int64
  ) {
    self.surroundings = surroundings
    self.loops = loops
    self.limits = limits
    security = OpenSSHSecurity(
      verifier: verifier,
      agent: agent,
      defaultKeyFiles: defaultKeyFiles,
      secrets: secrets,
      shared: shared,
      now: now
    )
  }

  /// Opens and authenticates a connection along a route, one `ssh` a hop.
  ///
  /// - Parameters:
  ///   - route: The hops; the last one is the host.
  ///   - carrier: An open connection of any engine along the hops before the last; nil opens every hop.
  ///   - prompts: Who answers.
  /// - Returns: The connection.
  /// - Throws: The hop, the step and the cause; what was opened here is closed then.
  public func open(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    try await open(route, through: carrier, prompts: prompts, reason: nil)
  }

  /// Opens a connection on the hops that the carrier has not covered.
  ///
  /// - Parameters:
  ///   - route: The hops.
  ///   - carrier: An open connection along some first hops.
  ///   - prompts: Who answers.
  ///   - reason: Why this engine carries it, for people.
  /// - Returns: The connection.
  /// - Throws: The hop, the step and the cause.
  func open(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    prompts: any ConnectionPrompting,
    reason: String?
  ) async throws(ConnectionFailure) -> any SSHTransport {
    let loop = loops.next()
    let count = route.hops.count
    let covered = carrier?.route.hops.count ?? 0
    precondition(covered < count, "the carrier leads further than the route")
    let connections = (covered..<count).map { index in
      OpenSSHConnection(
        loop: loop,
        context: HopContext(index: index, count: count, hop: route.hops[index]),
        limits: limits.adapted(to: route.hops[index]),
        surroundings: surroundings
      )
    }
    let result: Result<Void, ConnectionFailure> = await withTaskCancellationHandler {
      do throws(ConnectionFailure) {
        var before = carrier.map { OpenSSHCarrier.transport($0) }
        for connection in connections {
          try await connection.connect(security, through: before, prompts: prompts)
          before = .hop(connection)
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    } onCancel: {
      for connection in connections.reversed() { connection.cancelAttempt() }
    }
    if case .failure(let failure) = result {
      for connection in connections.reversed() { await connection.close() }
      throw failure
    }
    return OpenSSHTransport(
      route: route,
      connections: connections,
      carrier: carrier,
      version: await connections[connections.count - 1].version,
      reason: reason
    )
  }
}
