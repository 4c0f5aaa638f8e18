/// All batches: what runs, and what is over until it is cleared.
///
/// Their order is the one in which they are shown: those that are not over first, and of the others the latest first. A priority
/// is never higher than the one above it.
public struct TransferList: Hashable, Sendable {
  /// The batches, top to bottom.
  public private(set) var batches: [TransferBatch] = []

  /// Makes an empty list.
  public init() {}

  /// The batches that are not over.
  public var open: [TransferBatch] { batches.filter(\.isOpen) }

  /// The batch with a number.
  public func batch(_ number: Int) -> TransferBatch? { batches.first { $0.number == number } }

  /// Adds a batch, or takes its new state.
  public mutating func set(_ batch: TransferBatch) {
    let place = batches.firstIndex { $0.number == batch.number }
    guard let place, batches[place].isOpen == batch.isOpen else {
      var batch = batch
      // Whoever begins, begins anew, is behind those that were there.
      batch.priority = 0
      if let place { batches.remove(at: place) }
      return batches.insert(batch, at: openCount)
    }
    let priority = batches[place].priority
    batches[place] = batch
    batches[place].priority = priority
  }

  /// How many are not over; they stand above the others.
  private var openCount: Int { batches.firstIndex { !$0.isOpen } ?? batches.count }

  /// Moves a batch by one place: it is then served before, or after, the one that it passed.
  ///
  /// - Returns: The new priorities of those that have another one now.
  public mutating func move(_ number: Int, up: Bool) -> [(number: Int, priority: Int)] {
    guard let place = batches.firstIndex(where: { $0.number == number }) else { return [] }
    let other = place + (up ? -1 : 1)
    guard place < openCount, other >= 0, other < openCount else { return [] }
    let before = batches.map(\.priority)
    batches.swapAt(place, other)
    // Just enough that the upper one of both goes first, and that nobody else changes places.
    let upper = min(place, other)
    let (high, low) = (before[upper], before[upper + 1])
    batches[upper].priority = high
    batches[upper + 1].priority = low
    if high == low {
      for each in batches.indices where each <= upper { batches[each].priority += 1 }
    }
    return batches.indices.compactMap { each in
      let batch = batches[each]
      let old = each == upper ? before[upper + 1] : each == upper + 1 ? before[upper] : before[each]
      return batch.priority == old ? nil : (batch.number, batch.priority)
    }
  }

  /// Removes a batch that is over.
  public mutating func clear(_ number: Int) {
    batches.removeAll { $0.number == number && !$0.isOpen }
  }

  /// Removes the oldest of what is over, until no more of that is left than so many.
  public mutating func forget(keeping count: Int) {
    let extra = batches.count { !$0.isOpen } - count
    guard extra > 0 else { return }
    let oldest = batches.filter { !$0.isOpen }.map(\.number).sorted().prefix(extra)
    batches.removeAll { oldest.contains($0.number) }
  }

  /// Removes everything that is over.
  public mutating func clearFinished() { batches.removeAll { !$0.isOpen } }
}
