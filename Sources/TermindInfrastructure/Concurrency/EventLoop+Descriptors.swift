/// A level-triggered registration of one descriptor on a loop.
public final class DescriptorWatch: Sendable {
  private let loop: EventLoop
  private let descriptor: Int32
  private let generation: UInt32

  init(loop: EventLoop, descriptor: Int32, generation: UInt32) {
    self.loop = loop
    self.descriptor = descriptor
    self.generation = generation
  }

  /// Replaces what the descriptor is watched for; nothing pauses the watch, hang-ups included.
  public func setInterest(_ interest: DescriptorEvents) {
    loop.registry.withLock { $0.setInterest(descriptor, generation, interest) }
  }

  /// Ends the watch; do it before the descriptor is closed.
  ///
  /// Called on the loop, the handler never runs again once this has returned. From another thread a call may
  /// be under way.
  public func cancel() {
    loop.registry.withLock { $0.removeWatch(descriptor, generation) }
  }
}

/// A timer of a loop.
public struct LoopTimer: Sendable {
  let loop: EventLoop
  let number: UInt64

  /// Forgets the timer; one that has fired is not changed.
  public func cancel() {
    _ = loop.registry.withLock { $0.timers.cancel(number) }
  }
}

extension EventLoop {
  /// Calls `handler` on the loop, once a turn, for as long as the descriptor is what `interest` asks for.
  ///
  /// - Parameters:
  ///   - descriptor: Open until the watch is cancelled; not a regular file.
  ///   - interest: What to watch for; an empty set starts paused.
  ///   - handler: Takes what the descriptor was found to be. It must not block.
  /// - Returns: The watch; it stays until it is cancelled or the loop is shut down.
  /// - Throws: `.alreadyWatched`, `.shutDown`, or `.system` for a descriptor that cannot be watched.
  public func watch(
    _ descriptor: Int32,
    for interest: DescriptorEvents,
    _ handler: @escaping @Sendable (DescriptorEvents) -> Void
  ) throws(EventLoopError) -> DescriptorWatch {
    let generation = try registry.withLock { state throws(EventLoopError) in
      try state.addWatch(descriptor, interest, handler)
    }
    return DescriptorWatch(loop: self, descriptor: descriptor, generation: generation)
  }

  /// Suspends until `descriptor` is readable, at its end, or in error; any number of tasks may wait.
  ///
  /// - Throws: `.cancelled`, `.shutDown`, or `.system` for a descriptor that cannot be watched.
  public func readable(_ descriptor: Int32) async throws(EventLoopError) {
    try await wait(descriptor, .readable)
  }

  /// Suspends until `descriptor` is writable or in error; any number of tasks may wait.
  ///
  /// - Throws: `.cancelled`, `.shutDown`, or `.system` for a descriptor that cannot be watched.
  public func writable(_ descriptor: Int32) async throws(EventLoopError) {
    try await wait(descriptor, .writable)
  }

  /// Suspends until `delay` has passed.
  ///
  /// - Throws: `.cancelled`; a loop that is shut down ends the sleep with `.shutDown`.
  public func sleep(for delay: Duration) async throws(EventLoopError) {
    let number = registry.withLock { $0.makeNumber() }
    try await suspend { [self] continuation in
      let deadline = ContinuousClock.now.advanced(by: delay)
      let onLoop = isCurrent
      return registry.withLock { $0.addSleeper(number, until: deadline, onLoop, continuation) }
    } cancel: { [self] in
      registry.withLock { $0.removeSleeper(number) }
    }
  }

  private func wait(
    _ descriptor: Int32,
    _ event: DescriptorEvents
  ) async throws(EventLoopError) {
    let number = registry.withLock { $0.makeNumber() }
    try await suspend { [self] continuation in
      registry.withLock { state in
        do throws(EventLoopError) {
          try state.addWaiter(number, descriptor, event, continuation)
          return nil
        } catch { return error }
      }
    } cancel: { [self] in
      registry.withLock { $0.removeWaiter(number, descriptor) }
    }
  }

  /// Suspends the task; `start` keeps the continuation or returns why it cannot, `cancel` gives it back.
  private func suspend(
    start: @Sendable (LoopRegistry.Waiter) -> EventLoopError?,
    cancel: @escaping @Sendable () -> LoopRegistry.Waiter?
  ) async throws(EventLoopError) {
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if let error = start(continuation) {
            continuation.resume(throwing: error)
          } else if Task.isCancelled {
            // The handler below may have run before there was anything to give back.
            cancel()?.resume(throwing: EventLoopError.cancelled)
          }
        }
      } onCancel: {
        cancel()?.resume(throwing: EventLoopError.cancelled)
      }
    } catch let error as EventLoopError {
      throw error
    } catch {
      throw .cancelled
    }
  }
}
