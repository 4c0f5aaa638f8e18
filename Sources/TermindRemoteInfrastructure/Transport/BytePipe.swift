internal import TermindDomain

/// Why a pipe carries no more bytes.
enum PipeEnd: Hashable, Sendable {
  /// The peer closed.
  case closed
  /// The system reported an error; the text is the system's.
  case broken(String)
  /// The hop under it failed.
  case hopFailed(ConnectionFailure)
}

/// What reading from a pipe gave.
enum PipeRead {
  case bytes(Int)
  case nothing
  case ended(PipeEnd)
}

/// A byte stream under one connection: a socket, or a channel of the hop before.
///
/// Used on the connection's loop only; nothing here waits.
protocol BytePipe: AnyObject {
  /// Reads at most `limit` bytes to the end of `queue`, and shows them to `observe` first.
  func read(
    into queue: ByteQueue,
    limit: Int,
    observe: (UnsafeRawBufferPointer) -> Void
  ) -> PipeRead
  /// Writes from the front of `queue` what fits; an end is also reported by the next read.
  func write(from queue: ByteQueue) -> PipeEnd?
  /// Says what the connection waits for.
  func setInterest(reading: Bool, writing: Bool)
  /// Ends the pipe at once.
  func close()
}
