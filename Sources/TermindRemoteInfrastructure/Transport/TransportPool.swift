public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// Shares connections between the terminals of the same route.
///
/// A terminal opens on a connection that is already up; when the server allows no more channels there
/// (`MaxSessions`), another connection is opened beside it and nothing that runs is touched. A connection whose last channel
/// has closed is kept for a short while and then closed.
public actor TransportPool {
  /// One connection of the pool.
  private final class Entry {
    let route: Route
    let transport: any SSHTransport
    var users = 0
    /// The server refused one more channel; lifted when one of them ends.
    var isFull = false
    var idle: Task<Void, Never>?
    var watch: Task<Void, Never>?

    init(route: Route, transport: any SSHTransport) {
      self.route = route
      self.transport = transport
    }
  }

  private typealias Turn = CheckedContinuation<Result<Void, ConnectionFailure>, Never>

  private let opener: any SSHTransportOpening
  private let idleTime: Duration
  private let clock: any Clock<Duration>
  private var entries: [UInt64: Entry] = [:]
  private var numbers: UInt64 = 0
  /// Routes that someone is opening a connection for, with those who wait for the outcome.
  private var openings: [Route: [(number: UInt64, turn: Turn)]] = [:]

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
    self.idleTime = idleTime
    self.clock = clock
  }

  /// How many connections are up.
  public var transportCount: Int { entries.count }

  /// Opens a terminal on a shared connection, opening one when there is none with room.
  ///
  /// Callers that need a connection for the same route at the same time wait for one attempt; when that fails, they
  /// fail with it, unless it was cancelled or could not ask: then the next of them tries itself.
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
    var refused: Set<UInt64> = []
    while true {
      let (number, isFresh) = try await connection(for: route, without: refused, prompts: prompts)
      guard let entry = entries[number] else { continue }
      entry.users += 1
      entry.idle?.cancel()
      entry.idle = nil
      let counted = CountedReceiver(receiver) { [weak self] in
        guard let self else { return }
        Task { await self.release(number) }
      }
      do throws(ConnectionFailure) {
        return try await entry.transport.openTerminal(request, receiver: counted)
      } catch {
        release(number)
        // A connection that was just opened has no other channels to blame.
        guard !isFresh, entries[number] != nil || error.step == .connected else { throw error }
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

  /// Closes every connection, and with them every terminal.
  public func closeAll() async {
    let everyone = Array(entries.values)
    entries = [:]
    for entry in everyone {
      entry.idle?.cancel()
      entry.watch?.cancel()
      await entry.transport.close()
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
      if let oldest = known.keys.min() { return (oldest, false) }
      guard openings[route] != nil else { break }
      try await waitForOpening(of: route)
    }
    openings[route] = []
    do throws(ConnectionFailure) {
      let transport = try await opener.open(route, prompts: prompts)
      let number = keep(Entry(route: route, transport: transport))
      settle(route, .success(()))
      return (number, true)
    } catch {
      settle(route, .failure(error))
      throw error
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

  private func waitForOpening(of route: Route) async throws(ConnectionFailure) {
    numbers += 1
    let number = numbers
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (turn: Turn) in
        if Task.isCancelled {
          turn.resume(returning: .failure(cancelled(route)))
        } else {
          openings[route, default: []].append((number, turn))
        }
      }
    } onCancel: {
      Task { await self.cancelWait(number, route) }
    }
    try result.get()
  }

  private func cancelWait(_ number: UInt64, _ route: Route) {
    guard let place = openings[route]?.firstIndex(where: { $0.number == number }) else { return }
    openings[route]?.remove(at: place).turn.resume(returning: .failure(cancelled(route)))
  }

  private func cancelled(_ route: Route) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: 0,
      hopCount: route.hops.count,
      endpoint: route.hops[0].endpoint,
      step: .connecting,
      cause: .cancelled
    )
  }

  /// Ends the attempt for a route and tells those who waited for it.
  private func settle(_ route: Route, _ outcome: Result<Void, ConnectionFailure>) {
    let waiting = openings.removeValue(forKey: route) ?? []
    var told = outcome
    if case .failure(let failure) = outcome {
      switch failure.cause {
      case .cancelled, .interactionRequired: told = .success(())
      default: break
      }
    }
    for waiter in waiting { waiter.turn.resume(returning: told) }
  }

  // MARK: Ends

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
  }
}

/// Passes everything on, and tells when the channel has ended.
private final class CountedReceiver: TerminalOutputReceiving {
  private let receiver: any TerminalOutputReceiving
  private let whenEnded: @Sendable () -> Void

  init(_ receiver: any TerminalOutputReceiving, whenEnded: @escaping @Sendable () -> Void) {
    self.receiver = receiver
    self.whenEnded = whenEnded
  }

  func received(_ bytes: UnsafeRawBufferPointer) { unsafe receiver.received(bytes) }

  func ended(_ end: TerminalChannelEnd) {
    receiver.ended(end)
    whenEnded()
  }
}
