internal import Dispatch

/// Runs the jobs of one store on a queue of its own, so that a wait for the disk or for another
/// process never blocks a thread that others share.
final class StoreExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "termind.store")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { [self] in
      unsafe unowned.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
