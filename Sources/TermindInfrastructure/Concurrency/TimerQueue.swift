/// Deadlines in order: a binary heap with removal by number.
struct TimerQueue {
  struct Entry {
    let deadline: ContinuousClock.Instant
    let number: UInt64
    let body: @Sendable () -> Void
  }

  private var heap: [Entry] = []
  private var cancelled: Set<UInt64> = []
  private var live: Set<UInt64> = []

  /// The earliest deadline that was not cancelled.
  var next: ContinuousClock.Instant? {
    mutating get {
      dropCancelled()
      return heap.first?.deadline
    }
  }

  mutating func insert(_ entry: Entry) {
    live.insert(entry.number)
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard Self.isBefore(heap[child], heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Forgets a timer; a number that is not waiting changes nothing.
  ///
  /// - Returns: Whether it was waiting.
  @discardableResult mutating func cancel(_ number: UInt64) -> Bool {
    guard live.remove(number) != nil else { return false }
    cancelled.insert(number)
    // Cancelled entries below the root are dropped in bulk, so that they cannot pile up.
    guard cancelled.count > 64, cancelled.count * 2 > heap.count else { return true }
    let kept = heap.filter { !cancelled.contains($0.number) }
    cancelled.removeAll()
    heap.removeAll()
    for entry in kept { insert(entry) }
    return true
  }

  /// Takes the entries that are due, earliest first, at most `limit`.
  mutating func takeDue(at now: ContinuousClock.Instant, limit: Int) -> [Entry] {
    var due: [Entry] = []
    dropCancelled()
    while due.count < limit, let first = heap.first, first.deadline <= now {
      live.remove(first.number)
      due.append(first)
      removeRoot()
      dropCancelled()
    }
    return due
  }

  mutating func removeAll() {
    heap.removeAll()
    cancelled.removeAll()
    live.removeAll()
  }

  private mutating func dropCancelled() {
    while let first = heap.first, cancelled.remove(first.number) != nil { removeRoot() }
  }

  private mutating func removeRoot() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && Self.isBefore(heap[right], heap[left]) ? right : left
      guard Self.isBefore(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }

  private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
    (left.deadline, left.number) < (right.deadline, right.number)
  }
}
