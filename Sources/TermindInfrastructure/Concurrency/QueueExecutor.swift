internal import Dispatch

/// Runs the jobs of one actor on a queue of its own: what it does takes long, or waits for a disk.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Makes a queue with a name for debuggers.
  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { [self] in
      unsafe unowned.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
