public import TermindApplication
public import TermindDomain
public import TermindInfrastructure

/// Opens SSH connections with libssh2.
public struct LibSSH2TransportOpener: SSHTransportOpening {
  private let loops: EventLoopGroup
  private let limits: TransportLimits
  private let resolver: NameResolver
  private let security: HopSecurity.Provider

  /// Makes an opener for normal use.
  ///
  /// - Parameters:
  ///   - loops: Where connections run; each route takes the next loop.
  ///   - verifier: Knows host keys and keeps what the person trusts.
  ///   - agent: The agent; nil when there is none.
  ///   - defaultKeyFiles: Files to try when nothing is selected.
  ///   - secrets: Finds the secret store; nil when there is none.
  ///   - shared: What attempts share, also those of other openers that are given the same.
  ///   - limits: Every bound of the engine.
  ///   - now: Seconds since 1970.
  public init(
    loops: EventLoopGroup,
    verifier: HostKeyVerifier,
    agent: AgentClient?,
    defaultKeyFiles: [String] = [],
    secrets: SecretStoreSource? = nil,
    shared: SharedUnlocking = SharedUnlocking(),
    limits: TransportLimits = TransportLimits(),
    now: @escaping @Sendable () -> Int64
  ) {
    self.init(
      loops: loops,
      limits: limits,
      security: HopSecurity.standard(
        verifier: verifier,
        agent: agent,
        defaultKeyFiles: defaultKeyFiles,
        secrets: secrets,
        shared: shared,
        now: now
      )
    )
  }

  /// Makes an opener; tests pass a resolver and a security of their own.
  init(
    loops: EventLoopGroup,
    limits: TransportLimits = TransportLimits(),
    resolver: NameResolver = NameResolver(),
    security: @escaping HopSecurity.Provider
  ) {
    self.loops = loops
    self.limits = limits
    self.resolver = resolver
    self.security = security
  }

  /// Opens and authenticates a connection along a route; every hop runs on the same loop.
  ///
  /// - Parameters:
  ///   - route: The hops; the last one is the host.
  ///   - carrier: An open connection along the hops before the last, of whatever engine; nil opens every hop.
  ///   - prompts: Who answers.
  /// - Returns: The connection.
  /// - Throws: The hop, the step and the cause; what was opened here is closed then.
  public func open(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    let bearer = Self.bearer(carrier, of: route)
    let loop = bearer?.loop ?? loops.next()
    let count = route.hops.count
    let connections = route.hops.indices.suffix(carrier == nil ? count : 1).map { index in
      LibSSH2Connection(
        loop: loop,
        context: HopContext(index: index, count: count, hop: route.hops[index]),
        limits: limits.adapted(to: route.hops[index])
      )
    }
    let result: Result<Void, ConnectionFailure> = await withTaskCancellationHandler {
      do throws(ConnectionFailure) {
        var before = bearer
        for connection in connections {
          if let before {
            try await connection.connect(through: before, prompts: prompts)
          } else if let carrier {
            try await connection.connect(over: carrier, prompts: prompts)
          } else {
            try await connection.connect(resolver: resolver, prompts: prompts)
          }
          try await connection.secure(security, prompts: prompts)
          before = connection
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
    return LibSSH2Transport(route: route, connections: connections, carrier: carrier)
  }

  /// The connection of this engine that carries the last hop, on whose loop it runs too.
  private static func bearer(
    _ carrier: (any SSHTransport)?,
    of route: Route
  ) -> LibSSH2Connection? {
    guard let carrier else { return nil }
    precondition(carrier.route.hops == Array(route.hops.dropLast()), "the carrier leads elsewhere")
    return (carrier as? LibSSH2Transport)?.destination
  }
}
