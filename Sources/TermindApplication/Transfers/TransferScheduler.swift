public import TermindDomain

/// Gives slots to everything that moves data in this process; see `TransferSchedule` for who is next.
public actor TransferScheduler {
  private var schedule: TransferSchedule
  private var waiters: [TransferTicket: CheckedContinuation<Bool, Never>] = [:]
  /// Tickets that got a slot before their task had begun to wait.
  private var ready: Set<TransferTicket> = []

  /// Makes a scheduler.
  public init(limits: TransferLimits = .standard) { schedule = TransferSchedule(limits: limits) }

  /// The limits that hold now.
  public var limits: TransferLimits { schedule.limits }
  /// How many slots are taken.
  public var runningCount: Int { schedule.runningCount }
  /// How many pieces of work wait.
  public var waitingCount: Int { schedule.waitingCount }

  /// Changes the limits; what runs goes on.
  public func setLimits(_ limits: TransferLimits) {
    schedule.setLimits(limits)
    startMore()
  }

  /// Moves a source before all with a lower number, and behind all with a higher one.
  public func setPriority(of source: TransferSource, to priority: Int) {
    schedule.setPriority(of: source, to: priority)
  }

  /// Lets work that waits go before the rest of its source.
  public func moveToFront(_ ticket: TransferTicket) { schedule.moveToFront(ticket) }

  /// Runs work in a slot.
  ///
  /// - Parameters:
  ///   - places: The file systems that it uses.
  ///   - source: Who wants it.
  ///   - queued: Told the ticket while it waits.
  ///   - work: Runs once there is a slot.
  /// - Returns: What the work returns; nil when the task was cancelled before there was a slot.
  public nonisolated func withSlot<Value: Sendable>(
    places: Set<FilePlace>,
    source: TransferSource,
    queued: @Sendable (TransferTicket) -> Void = { _ in },
    _ work: () async -> Value
  ) async -> Value? {
    let ticket = await enqueue(places, source)
    queued(ticket)
    guard await wait(ticket) else {
      await end(ticket)
      return nil
    }
    let value = await work()
    await end(ticket)
    return value
  }

  private func enqueue(_ places: Set<FilePlace>, _ source: TransferSource) -> TransferTicket {
    schedule.enqueue(places: places, source: source)
  }

  private func wait(_ ticket: TransferTicket) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        // Another one's turn may have come to it between its ticket and now.
        if ready.remove(ticket) != nil { return continuation.resume(returning: true) }
        waiters[ticket] = continuation
        startMore()
      }
    } onCancel: {
      Task { await self.cancel(ticket) }
    }
  }

  private func cancel(_ ticket: TransferTicket) {
    waiters.removeValue(forKey: ticket)?.resume(returning: false)
  }

  private func end(_ ticket: TransferTicket) {
    ready.remove(ticket)
    schedule.end(ticket)
    startMore()
  }

  private func startMore() {
    while let ticket = schedule.startNext() {
      if let waiter = waiters.removeValue(forKey: ticket) {
        waiter.resume(returning: true)
      } else {
        ready.insert(ticket)
      }
    }
  }
}
