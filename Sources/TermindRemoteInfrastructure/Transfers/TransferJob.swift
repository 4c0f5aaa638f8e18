public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// Why an end of a transfer could not be opened.
public struct TransferOpenFailure: Error, Sendable {
  /// In terms of files.
  public let error: FileError
  /// In terms of connections, which decides whether it is tried again.
  public let cause: ConnectionFailureCause

  /// Makes a failure; one without a connection's own reason is a loss, or for a person to look at.
  public init(_ error: FileError, _ cause: ConnectionFailureCause? = nil) {
    self.error = error
    if let cause {
      self.cause = cause
    } else if case .connectionLost(let reason) = error.reason {
      self.cause = .lost(reason: reason)
    } else {
      self.cause = .interactionRequired(error.text)
    }
  }
}

/// The work of one batch: opens both ends, copies, waits for lost connections, and tries again on request.
///
/// It needs no window; whoever shows it reads `batch`.
public final class TransferJob: Sendable {
  /// Opens an end without asking anybody.
  public typealias Opening =
    @Sendable () async throws(TransferOpenFailure) -> any RemoteFileSystem

  /// What is copied, and how.
  public struct Plan: Sendable {
    /// The entries of the source's directory, as they are called and as they were listed.
    public var entries: [FileEntry]
    /// What to do with names that are taken.
    public var policy: ConflictPolicy
    /// Names that are to be called otherwise at the target.
    public var newNames: [FileName: FileName]
    /// What to do with single names that are taken.
    public var policies: [FileName: ConflictPolicy]
    /// What is taken from the target once everything was copied; nil when nothing is.
    public var mirror: TreeMirror?

    /// Makes a plan.
    public init(
      entries: [FileEntry],
      policy: ConflictPolicy,
      newNames: [FileName: FileName] = [:],
      policies: [FileName: ConflictPolicy] = [:],
      mirror: TreeMirror? = nil
    ) {
      self.entries = entries
      self.policy = policy
      self.newNames = newNames
      self.policies = policies
      self.mirror = mirror
    }

    /// The entry that a path of the source belongs to.
    func entry(of path: RemotePath, in directory: RemotePath) -> FileEntry? {
      entries.first { directory.appending($0.name).contains(path) }
    }
  }

  /// What a move has to know at its end.
  struct Moving {
    /// Entries of which something was left out: they stay.
    var kept: Set<FileName> = []
    var removed: Set<FileName> = []
  }

  let state: Locked<TransferBatch>
  let plan: Plan
  private let openSource: Opening
  let openTarget: Opening
  private let scheduler: TransferScheduler
  private let bandwidth: BandwidthLimit?
  let queue = TransferQueue()
  private let recovery: ConnectionRecovery
  let moving = Locked(Moving())
  let mirroring = Locked(Mirroring())
  /// What an earlier server left of it; nil once that goes on.
  let suspended: Locked<SuspendedTransfer?>
  /// By what the temporary names at the target are known.
  let series: PartialSeries
  /// The files of it, with where they went on.
  let resumed = Locked<[SuspendedFile]>([])
  /// Whether it is stopped to go on another day.
  let isSuspended = Locked(false)

  /// Makes the work of a batch.
  ///
  /// - Parameters:
  ///   - batch: What it shows at first.
  ///   - plan: What is copied, and how.
  ///   - openSource: Opens the source.
  ///   - openTarget: Opens the target; not asked for when both are the same account's.
  ///   - scheduler: Gives slots.
  ///   - bandwidth: How fast it may go.
  ///   - suspended: What an earlier server left of it; the batch then is made of it, and the plan as well.
  public init(
    _ batch: TransferBatch,
    _ plan: Plan,
    openSource: @escaping Opening,
    openTarget: @escaping Opening,
    scheduler: TransferScheduler,
    bandwidth: BandwidthLimit? = nil,
    resuming suspended: SuspendedTransfer? = nil
  ) {
    let state = Locked(batch)
    self.state = state
    self.suspended = Locked(suspended)
    recovery = ConnectionRecovery { report in
      state.withLock { $0.state = .waiting(report.error, retryAt: report.retryAt) }
    }
    self.plan = plan
    self.openSource = openSource
    self.openTarget = openTarget
    self.scheduler = scheduler
    self.bandwidth = bandwidth
    series = suspended?.series ?? PartialSeries()
    if let suspended {
      moving.withLock { $0.kept = suspended.kept }
      mirroring.withLock { $0.hasLeftOut = suspended.hasLeftOut == true }
    }
  }

  /// What it shows, with its rate up to now.
  public var batch: TransferBatch {
    state.withLock { batch in
      batch.tick(at: recovery.now)
      return batch
    }
  }

  /// The time until a lost connection is tried again; nil when none is planned.
  public var timeToRetry: Duration? { state.withLock { $0.timeToRetry(at: recovery.now) } }

  // MARK: Wishes

  /// Lets it wait.
  public func pause() async {
    state.withLock { $0.pause() }
    await queue.pause()
  }

  /// Lets it go on; what waits for a connection tries it now.
  public func resume() async {
    state.withLock { $0.resume() }
    recovery.poke()
    await queue.resume()
  }

  /// Lets one file wait.
  public func pause(_ file: Int) async { await queue.pause(file) }
  /// Lets one file go on.
  public func resume(_ file: Int) async { await queue.resume(file) }
  /// Leaves one file out.
  public func skip(_ file: Int) async { await queue.skip(file) }
  /// Lets one file that waits be the next, or the last.
  public func move(_ file: Int, toFront: Bool) async { await queue.move(file, toFront: toFront) }

  // MARK: The work

  /// Copies everything; cancelling the task gives the batch up.
  @concurrent
  public func run() async {
    guard let left = suspended.withLock({ $0 }) else {
      return await work(retries: [], roots: roots, policy: nil)
    }
    resumed.withLock { $0 = left.files }
    state.withLock { batch in
      batch.resume()
      batch.state = .running
    }
    await queue.resume()
    await work(
      retries: left.files.map(\.retry),
      roots: left.entries.map { left.root(of: $0.name) },
      policy: nil,
      // A server may have listed a name twice.
      policies: Dictionary(left.entries.map { ($0.name, left.policy(of: $0.name)) }) { first, _ in
        first
      }
    )
    // Given up before its ends were open: what it left there goes all the same.
    guard Task.isCancelled, !isSuspended.withLock({ $0 }) else { return }
    await Task { await giveUp() }.value
  }

  /// Tries again what failed.
  @concurrent
  public func retry() async {
    guard suspended.withLock({ $0 == nil }) else { return await run() }
    await queue.resume()
    let hasBegun = state.withLock { $0.doneCount > 0 }
    let canRestart = !hasBegun || plan.policy != .keepBoth
    guard let again = state.withLock({ $0.beginRetry(canRestart: canRestart) }) else {
      let isCareful = hasBegun && plan.policy == .overwrite
      return await work(
        retries: [],
        roots: roots,
        policy: isCareful ? .overwriteIfNewerOrSizeDiffers : nil
      )
    }
    // A directory that was made meanwhile is filled; it gets no second name.
    let policy: ConflictPolicy? = plan.policy == .keepBoth ? .skip : nil
    await work(retries: again.files, roots: again.roots, policy: policy)
  }

  var directories: (source: RemotePath, target: RemotePath) {
    state.withLock { ($0.source.directory, $0.target.directory) }
  }

  private var roots: [CopyRoot] {
    let (source, target) = directories
    let removed = moving.withLock { $0.removed }
    return plan.entries.filter { !removed.contains($0.name) }.map { entry in
      CopyRoot(
        source: source.appending(entry.name),
        target: target.appending(plan.newNames[entry.name] ?? entry.name)
      )
    }
  }

  private func work(
    retries: [CopyRetry],
    roots: [CopyRoot],
    policy: ConflictPolicy?,
    policies: [FileName: ConflictPolicy]? = nil
  ) async {
    do throws(TransferOpenFailure) {
      let source = RecoveringFileSystem(try await openSource())
      let target: RecoveringFileSystem
      let isOne = state.withLock { $0.source.place == $0.target.place }
      do throws(TransferOpenFailure) {
        target = isOne ? source : RecoveringFileSystem(try await openTarget())
      } catch {
        await source.close()
        throw error
      }
      recovery.connected()
      if let left = takeSuspended() { await removePartials(of: left, target) }
      await copy(
        source,
        target,
        retries: retries,
        groups: groups(of: roots, policy, policies ?? plan.policies)
      )
      if let mirror = plan.mirror, !isStopped {
        await finish(mirror, from: source, to: target) { roots in
          await self.copy(
            source,
            target,
            retries: [],
            groups: self.groups(of: roots, nil, self.plan.policies)
          )
        }
      }
      if !isStopped, state.withLock({ $0.isMove }) { await removeSources(source, target) }
      await source.close()
      if !isOne { await target.close() }
      // What goes on another day waits as it is.
      guard !isSuspended.withLock({ $0 }) else { return }
      let isOver = Task.isCancelled
      state.withLock { $0.state = isOver ? .cancelled : .done }
    } catch {
      guard !isSuspended.withLock({ $0 }) else { return }
      // What an earlier server left stays to be taken up.
      let isLeft = suspended.withLock { $0 != nil }
      let end: TransferBatch.State =
        isLeft ? .waiting(error.error, retryAt: nil) : .failed(error.error)
      let isOver = Task.isCancelled
      state.withLock { $0.state = isOver ? .cancelled : end }
    }
  }

  /// The entry that a path of the source belongs to.
  private func entry(of path: RemotePath) -> FileEntry? {
    plan.entry(of: path, in: directories.source)
  }

  /// Whether nothing more is to be done.
  var isStopped: Bool { Task.isCancelled || isSuspended.withLock { $0 } }

  /// Entries of one policy go together; usually that is all of them.
  private func groups(
    of roots: [CopyRoot],
    _ policy: ConflictPolicy?,
    _ policies: [FileName: ConflictPolicy]
  ) -> [(policy: ConflictPolicy, roots: [CopyRoot])] {
    var groups: [(policy: ConflictPolicy, roots: [CopyRoot])] = []
    for root in roots {
      let own = entry(of: root.source).flatMap { policies[$0.name] } ?? plan.policy
      let wanted = policy ?? own
      if let place = groups.firstIndex(where: { $0.policy == wanted }) {
        groups[place].roots.append(root)
      } else {
        groups.append((wanted, [root]))
      }
    }
    return groups.isEmpty ? [(plan.policy, [])] : groups
  }

  private func copy(
    _ source: RecoveringFileSystem,
    _ target: RecoveringFileSystem,
    retries: [CopyRetry],
    groups: [(policy: ConflictPolicy, roots: [CopyRoot])]
  ) async {
    let ends =
      [ConnectionRecovery.End(source, openSource)]
      + (target === source ? [] : [ConnectionRecovery.End(target, openTarget)])
    for (place, group) in groups.enumerated() where !isStopped {
      let isLast = place == groups.count - 1
      let (number, lastNumber) = state.withLock { ($0.number, $0.lastNumber) }
      var request = TreeCopyRequest(
        from: source,
        to: target,
        roots: group.roots,
        policy: group.policy,
        queue: queue,
        bandwidth: bandwidth,
        owner: TransferSource(rawValue: UInt64(number))
      )
      request.options.series = series
      request.retries = place == 0 ? retries : []
      request.lastNumber = lastNumber
      request.recover = { [recovery] in await recovery.recover(ends, after: $0) }
      let copy = TreeCopy(copier: FileCopier(), scheduler: scheduler)
      do throws(CopyFailure) {
        let directory = directories.source
        _ = try await copy.run(request) { [state, moving, mirroring, plan] event in
          if event == .planned, !isLast { return }
          if let mirror = plan.mirror, mirroring.withLock({ $0.takes(event, of: mirror) }) {
            return
          }
          let isMove = state.withLock { batch in
            batch.take(event)
            return batch.isMove
          }
          guard isMove, let path = event.leftOutPath,
            let entry = plan.entry(of: path, in: directory)
          else { return }
          moving.withLock { _ = $0.kept.insert(entry.name) }
        }
      } catch {
        guard let root = group.roots.first else { continue }
        state.withLock { batch in
          batch.take(error, of: root)
          if isLast { batch.take(.planned) }
        }
      }
    }
  }
}

extension TransferEvent {
  /// What is not at its new place though nothing failed.
  fileprivate var leftOutPath: RemotePath? {
    switch self {
    case .skipped(_, .isThere): nil
    case .skipped(let path, _): path
    case .leftOut(let item, _): item.source
    default: nil
    }
  }
}
