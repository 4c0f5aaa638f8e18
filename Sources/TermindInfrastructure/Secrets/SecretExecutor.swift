internal import Dispatch

/// Runs the jobs of one secret store on a queue of its own: deriving a key takes half a second of work,
/// and syncing a file waits for the disk.
final class SecretExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "termind.secrets")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { [self] in
      unsafe unowned.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
