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
  }

  private struct Waiting {
    var continuation: CheckedContinuation<Void, Never>?
    var isPoked = false
  }

  /// What a move has to know at its end.
  private struct Moving {
    /// Entries of which something was left out: they stay.
    var kept: Set<FileName> = []
    var removed: Set<FileName> = []
  }

  let state: Locked<TransferBatch>
  let plan: Plan
  private let openSource: Opening
  private let openTarget: Opening
  private let scheduler: TransferScheduler
  private let bandwidth: BandwidthLimit?
  private let queue = TransferQueue()
  private let reconnect = Locked(ReconnectPolicy())
  private let waiting = Locked(Waiting())
  private let moving = Locked(Moving())
  let mirroring = Locked(Mirroring())
  private let now: @Sendable () -> Duration

  /// Makes the work of a batch.
  ///
  /// - Parameters:
  ///   - batch: What it shows at first.
  ///   - plan: What is copied, and how.
  ///   - openSource: Opens the source.
  ///   - openTarget: Opens the target; not asked for when both are the same account's.
  ///   - scheduler: Gives slots.
  ///   - bandwidth: How fast it may go.
  public init(
    _ batch: TransferBatch,
    _ plan: Plan,
    openSource: @escaping Opening,
    openTarget: @escaping Opening,
    scheduler: TransferScheduler,
    bandwidth: BandwidthLimit? = nil
  ) {
    state = Locked(batch)
    self.plan = plan
    self.openSource = openSource
    self.openTarget = openTarget
    self.scheduler = scheduler
    self.bandwidth = bandwidth
    let start = ContinuousClock.now
    now = { start.duration(to: .now) }
  }

  /// What it shows, with its rate up to now.
  public var batch: TransferBatch {
    state.withLock { batch in
      batch.tick(at: now())
      return batch
    }
  }

  /// The time until a lost connection is tried again; nil when none is planned.
  public var timeToRetry: Duration? {
    guard case .waiting(_, let retryAt?) = state.withLock({ $0.state }) else { return nil }
    return max(retryAt - now(), .zero)
  }

  // MARK: Wishes

  /// Lets it wait.
  public func pause() async {
    state.withLock { $0.pause() }
    await queue.pause()
  }

  /// Lets it go on; what waits for a connection tries it now.
  public func resume() async {
    state.withLock { $0.resume() }
    poke()
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
  public func run() async { await work(retries: [], roots: roots, policy: nil) }

  /// Tries again what failed.
  @concurrent
  public func retry() async {
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

  private var directories: (source: RemotePath, target: RemotePath) {
    state.withLock { ($0.source.directory, $0.target.directory) }
  }

  private var roots: [CopyRoot] {
    let (source, target) = directories
    return plan.entries.map { entry in
      CopyRoot(
        source: source.appending(entry.name),
        target: target.appending(plan.newNames[entry.name] ?? entry.name)
      )
    }
  }

  private func work(retries: [CopyRetry], roots: [CopyRoot], policy: ConflictPolicy?) async {
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
      reconnect.withLock { $0.connected(at: now()) }
      await copy(source, target, retries: retries, roots: roots, policy: policy)
      if let mirror = plan.mirror, !Task.isCancelled {
        await finish(mirror, from: source, to: target) { roots in
          await self.copy(source, target, retries: [], roots: roots, policy: nil)
        }
      }
      if !Task.isCancelled, state.withLock({ $0.isMove }) { await removeSources(source) }
      await source.close()
      if !isOne { await target.close() }
      let isOver = Task.isCancelled
      state.withLock { $0.state = isOver ? .cancelled : .done }
    } catch {
      let end: TransferBatch.State = Task.isCancelled ? .cancelled : .failed(error.error)
      state.withLock { $0.state = end }
    }
  }

  private func copy(
    _ source: RecoveringFileSystem,
    _ target: RecoveringFileSystem,
    retries: [CopyRetry],
    roots: [CopyRoot],
    policy: ConflictPolicy?
  ) async {
    // Entries of one policy go together; usually that is all of them.
    var groups: [(policy: ConflictPolicy, roots: [CopyRoot])] = []
    for root in roots {
      let own = root.source.name.flatMap { plan.policies[$0] } ?? plan.policy
      let wanted = policy ?? own
      if let place = groups.firstIndex(where: { $0.policy == wanted }) {
        groups[place].roots.append(root)
      } else {
        groups.append((wanted, [root]))
      }
    }
    if groups.isEmpty { groups = [(plan.policy, [])] }
    for (place, group) in groups.enumerated() where !Task.isCancelled {
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
      request.retries = place == 0 ? retries : []
      request.lastNumber = lastNumber
      request.recover = { [weak self] error in
        await self?.recover(source, target, error) ?? false
      }
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
          guard isMove, let path = event.leftOutPath else { return }
          let entry = plan.entries.first { directory.appending($0.name).contains(path) }
          if let entry { moving.withLock { _ = $0.kept.insert(entry.name) } }
        }
      } catch {
        guard let root = group.roots.first else { continue }
        let item = TransferItem(
          number: lastNumber + 1,
          source: root.source,
          target: root.target,
          size: nil
        )
        state.withLock { batch in
          batch.take(.failed(item, error))
          if isLast { batch.take(.planned) }
        }
      }
    }
  }

  /// Removes what was moved from its old place: only what is complete at the new one.
  private func removeSources(_ source: RecoveringFileSystem) async {
    let (failures, isKnown, directory) = state.withLock { batch in
      let paths = batch.failures.map(\.item.source)
      return (paths, batch.failureCount == paths.count, batch.source.directory)
    }
    guard isKnown else { return }
    for entry in plan.entries where !Task.isCancelled {
      let root = directory.appending(entry.name)
      let isMissing = failures.contains { root.contains($0) }
      let isKept = moving.withLock {
        $0.kept.contains(entry.name) || $0.removed.contains(entry.name)
      }
      guard !isMissing, !isKept else { continue }
      let report = await FileTreeWalk.remove([entry], in: directory, of: source) { _ in }
      moving.withLock { _ = $0.removed.insert(entry.name) }
      state.withLock { batch in
        for failure in report.failures { batch.note(notRemoved: failure) }
      }
    }
  }

  // MARK: Lost connections

  /// Brings lost ends back: after a while by itself, or when the person wants it where only a person can help.
  private func recover(
    _ source: RecoveringFileSystem,
    _ target: RecoveringFileSystem,
    _ error: FileError
  ) async -> Bool {
    var loss = TransferOpenFailure(error)
    while !Task.isCancelled {
      var delay: Duration?
      switch reconnect.withLock({ $0.failed(loss.cause, at: now()) }) {
      case .retry(let after, _): delay = after
      case .stop: break
      }
      let waits = TransferBatch.State.waiting(loss.error, retryAt: delay.map { now() + $0 })
      state.withLock { $0.state = waits }
      await wait(delay)
      guard !Task.isCancelled else { return false }
      if delay == nil { reconnect.withLock { $0.retriedByPerson() } }
      do throws(TransferOpenFailure) {
        if await source.isLost() { await source.replace(with: try await openSource()) }
        if target !== source, await target.isLost() {
          await target.replace(with: try await openTarget())
        }
        reconnect.withLock { $0.connected(at: now()) }
        return true
      } catch { loss = error }
    }
    return false
  }

  private func wait(_ delay: Duration?) async {
    waiting.withLock { $0.isPoked = false }
    let timer = delay.map { delay in
      Task { [weak self] in
        // A cancelled sleep means that somebody else has ended the wait.
        guard (try? await Task.sleep(for: delay)) != nil else { return }
        self?.poke()
      }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiting.withLock { waiting in
          if waiting.isPoked || Task.isCancelled { return true }
          waiting.continuation = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      poke()
    }
    timer?.cancel()
  }

  /// Ends a wait for a connection.
  private func poke() {
    let continuation = waiting.withLock { waiting in
      defer { waiting.continuation = nil }
      waiting.isPoked = true
      return waiting.continuation
    }
    continuation?.resume()
  }
}

extension TransferEvent {
  /// What is not at its new place though nothing failed.
  fileprivate var leftOutPath: RemotePath? {
    switch self {
    case .skipped(let path, _): path
    case .leftOut(let item, _): item.source
    default: nil
    }
  }
}
