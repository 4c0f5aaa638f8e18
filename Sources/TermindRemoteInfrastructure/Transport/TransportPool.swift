public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// Shares connections between the terminals of the same route, and jump hosts between routes.
///
/// A terminal opens on a connection that is already up; when the server allows no more channels there
/// (`MaxSessions`), another connection is opened beside it and nothing that runs is touched. The hops before the last one are
/// a connection of the pool themselves, so that many hosts behind one bastion connect to it once; only behind a host that it
/// reaches slowly do others take a further one. A connection whose last channel has closed is kept for a short while
/// and then closed.
public actor TransportPool {
  /// One connection of the pool.
  final class Entry {
    let route: Route
    let transport: any SSHTransport
    /// The connection that carries it, if it is not the first hop.
    let carrier: UInt64?
    /// Its terminals, and the connections that it carries.
    var users = 0
    /// Whether it has ever carried a terminal.
    var hasCarried = false
    /// The server refused one more channel; lifted when one of them ends.
    var isFull = false
    /// How hosts behind it are being reached.
    var reach = Reach()
    var idle: Task<Void, Never>?
    var watch: Task<Void, Never>?

    init(route: Route, transport: any SSHTransport, carrier: UInt64?) {
      self.route = route
      self.transport = transport
      self.carrier = carrier
    }
  }

  /// What became of an attempt, for one who waited for it.
  private enum Turn {
    /// Look again: there is a connection, or the attempt is over and another may be made.
    case look
    case fail(ConnectionFailure)
  }

  /// An attempt to open a connection, with those who wait for its outcome.
  private struct Opening {
    let prompts: SharedPrompts
    var waiting: [Waiting] = []
  }

  private struct Waiting {
    let number: UInt64
    let isInteractive: Bool
    let turn: CheckedContinuation<Turn, Never>
  }

  private let opener: any SSHTransportOpening
  private let gate: HandshakeGate
  private let idleTime: Duration
  let clock: any Clock<Duration>
  private(set) var entries: [UInt64: Entry] = [:]
  var numbers: UInt64 = 0
  /// How often everything was closed; a connection that was begun before belongs to nobody.
  private var closings = 0
  /// Routes that someone is opening a connection for.
  private var openings: [Route: Opening] = [:]

  /// Makes an empty pool.
  ///
  /// - Parameters:
  ///   - opener: Opens connections.
  ///   - idleTime: How long a connection without channels is kept.
  ///   - clock: Measures the idle time.
  public init(
    opener: any SSHTransportOpening,
    idleTime: Duration = TransportLimits().idleTransport,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.opener = opener
    gate = HandshakeGate(clock: clock)
    self.idleTime = idleTime
    self.clock = clock
  }

  /// How many connections are up.
  public var transportCount: Int { entries.count }

  /// What carries the connections of a route; nil when there is none.
  public func engine(of route: Route) -> ConnectionEngine? {
    guard let number = entries.filter({ $0.value.route == route }).keys.min(),
      let transport = entries[number]?.transport
    else { return nil }
    return ConnectionEngine(name: transport.engineName, reason: transport.engineReason)
  }

  /// Opens a terminal on a shared connection, opening one when there is none with room.
  ///
  /// Callers that need a connection for the same route at the same time wait for one attempt, are shown its progress,
  /// and are not asked again; when it fails, they fail with it. When whoever made it was cancelled, or could not ask
  /// where another can, the next of them makes one. A server that allows fewer channels than are wanted gets
  /// further connections, one after another, and each asks where its terminal is.
  /// - Parameters:
  ///   - route: Where to.
  ///   - request: What to start.
  ///   - receiver: Takes the output; kept until its `ended` call.
  ///   - prompts: Who answers if a connection has to be opened.
  /// - Returns: The program.
  /// - Throws: What the connection or the channel failed with.
  public func openTerminal(
    on route: Route,
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    try await share(route, prompts) { transport, lease throws(ConnectionFailure) in
      try await transport.openTerminal(request, receiver: LeasedOutput(receiver, lease))
    }
  }

  /// Opens a channel of plain bytes on a shared connection, under the same rules as a terminal.
  ///
  /// - Parameters:
  ///   - route: Where to.
  ///   - request: What the channel leads to.
  ///   - window: How many bytes the other end may send before any is taken.
  ///   - receiver: Takes what comes; kept until its `ended` call.
  ///   - prompts: Who answers if a connection has to be opened.
  /// - Returns: The channel.
  /// - Throws: What the connection or the channel failed with.
  public func openChannel(
    on route: Route,
    _ request: ByteChannelRequest,
    window: Int = ByteChannelRequest.standardWindow,
    receiver: any ByteChannelReceiving,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any ByteChannel {
    try await share(route, prompts) { transport, lease throws(ConnectionFailure) in
      try await transport.openChannel(
        request,
        window: window,
        receiver: LeasedBytes(receiver, lease)
      )
    }
  }

  /// Asks the server to listen, on a shared connection, which is kept for as long as the place and what came through it.
  ///
  /// - Parameters:
  ///   - route: Which server.
  ///   - address: Where it listens.
  ///   - receiver: Takes the connections.
  ///   - prompts: Who answers if a connection has to be opened.
  /// - Returns: The place.
  /// - Throws: What the connection or the request failed with.
  public func listen(
    on route: Route,
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any RemoteListener {
    try await share(route, prompts) { transport, lease throws(ConnectionFailure) in
      let listener = try await transport.listen(
        at: address,
        receiver: LeasedConnections(receiver, lease)
      )
      return LeasedListener(listener, lease)
    }
  }

  /// Opens something on a connection with room, which is held until the lease is over.
  private func share<Value: Sendable>(
    _ route: Route,
    _ prompts: any ConnectionPrompting,
    _ open:
      @Sendable (any SSHTransport, TransportLease) async throws(ConnectionFailure) -> Value
  ) async throws(ConnectionFailure) -> Value {
    var refused: Set<UInt64> = []
    while true {
      let (number, isFresh) = try await connection(for: route, without: refused, prompts: prompts)
      guard let entry = entries[number] else { continue }
      hold(entry)
      let lease = TransportLease { [weak self] in
        guard let self else { return }
        Task { await self.release(number) }
      }
      let context = HopContext(of: route)
      prompts.progressed(to: .openingChannel, at: context)
      do throws(ConnectionFailure) {
        let value = try await open(entry.transport, lease)
        entry.hasCarried = true
        prompts.progressed(to: .connected, at: context)
        return value
      } catch {
        if lease.revoke() { release(number) }
        // The next one does not wait behind an open that the server never answers.
        if case .timedOut = error.cause { entry.isFull = true }
        // A connection that was just opened has no other channels to blame.
        guard !isFresh || entry.hasCarried, entries[number] != nil || error.step == .connected
        else { throw error }
        switch error.cause {
        case .channelRefused(request: "session", _):
          entry.isFull = true
          refused.insert(number)
        case .lost, .keepaliveTimedOut, .disconnected:
          forget(number)
          refused.insert(number)
        default: throw error
        }
      }
    }
  }

  /// Closes every connection, and with them every terminal; one that is still being opened is closed as soon
  /// as it is up, and its attempt ends as cancelled.
  ///
  /// - Parameter limit: How long to wait for them; those that hang are left behind.
  public func closeAll(within limit: Duration = TransportLimits().closing) async {
    let transports = entries.values.map(\.transport)
    for number in entries.keys { forget(number) }
    closings += 1
    guard !transports.isEmpty else { return }
    await BoundedWait.run(within: limit, clock: clock) { finish in
      Task {
        await withDiscardingTaskGroup { group in
          for transport in transports { group.addTask { await transport.close() } }
        }
        finish()
      }
    }
  }

  // MARK: Connections

  /// A connection with room, an own fresh one if there is none.
  private func connection(
    for route: Route,
    without refused: Set<UInt64>,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> (number: UInt64, isFresh: Bool) {
    while true {
      let known = entries.filter { number, entry in
        entry.route == route && !entry.isFull && !refused.contains(number)
      }
      let quick = known.filter { !$0.value.reach.isSlow }
      if let oldest = quick.keys.min() { return (oldest, false) }
      if known.count >= Self.mostWays, let newest = known.keys.max() { return (newest, false) }
      guard openings[route] != nil else { break }
      if case .fail(let failure) = await waitForOpening(of: route, prompts) { throw failure }
    }
    let shared = SharedPrompts(asking: prompts)
    openings[route] = Opening(prompts: shared)
    let closingsBefore = closings
    do throws(ConnectionFailure) {
      let entry = try await open(route, prompts: shared)
      guard closings == closingsBefore else {
        if let carrier = entry.carrier { release(carrier) }
        await entry.transport.close()
        throw cancelled(route)
      }
      let number = keep(entry)
      settle(route) { _ in .look }
      return (number, true)
    } catch {
      let isCancelled = Task.isCancelled
      settle(route) { waiting in
        // The person did not give up, only the terminal that asked is gone; or nobody could be asked there.
        let mayAsk = waiting.isInteractive && !prompts.isInteractive && error.needsPerson
        return isCancelled || mayAsk ? .look : .fail(error)
      }
      throw error
    }
  }

  /// Opens a connection; further hops run through one of the pool.
  private func open(
    _ route: Route,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> Entry {
    guard let way = route.way else {
      let transport = try await handshake(route, prompts: prompts)
      return Entry(route: route, transport: transport, carrier: nil)
    }
    let longer = LongerRoutePrompts(prompts, count: route.hops.count)
    var refused: Set<UInt64> = []
    while true {
      let number: UInt64
      let isFresh: Bool
      do throws(ConnectionFailure) {
        (number, isFresh) = try await connection(for: way, without: refused, prompts: longer)
      } catch {
        throw error.onRoute(of: route.hops.count)
      }
      guard let carrier = entries[number] else { continue }
      hold(carrier)
      do throws(ConnectionFailure) {
        if let transport = try await handshake(route, through: carrier, number, prompts) {
          return Entry(route: route, transport: transport, carrier: number)
        }
        release(number)
      } catch {
        release(number)
        // A connection that others use may have broken unseen; one that was just opened tells the truth.
        guard !isFresh, error.hopIndex < route.hops.count - 1 else {
          throw error.onRoute(of: route.hops.count)
        }
        forget(number)
        refused.insert(number)
      }
    }
  }

  private func handshake(
    _ route: Route,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    let door = HandshakeGate.Door(endpoint: route.destination.endpoint, carrier: nil)
    let opener = opener
    return try await gate.pass(door, route, prompts: prompts) {
      prompts throws(ConnectionFailure) in
      try await opener.open(route, through: nil, prompts: prompts)
    }
  }

  /// Opens the last hop of a route through a connection of the pool; nil when another one is better.
  private func handshake(
    _ route: Route,
    through carrier: Entry,
    _ number: UInt64,
    _ prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> (any SSHTransport)? {
    let door = HandshakeGate.Door(endpoint: route.destination.endpoint, carrier: number)
    let opener = opener
    let transport = carrier.transport
    return try await gate.pass(door, route, prompts: prompts) {
      prompts throws(ConnectionFailure) in
      try await self.reach(route, on: number, prompts) { prompts throws(ConnectionFailure) in
        try await opener.open(route, through: transport, prompts: prompts)
      }
    }
  }

  private func keep(_ entry: Entry) -> UInt64 {
    numbers += 1
    let number = numbers
    entries[number] = entry
    let transport = entry.transport
    entry.watch = Task { [weak self] in
      _ = await transport.waitUntilClosed()
      await self?.forget(number)
    }
    return number
  }

  private func waitForOpening(
    of route: Route,
    _ prompts: any ConnectionPrompting
  ) async -> Turn {
    numbers += 1
    let number = numbers
    openings[route]?.prompts.join(number, prompts)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (turn: CheckedContinuation<Turn, Never>) in
        if Task.isCancelled || openings[route] == nil {
          turn.resume(returning: Task.isCancelled ? .fail(cancelled(route)) : .look)
        } else {
          openings[route]?.waiting.append(
            Waiting(number: number, isInteractive: prompts.isInteractive, turn: turn)
          )
        }
      }
    } onCancel: {
      Task { await self.cancelWait(number, route) }
    }
  }

  private func cancelWait(_ number: UInt64, _ route: Route) {
    openings[route]?.prompts.leave(number)
    guard let place = openings[route]?.waiting.firstIndex(where: { $0.number == number }) else {
      return
    }
    openings[route]?.waiting.remove(at: place).turn.resume(returning: .fail(cancelled(route)))
  }

  func cancelled(_ route: Route) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: 0,
      hopCount: route.hops.count,
      endpoint: route.hops[0].endpoint,
      step: .connecting,
      cause: .cancelled
    )
  }

  /// Ends the attempt for a route and tells those who waited for it what it means to them.
  private func settle(_ route: Route, _ turn: (Waiting) -> Turn) {
    guard let opening = openings.removeValue(forKey: route) else { return }
    for waiting in opening.waiting {
      opening.prompts.leave(waiting.number)
      waiting.turn.resume(returning: turn(waiting))
    }
  }

  // MARK: Ends

  private func hold(_ entry: Entry) {
    entry.users += 1
    entry.idle?.cancel()
    entry.idle = nil
  }

  private func release(_ number: UInt64) {
    guard let entry = entries[number] else { return }
    entry.users -= 1
    entry.isFull = false
    guard entry.users <= 0 else { return }
    entry.idle?.cancel()
    let clock = clock
    let idleTime = idleTime
    entry.idle = Task { [weak self] in
      // A cancelled sleep means that the connection is in use again.
      guard (try? await clock.sleep(for: idleTime)) != nil else { return }
      await self?.closeIfIdle(number)
    }
  }

  private func closeIfIdle(_ number: UInt64) async {
    guard let entry = entries[number], entry.users <= 0 else { return }
    forget(number)
    await entry.transport.close()
  }

  private func forget(_ number: UInt64) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    entry.idle?.cancel()
    entry.watch?.cancel()
    entry.reach.patience?.cancel()
    dissolveReach(entry)
    if let carrier = entry.carrier { release(carrier) }
  }
}

extension ConnectionFailure {
  /// Whether the same attempt might do better where a person can be asked.
  fileprivate var needsPerson: Bool {
    switch cause {
    case .interactionRequired, .hostKeyChanged: true
    default: false
    }
  }
}

extension HopContext {
  /// The destination of a route.
  public init(of route: Route) {
    let last = route.hops.count - 1
    self.init(index: last, count: route.hops.count, hop: route.hops[last])
  }
}
