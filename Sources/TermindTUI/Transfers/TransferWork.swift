import TermindApplication
import TermindRemoteInfrastructure

/// The work of a batch, as the list of transfers shows and steers it.
nonisolated protocol TransferWork: Sendable {
  /// What it shows, with its rate up to now.
  var batch: TransferBatch { get }
  /// What another server needs to go on when this one ends without a word, from each directory; none when it is over.
  var records: [SuspendedTransfer] { get }
  /// How much of it its records have to tell: they are written anew when that has grown.
  var recordMark: Int { get }
  /// The time until a lost connection is tried again; nil when none is planned.
  var timeToRetry: Duration? { get }

  /// Lets it wait.
  func pause() async
  /// Lets it go on; what waits for a connection tries it now.
  func resume() async
  /// Lets one file wait.
  func pause(_ file: Int) async
  /// Lets one file go on.
  func resume(_ file: Int) async
  /// Leaves one file out.
  func skip(_ file: Int) async
  /// Lets one file that waits be the next, or the last.
  func move(_ file: Int, toFront: Bool) async
}

nonisolated extension TransferJob: TransferWork {
  var records: [SuspendedTransfer] { record.map { [$0] } ?? [] }
}
