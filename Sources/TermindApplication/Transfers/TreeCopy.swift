public import TermindDomain

/// Copies files and whole trees: looks for work while copying has begun, and never holds more than a little of it.
///
/// An error of one file never stops the rest. Directories that hold nothing are made too; symbolic links are made anew;
/// pipes, sockets and devices are left out and told. A pause, and a lost connection, let it wait; then it goes on.
public struct TreeCopy: Sendable {
  /// Files up to this size travel together, many in one slot.
  public static let smallSize: UInt64 = 65_536
  /// How many small files share a slot.
  public static let packSize = 64
  /// How often a connection may be lost over one thing before that has failed.
  static let lossLimit = 5
  /// How many tasks take work; slots decide how many of them run.
  private static let workerCount = 32

  let copier: any FileCopying
  private let scheduler: TransferScheduler

  /// Makes a copier of trees.
  public init(copier: any FileCopying, scheduler: TransferScheduler) {
    self.copier = copier
    self.scheduler = scheduler
  }

  /// Copies; cancelling the task ends it, and files under way remove what they left.
  ///
  /// - Parameters:
  ///   - request: What, where and how.
  ///   - observe: Told what happens, on any thread; must return quickly.
  /// - Returns: What became of it.
  /// - Throws: Why it could not begin, when it is one file or directory only.
  public func run(
    _ request: TreeCopyRequest,
    _ observe: @escaping @Sendable (TransferEvent) -> Void
  ) async throws(CopyFailure) -> TransferSummary {
    let queue = request.queue
    await queue.open()
    let result = await withTaskCancellationHandler {
      await copy(request, TransferTally(observe))
    } onCancel: {
      Task { await queue.close(dropping: true) }
    }
    return try result.get()
  }

  private func copy(
    _ request: TreeCopyRequest,
    _ tally: TransferTally
  ) async -> Result<TransferSummary, CopyFailure> {
    let queue = request.queue
    var request = request
    if let recover = request.recover {
      request.recover = { error in
        await tally.add(.lost(error))
        let isBack = await recover(error)
        if isBack { await tally.add(.recovered) }
        return isBack
      }
    }
    let plan = TreePlan(request, tally: tally)
    let roots: [(root: CopyRoot, attributes: FileAttributes)]
    do throws(CopyFailure) {
      roots = try await plan.roots()
    } catch {
      await plan.clean()
      return .failure(error)
    }
    let ready = request
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await plan.walk(roots)
        await plan.clean()
        await queue.close()
      }
      for _ in 0..<Self.workerCount {
        group.addTask { await work(ready, tally) }
      }
    }
    await plan.clean()
    let isWhole = await !queue.isDropped && !Task.isCancelled
    for rest in await queue.takeRest() {
      await tally.add(.failed(rest.item, await given(up: rest, ready)))
    }
    if isWhole { await plan.finishDirectories() }
    return .success(await tally.summary(isComplete: isWhole))
  }

  /// Takes work until there is none.
  private func work(_ request: TreeCopyRequest, _ tally: TransferTally) async {
    let queue = request.queue
    let places: Set<FilePlace> = [request.source.place, request.target.place]
    while await queue.reserve() {
      let ran: FileError?? = await scheduler.withSlot(places: places, source: request.owner) {
        guard let pack = await queue.take() else { return nil }
        return await run(pack, request, tally)
      }
      guard let lost = ran else {
        await queue.release()
        continue
      }
      if let lost { _ = await request.isBack(after: lost) }
    }
  }
}

/// Counts what happens and passes it on.
actor TransferTally {
  nonisolated let observe: @Sendable (TransferEvent) -> Void
  private var counts = TransferSummary()

  init(_ observe: @escaping @Sendable (TransferEvent) -> Void) { self.observe = observe }

  func add(_ events: [TransferEvent]) { for event in events { add(event) } }

  func add(_ event: TransferEvent) {
    switch event {
    case .finished(_, let result):
      counts.copied += 1
      counts.byteCount += result.byteCount
    case .failed, .missing: counts.failed += 1
    case .skipped(_, .isThere): break
    case .skipped, .leftOut: counts.skipped += 1
    case .madeDirectory: counts.directories += 1
    case .madeLink: counts.links += 1
    case .began, .found, .planned, .started, .progressed, .warned, .paused, .lost, .recovered:
      break
    }
    observe(event)
  }

  func summary(isComplete: Bool) -> TransferSummary {
    var result = counts
    result.isComplete = isComplete
    return result
  }
}
