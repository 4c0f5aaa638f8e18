public import TermindDomain

/// How a file or tree is copied.
public struct TreeCopyRequest: Sendable {
  /// What is copied.
  public var source: FileLocation
  /// Its path at the target, name included.
  public var target: FileLocation
  /// How each file is copied.
  public var options: CopyOptions
  /// What to do with names that are taken.
  public var policy: ConflictPolicy
  /// How it is paused.
  public var control: CopyControl
  /// How fast it may go.
  public var bandwidth: BandwidthLimit?
  /// Who wants it.
  public var owner: TransferSource

  /// Makes a request.
  public init(
    source: FileLocation,
    target: FileLocation,
    options: CopyOptions = CopyOptions(),
    policy: ConflictPolicy,
    control: CopyControl = CopyControl(),
    bandwidth: BandwidthLimit? = nil,
    owner: TransferSource
  ) {
    self.source = source
    self.target = target
    self.options = options
    self.policy = policy
    self.control = control
    self.bandwidth = bandwidth
    self.owner = owner
  }
}

/// Copies a file or a whole tree: looks for work while copying has begun, and never holds more than a little of it.
///
/// An error of one file never stops the rest. Directories that hold nothing are made too; symbolic links are made anew;
/// pipes, sockets and devices are left out and told.
public struct TreeCopy: Sendable {
  /// Files up to this size travel together, many in one slot.
  public static let smallSize: UInt64 = 65_536
  /// How many small files share a slot.
  public static let packSize = 64
  /// How many tasks take work; slots decide how many of them run.
  private static let workerCount = 32

  private let copier: any FileCopying
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
  /// - Throws: Why it could not begin.
  public func run(
    _ request: TreeCopyRequest,
    _ observe: @escaping @Sendable (TransferEvent) -> Void
  ) async throws(CopyFailure) -> TransferSummary {
    let root = try await Self.root(request)
    let queue = WorkQueue<CopyPack>(limit: Self.workerCount)
    let tally = TransferTally(observe)
    let plan = TreePlan(request, queue: queue, tally: tally)
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await plan.walk(root)
          await queue.close()
        }
        for _ in 0..<Self.workerCount {
          group.addTask {
            while let pack = await queue.take() { await run(pack, request, tally) }
          }
        }
      }
    } onCancel: {
      Task { await queue.close(dropping: true) }
    }
    await plan.finishDirectories()
    return await tally.summary(isComplete: !Task.isCancelled && !request.control.isPausing)
  }

  /// The source's attributes, once both ends were looked at.
  private static func root(_ request: TreeCopyRequest) async throws(CopyFailure) -> FileAttributes {
    let (source, target) = (request.source, request.target)
    let attributes: FileAttributes
    let from: RemotePath
    do throws(FileError) {
      attributes = try await source.files.attributes(of: source.path, followingLinks: false)
      // A link itself is copied: its own place counts, not where it leads.
      from = try await resolvedParent(source)
    } catch { throw CopyFailure(.operation(.reading, error)) }
    let to: RemotePath
    do throws(FileError) {
      to = try await resolvedParent(target)
    } catch { throw CopyFailure(.operation(.writing, error)) }
    let refusal = CopyRules.refusal(
      source: from,
      in: source.files.place,
      target: to,
      in: target.files.place
    )
    if let refusal { throw CopyFailure(.refused(refusal)) }
    return attributes
  }

  /// The path with its directory resolved; the last name stays what it is.
  static func resolvedParent(_ location: FileLocation) async throws(FileError) -> RemotePath {
    guard let parent = location.path.parent, let name = location.path.name else {
      return try await location.files.resolve(location.path)
    }
    return try await location.files.resolve(parent).appending(name)
  }

  private func run(_ pack: CopyPack, _ request: TreeCopyRequest, _ tally: TransferTally) async {
    let places: Set<FilePlace> = [request.source.files.place, request.target.files.place]
    let ran: Void? = await scheduler.withSlot(places: places, source: request.owner) {
      guard pack.work.count > 1 else {
        for work in pack.work { await copy(work, request, tally) }
        return
      }
      await withTaskGroup(of: Void.self) { group in
        for work in pack.work { group.addTask { await copy(work, request, tally) } }
      }
    }
    if ran == nil {
      for work in pack.work { await tally.add(.failed(work.item, CopyFailure(.cancelled))) }
    }
  }

  private func copy(_ work: CopyWork, _ request: TreeCopyRequest, _ tally: TransferTally) async {
    let item = work.item
    guard !request.control.isPausing else {
      return await tally.add(.failed(item, CopyFailure(.paused)))
    }
    await tally.add(.started(item))
    var options = request.options
    options.replaces = work.replaces
    do throws(CopyFailure) {
      let result = try await copier.copy(
        CopyRequest(
          source: FileLocation(request.source.files, item.source),
          target: FileLocation(request.target.files, item.target),
          options: options,
          control: request.control,
          bandwidth: request.bandwidth,
          expectedSize: item.size
        )
      ) { tally.observe(.progressed(item, $0)) }
      await tally.add(.finished(item, result))
    } catch {
      await tally.add(.failed(item, error))
    }
  }
}

/// One file to copy, as the plan found it.
struct CopyWork: Sendable {
  let item: TransferItem
  let replaces: Bool
}

/// Files that share a slot.
struct CopyPack: Sendable {
  var work: [CopyWork]
}

/// Counts what happens and passes it on.
actor TransferTally {
  nonisolated let observe: @Sendable (TransferEvent) -> Void
  private var counts = TransferSummary()

  init(_ observe: @escaping @Sendable (TransferEvent) -> Void) { self.observe = observe }

  func add(_ event: TransferEvent) {
    switch event {
    case .finished(_, let result):
      counts.copied += 1
      counts.byteCount += result.byteCount
    case .failed, .missing: counts.failed += 1
    case .skipped: counts.skipped += 1
    case .madeDirectory: counts.directories += 1
    case .madeLink: counts.links += 1
    case .found, .planned, .started, .progressed, .warned: break
    }
    observe(event)
  }

  func summary(isComplete: Bool) -> TransferSummary {
    var result = counts
    result.isComplete = isComplete
    return result
  }
}
