/// Why an event loop cannot be made, or why a wait on it ended early.
public enum EventLoopError: Error, Hashable, Sendable {
  /// A system call failed; `code` is its `errno`.
  case system(operation: String, code: Int32)
  /// The waiting task was cancelled.
  case cancelled
  /// The loop was shut down.
  case shutDown
  /// The descriptor already has a watch; there is one a descriptor.
  case alreadyWatched(descriptor: Int32)
}
