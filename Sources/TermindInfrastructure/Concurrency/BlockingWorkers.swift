/// A few threads of their own for calls that wait for a disk.
///
/// Threads are started when work waits, and sleep in the kernel when there is none. Work is taken in the order in which
/// it was given; two pieces may run beside each other.
public final class BlockingWorkers: Sendable {
  private struct State {
    var threads = 0
    var busy = 0
    var queued = 0
  }

  private let name: String
  private let limit: Int
  private let queue = BlockingQueue<@Sendable () -> Void>()
  private let state = Locked(State())

  /// Makes workers; no thread runs before there is work.
  ///
  /// - Parameters:
  ///   - name: The threads' name, cut to 15 bytes.
  ///   - limit: Most threads, 1 at least.
  public init(name: String, limit: Int) {
    self.name = name
    self.limit = max(1, limit)
  }

  /// Runs `body` on one of the threads and suspends until it has returned.
  ///
  /// Cancelling does not end it: `body` is a call that cannot be cut short, and what it does must be known.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      put { continuation.resume(returning: body()) }
    }
  }

  private func put(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.queued += 1
      guard state.busy + state.queued > state.threads, state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    queue.put(work)
    guard needsThread else { return }
    do throws(EventLoopError) {
      try NamedThread.start(name: name) { [self] in serve() }
    } catch {
      let left = state.withLock { state in
        state.threads -= 1
        return state.threads
      }
      // Without any thread the caller would wait for ever.
      precondition(left > 0, "no thread for the disk: \(error)")
    }
  }

  private func serve() {
    while true {
      let work = queue.take()
      state.withLock { state in
        state.queued -= 1
        state.busy += 1
      }
      work()
      state.withLock { $0.busy -= 1 }
    }
  }
}
