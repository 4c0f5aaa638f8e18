@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// Runs the tasks that are pinned to no owner, and what wakes a sleeping task, on event loops.
///
/// The runtime would run them on Dispatch's pool. Once that pool has been used, Dispatch wakes the
/// process every second for good, to count the pool's threads; a loop with nothing to do never wakes.
/// Docs/Decisions/0006-tasks-on-event-loops.md has the details.
public enum TaskLoops {
  /// What the runtime gets its executors from.
  private struct Factory: ExecutorFactory {
    static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
    static let defaultExecutor: any TaskExecutor = TaskLoopExecutor()
  }

  /// Takes over from Dispatch; called once, before the first task of the process is made.
  public static func install() { _createExecutors(factory: Factory.self) }
}

/// Two loops behind the interface that the runtime knows; started with the first task.
private final class TaskLoopExecutor: TaskExecutor, SchedulingExecutor {
  private let loops: EventLoopGroup

  init() {
    do throws(EventLoopError) {
      loops = try EventLoopGroup(name: "task")
    } catch {
      preconditionFailure("no threads for tasks: \(error)")
    }
  }

  var asScheduling: (any SchedulingExecutor)? { self }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loops.next().run { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    after delay: C.Duration,
    tolerance: C.Duration?,
    clock: C
  ) {
    // Only the system's two clocks sleep by way of an executor, and both count in `Duration`.
    guard let delay = delay as? Duration else { return enqueue(job) }
    let job = UnownedJob(job)
    loops.next().schedule(after: delay) { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    at instant: C.Instant,
    tolerance: C.Duration?,
    clock: C
  ) {
    enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
  }
}
