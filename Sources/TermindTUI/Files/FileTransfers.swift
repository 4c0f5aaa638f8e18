import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// Copies between any two places; they belong to no window, and go on when the panes that asked for them are closed.
final class FileTransfers {
  /// One drop: some entries, from one directory to another.
  struct Transfer {
    let number: Int
    let held: HeldFiles
    let target: PaneContent.FilesTarget
    let directory: RemotePath
    let policy: ConflictPolicy
    let isMove: Bool
    let control = CopyControl()
    var counts = FileTransferCounts()
    var task: Task<Void, Never>?

    /// Its sign in the sidebar: where the data goes.
    var sign: String {
      switch (held.source.host == nil, target.host == nil) {
      case (true, false): "↑"
      case (false, true): "↓"
      default: "⇄"
      }
    }

    /// What it is called.
    var name: String { FileText.names(held.entries.map(\.name)) }
  }

  private(set) var running: [Transfer] = []
  /// Hears of progress.
  var onChange: (() -> Void)?
  /// Hears of an end, with what happened.
  var onEnd: ((Transfer) -> Void)?
  let scheduler = TransferScheduler()
  private unowned let services: Services
  private var lastNumber = 0

  /// The pause between two looks at the progress.
  private static let interval = Duration.milliseconds(100)

  init(_ services: Services) { self.services = services }

  /// How many run, for the questions before an end.
  var work: AppWideWork { AppWideWork(transfers: running.count) }

  /// The first transfer into a directory.
  func transfer(into directory: RemotePath, of place: FilePlace) -> Transfer? {
    running.first { $0.directory == directory && $0.target.place == place }
  }

  /// Starts to copy or move what is held into a directory.
  func start(
    _ held: HeldFiles,
    to target: PaneContent.FilesTarget,
    _ directory: RemotePath,
    policy: ConflictPolicy,
    isMove: Bool
  ) {
    lastNumber += 1
    var transfer = Transfer(
      number: lastNumber,
      held: held,
      target: target,
      directory: directory,
      policy: policy,
      isMove: isMove
    )
    let number = transfer.number
    let counts = Locked(FileTransferCounts())
    let look = Task { [weak self] in
      // Cancelled at the end of the copy.
      while (try? await Task.sleep(for: Self.interval)) != nil {
        self?.progressed(number, counts.withLock { $0 })
      }
    }
    let job = FileTransferJob(transfer, scheduler, counts)
    transfer.task = Task { [weak self, services] in
      await job.run(services)
      look.cancel()
      self?.ended(number, counts.withLock { $0 })
    }
    running.append(transfer)
    onChange?()
  }

  /// Stops a transfer; what it left under way is removed.
  func stop(_ number: Int) {
    running.first { $0.number == number }?.task?.cancel()
  }

  /// Stops all of them, and waits for their ends, for a while.
  func end(within limit: Duration) async {
    guard !running.isEmpty else { return }
    for transfer in running {
      transfer.control.pause()
      transfer.task?.cancel()
    }
    let tasks = running.compactMap(\.task)
    await BoundedWait.run(within: limit) { finish in
      Task {
        for task in tasks { await task.value }
        finish()
      }
    }
  }

  private func progressed(_ number: Int, _ counts: FileTransferCounts) {
    guard let place = running.firstIndex(where: { $0.number == number }) else { return }
    running[place].counts = counts
    onChange?()
  }

  private func ended(_ number: Int, _ counts: FileTransferCounts) {
    guard let place = running.firstIndex(where: { $0.number == number }) else { return }
    var transfer = running.remove(at: place)
    transfer.counts = counts
    onEnd?(transfer)
    onChange?()
  }
}

/// The work of one transfer.
nonisolated struct FileTransferJob: Sendable {
  private let held: HeldFiles
  private let target: PaneContent.FilesTarget
  private let directory: RemotePath
  private let policy: ConflictPolicy
  private let isMove: Bool
  private let control: CopyControl
  private let owner: TransferSource
  private let scheduler: TransferScheduler
  private let counts: Locked<FileTransferCounts>

  @MainActor
  init(
    _ transfer: FileTransfers.Transfer,
    _ scheduler: TransferScheduler,
    _ counts: Locked<FileTransferCounts>
  ) {
    held = transfer.held
    target = transfer.target
    directory = transfer.directory
    policy = transfer.policy
    isMove = transfer.isMove
    control = transfer.control
    owner = TransferSource(rawValue: UInt64(transfer.number))
    self.scheduler = scheduler
    self.counts = counts
  }

  /// Opens both ends and copies one entry after the other; the channels are its own, not those of a pane.
  @MainActor
  func run(_ services: Services) async {
    do throws(FileError) {
      let source = try await services.openFiles(held.source)
      do throws(FileError) {
        let isSame = held.place == target.place
        let end = try await isSame ? source : services.openFiles(target)
        await copy(from: source, to: end)
        if !isSame { await end.close() }
      } catch {
        await source.close()
        throw error
      }
      await source.close()
    } catch {
      counts.withLock { $0.fail(ErrorText.sentence(error)) }
    }
  }

  @concurrent
  private func copy(from source: any RemoteFileSystem, to end: any RemoteFileSystem) async {
    let copier = TreeCopy(copier: FileCopier(), scheduler: scheduler)
    for (place, entry) in held.entries.enumerated() where !Task.isCancelled {
      let isLast = place == held.entries.count - 1
      let from = held.directory.appending(entry.name)
      do throws(CopyFailure) {
        let summary = try await copier.run(
          TreeCopyRequest(
            source: FileLocation(source, from),
            target: FileLocation(end, directory.appending(entry.name)),
            policy: policy,
            control: control,
            owner: owner
          )
        ) { [counts] event in
          counts.withLock { counts in
            counts.take(event)
            if isLast, event == .planned { counts.isPlanned = true }
          }
        }
        // What was moved goes from its old place only when nothing of it is missing at the new one.
        guard isMove, summary.isComplete, summary.failed == 0, summary.skipped == 0 else {
          continue
        }
        let removal = await FileTreeWalk.remove([entry], in: held.directory, of: source) { _ in }
        counts.withLock { counts in
          for failure in removal.failures { counts.fail(ErrorText.sentence(failure)) }
        }
      } catch {
        counts.withLock { $0.fail(ErrorText.sentence(error, copying: from)) }
      }
    }
  }
}
