import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// What a transfer command copies from one machine, as the list of transfers shows and steers it.
nonisolated final class TransferCommandBatch: TransferWork {
  /// What is copied, for a server that comes after this one was killed.
  struct Work: Sendable {
    /// What is copied from one directory.
    struct Part: Sendable {
      let directory: RemotePath
      var entries: [FileEntry] = []
      var newNames: [FileName: FileName] = [:]
    }

    var parts: [Part] = []
    /// The directory of the target, as it was named.
    private(set) var directory: RemotePath?
    let policy: ConflictPolicy

    init(policy: ConflictPolicy) { self.policy = policy }

    /// Adds what goes to a path of the target; what has no name there or here is not written down.
    mutating func add(_ root: CopyRoot, _ attributes: FileAttributes) {
      guard let name = root.source.name, let directory = root.source.parent,
        let newName = root.target.name
      else { return }
      self.directory = root.target.parent
      let place = parts.firstIndex { $0.directory == directory } ?? parts.endIndex
      if place == parts.endIndex { parts.append(Part(directory: directory)) }
      parts[place].entries.append(FileEntry(name: name, attributes: attributes))
      if newName != name { parts[place].newNames[name] = newName }
    }
  }

  /// Its number in the list, and for the scheduler.
  let number: Int
  /// The order of its files.
  let queue = TransferQueue()
  /// By what its temporary names at the target are known.
  let series = PartialSeries()
  private let work: Work
  private let state: Locked<TransferBatch>
  private let recovery: ConnectionRecovery
  private let note: @Sendable (String) -> Void

  /// Makes the batch of a command that copies.
  ///
  /// - Parameters:
  ///   - batch: What it shows at first.
  ///   - work: What is copied.
  ///   - recovery: Brings lost connections back.
  ///   - note: Tells the command's client something.
  init(
    _ batch: TransferBatch,
    _ work: Work,
    _ recovery: ConnectionRecovery,
    note: @escaping @Sendable (String) -> Void
  ) {
    number = batch.number
    state = Locked(batch)
    self.work = work
    self.recovery = recovery
    self.note = note
  }

  /// What it shows, with its rate up to now.
  var batch: TransferBatch {
    state.withLock { batch in
      batch.tick(at: recovery.now)
      return batch
    }
  }

  /// The time until a lost connection is tried again; nil when none is planned.
  var timeToRetry: Duration? { state.withLock { $0.timeToRetry(at: recovery.now) } }

  // MARK: Wishes

  /// Lets it wait; whoever waits for the command is told why nothing comes.
  func pause() async {
    state.withLock { $0.pause() }
    await queue.pause()
    note("Paused from the transfers of a window; there it goes on.")
  }

  /// Lets it go on; what waits for a connection tries it now.
  func resume() async {
    let wasPaused = state.withLock { batch in
      defer { batch.resume() }
      return batch.isPaused
    }
    recovery.poke()
    await queue.resume()
    if wasPaused { note("It goes on.") }
  }

  /// Lets one file wait.
  func pause(_ file: Int) async { await queue.pause(file) }
  /// Lets one file go on.
  func resume(_ file: Int) async { await queue.resume(file) }
  /// Leaves one file out.
  func skip(_ file: Int) async { await queue.skip(file) }
  /// Lets one file that waits be the next, or the last.
  func move(_ file: Int, toFront: Bool) async { await queue.move(file, toFront: toFront) }

  // MARK: A server that is killed

  /// What another server needs to go on: a copy of what the command was asked for, and nothing is deleted by it.
  var records: [SuspendedTransfer] {
    let batch = batch
    guard batch.isOpen else { return [] }
    return work.parts.enumerated().map { place, part in
      var left = SuspendedTransfer(
        batch,
        entries: part.entries,
        policy: work.policy,
        newNames: part.newNames,
        policies: [:],
        mirror: nil,
        hasLeftOut: false,
        kept: [],
        series: series,
        files: []
      )
      left.wasCutOff = true
      left.source = TransferEnd(
        name: batch.source.name,
        place: batch.source.place,
        directory: part.directory
      )
      let names = Set(part.entries.map(\.name))
      left.begun = batch.begun.filter {
        names.contains($0.key) && $0.value.target.parent == work.directory
      }
      // What is done is counted once.
      if place > 0 { (left.doneCount, left.doneBytes, left.skippedCount) = (0, 0, 0) }
      return left
    }
  }

  /// How much of it the records have to tell.
  var recordMark: Int { state.withLock { $0.begun.count } }

  // MARK: What happens

  /// The number of the last file that was found.
  var lastNumber: Int { state.withLock { $0.lastNumber } }

  /// Takes what happened.
  func take(_ event: TransferEvent) { state.withLock { $0.take(event) } }

  /// Takes what a mirror did beside the copy.
  func take(_ event: TreeMirror.Event) { state.withLock { $0.take(event) } }

  /// Takes why the only thing that was to be copied could not be begun.
  func take(_ failure: CopyFailure, of root: CopyRoot) {
    state.withLock { batch in
      batch.take(failure, of: root)
      batch.take(.planned)
    }
  }

  /// Notes that a connection is missing, and when it is tried again.
  func wait(for error: FileError, retryAt: Duration?) {
    state.withLock { if $0.isOpen { $0.state = .waiting(error, retryAt: retryAt) } }
  }

  /// Notes that a connection did not come back.
  func lose(_ error: FileError) { state.withLock { $0.state = .failed(error) } }

  /// Notes that the command is over.
  func end(isCancelled: Bool) {
    state.withLock { if $0.isOpen { $0.state = isCancelled ? .cancelled : .done } }
  }
}
