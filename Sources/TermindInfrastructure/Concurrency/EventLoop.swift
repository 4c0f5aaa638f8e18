internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread parked in `epoll_wait` that runs the jobs of its actors, callbacks, descriptors and timers.
///
/// An actor is pinned to a loop by returning the loop's `asUnownedSerialExecutor()` from its
/// `unownedExecutor`. Work is sliced: each turn runs a bounded batch of what is ready, then looks at
/// the descriptors again, so that nothing starves. With nothing to do the thread never wakes.
///
/// The thread keeps the loop alive until `shutdown()`. After that, waits end with `.shutDown`,
/// callbacks and timers are dropped, and jobs of actors that are still alive run on a short thread of their own, one
/// after another, so that no task is lost.
@safe
public final class EventLoop: SerialExecutor, Sendable {
  /// The loop's name, also that of its thread.
  public let name: String

  let registry: Locked<LoopRegistry>
  private let threadID = Atomic<UInt>(0)

  /// Most jobs and callbacks in one turn, before descriptors and timers are looked at again.
  static let jobsPerTurn = 64

  /// Starts a loop and its thread.
  ///
  /// - Parameter name: Shown by the system; cut to 15 bytes.
  /// - Throws: `.system` when the process is out of descriptors or threads.
  public init(name: String) throws(EventLoopError) {
    self.name = name
    registry = Locked(try LoopRegistry())
    do throws(EventLoopError) {
      try NamedThread.start(name: name) { [self] in runUntilShutDown() }
    } catch {
      registry.withLock { $0.closeDescriptors() }
      throw error
    }
  }

  // MARK: Jobs and callbacks

  /// Takes a job of a pinned actor; called by the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(.job(UnownedJob(job)))
  }

  /// Runs `body` on the loop, after what was queued before; dropped once the loop is shut down.
  ///
  /// Inside, `assumeIsolated` of an actor pinned to this loop holds.
  public func run(_ body: @escaping @Sendable () -> Void) {
    enqueue(.callback(body))
  }

  /// Whether the caller is on the loop's thread.
  public var isCurrent: Bool { UInt(pthread_self()) == threadID.load(ordering: .relaxed) }

  /// Tells the Swift runtime whether the calling thread is the loop's.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Stops the program when the calling thread is not the loop's: a bug in our code.
  public func checkIsolated() {
    precondition(isCurrent, "not on the event loop's thread")
  }

  /// Ends the thread once the jobs that are queued have run, and every wait with `.shutDown`.
  ///
  /// Returns at once; calling it again changes nothing.
  public func shutdown() {
    registry.withLock { $0.requestStop() }
  }

  // MARK: Timers

  /// Runs `body` on the loop once `delay` has passed.
  ///
  /// - Parameters:
  ///   - delay: From now; zero or less means the next turn. Rounded up to whole milliseconds.
  ///   - body: Runs once, unless the timer is cancelled or the loop is shut down before.
  /// - Returns: The timer; dropping it does not cancel it.
  @discardableResult
  public func schedule(
    after delay: Duration,
    _ body: @escaping @Sendable () -> Void
  ) -> LoopTimer {
    let deadline = ContinuousClock.now.advanced(by: delay)
    let onLoop = isCurrent
    let number = registry.withLock { $0.addTimer(at: deadline, onLoop: onLoop, body) }
    return LoopTimer(loop: self, number: number)
  }

  // MARK: The thread

  private func enqueue(_ item: LoopRegistry.Item) {
    let onLoop = isCurrent
    let accepted = registry.withLock { $0.append(item, onLoop: onLoop) }
    switch accepted {
    case .queued: return
    case .needsThread: startDrain()
    }
  }

  private func runUntilShutDown() {
    threadID.store(UInt(pthread_self()), ordering: .relaxed)
    let epoll = registry.withLock { $0.epoll }
    var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)
    while true {
      let turn = registry.withLock { $0.nextTurn(limit: Self.jobsPerTurn) }
      runItems(turn.items)
      if turn.isLast { break }
      let timeout = turn.items.isEmpty ? turn.timeout : 0
      let count = unsafe epoll_wait(epoll, &events, Int32(events.count), timeout)
      for index in 0..<max(0, Int(count)) {
        let token = unsafe events[index].data.u64
        let bits = unsafe events[index].events
        dispatch(token: token, DescriptorEvents(epollBits: bits))
      }
      let now = ContinuousClock.now
      let due = registry.withLock { $0.takeDue(at: now, limit: Self.jobsPerTurn) }
      for body in due { body() }
    }
    let orphans = registry.withLock { $0.finish() }
    threadID.store(0, ordering: .relaxed)
    for waiter in orphans { waiter.resume(throwing: EventLoopError.shutDown) }
  }

  private func dispatch(token: UInt64, _ events: DescriptorEvents) {
    let (waiters, handler) = registry.withLock { $0.takeReady(token: token, events) }
    for waiter in waiters { waiter.resume() }
    handler?(events)
  }

  private func runItems(_ items: [LoopRegistry.Item]) {
    let executor = unsafe asUnownedSerialExecutor()
    for item in items {
      switch item {
      case .job(let job): unsafe job.runSynchronously(on: executor)
      case .callback(let body): body()
      }
    }
  }

  /// Runs late jobs of a loop that was shut down.
  private func startDrain() {
    let drain: @Sendable () -> Void = { [self] in
      threadID.store(UInt(pthread_self()), ordering: .relaxed)
      while let items = registry.withLock({ $0.takeLate() }) { runItems(items) }
    }
    // Without a thread the jobs could only be lost, and with them the tasks that wait for them.
    do throws(EventLoopError) {
      try NamedThread.start(name: name, drain)
    } catch {
      preconditionFailure("no thread for the last jobs of a loop: \(error)")
    }
  }
}
