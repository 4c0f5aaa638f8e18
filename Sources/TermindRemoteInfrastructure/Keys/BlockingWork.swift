internal import Dispatch
internal import Synchronization

/// Says to work on another thread that nobody waits for it any more.
final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs what blocks or computes for long on threads of its own, away from event loops and from the
/// cooperative pool.
enum BlockingWork {
  /// Runs `body` and suspends until it returns; cancellation sets the flag that `body` was given.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (CancellationFlag) -> Value
  ) async -> Value {
    let flag = CancellationFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A serial queue each: a concurrent one would run on the pool whose watch never sleeps again
        // (Docs/Concurrency.md).
        DispatchQueue(label: "termind.keys").async { continuation.resume(returning: body(flag)) }
      }
    } onCancel: {
      flag.set()
    }
  }
}
