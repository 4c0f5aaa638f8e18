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
  ///   - defaultKeyFiles: Files to try when an identity names none.
  ///   - limits: Every bound of the engine.
  ///   - now: Seconds since 1970.
  public init(
    loops: EventLoopGroup,
    verifier: HostKeyVerifier,
    agent: AgentClient?,
    defaultKeyFiles: [String] = [],
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
  ///   - prompts: Who answers.
  /// - Returns: The connection.
  /// - Throws: The hop, the step and the cause; what was open by then is closed.
  public func open(
    _ route: Route,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    let loop = loops.next()
    let count = route.hops.count
    let connections = route.hops.enumerated().map { index, hop in
      LibSSH2Connection(
        loop: loop,
        context: HopContext(index: index, count: count, hop: hop),
        limits: limits
      )
    }
    let result: Result<Void, ConnectionFailure> = await withTaskCancellationHandler {
      do throws(ConnectionFailure) {
        for index in connections.indices {
          let connection = connections[index]
          if index == 0 {
            try await connection.connect(resolver: resolver, prompts: prompts)
          } else {
            try await connection.connect(through: connections[index - 1], prompts: prompts)
          }
          try await connection.secure(security, prompts: prompts)
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
    return LibSSH2Transport(route: route, connections: connections)
  }
}
