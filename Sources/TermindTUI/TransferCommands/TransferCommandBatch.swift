import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// What a transfer command copies from one machine, as the list of transfers shows and steers it.
nonisolated final class TransferCommandBatch: TransferWork {
  /// Its number in the list, and for the scheduler.
  let number: Int
  /// The order of its files.
  let queue = TransferQueue()
  private let state: Locked<TransferBatch>
  private let recovery: ConnectionRecovery
  private let note: @Sendable (String) -> Void

  /// Makes the batch of a command that copies.
  ///
  /// - Parameters:
  ///   - batch: What it shows at first.
  ///   - recovery: Brings lost connections back.
  ///   - note: Tells the command's client something.
  init(
    _ batch: TransferBatch,
    _ recovery: ConnectionRecovery,
    note: @escaping @Sendable (String) -> Void
  ) {
    number = batch.number
    state = Locked(batch)
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
