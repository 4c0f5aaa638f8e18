internal import TermindApplication

/// Hands changes to their readers; of what a reader has not taken yet, one sum is kept.
struct ChangeFeed {
  private var readers: [Int: AsyncStream<VaultChange>.Continuation] = [:]
  private var nextNumber = 0

  /// How many readers there are.
  var count: Int { readers.count }

  /// Adds a reader.
  ///
  /// - Parameter onEnd: Runs with the reader's number once nobody reads the stream any more.
  /// - Returns: What it reads.
  mutating func subscribe(
    onEnd: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<VaultChange> {
    let number = nextNumber
    nextNumber += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: VaultChange.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    continuation.onTermination = { _ in onEnd(number) }
    readers[number] = continuation
    return stream
  }

  /// Forgets a reader.
  mutating func remove(_ number: Int) { readers[number] = nil }

  /// Tells every reader.
  func send(_ change: VaultChange) {
    for reader in readers.values {
      var sum = change
      // What falls out of the stream goes back in with the rest. A reader who is quicker than this gets the
      // newer part twice, which says nothing wrong.
      while case .dropped(let lost) = reader.yield(sum) {
        let both = sum.merged(with: lost)
        if both == sum { break }
        sum = both
      }
    }
  }

  /// Ends every stream.
  mutating func end() {
    for reader in readers.values { reader.finish() }
    readers = [:]
  }
}
