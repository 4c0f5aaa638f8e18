/// Hands work from one task to several, and lets the first one get only a little ahead.
actor WorkQueue<Element: Sendable> {
  private let limit: Int
  private var elements: [Element] = []
  private var takers: [CheckedContinuation<Element?, Never>] = []
  private var givers: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false

  init(limit: Int) { self.limit = limit }

  /// Adds work, once there is room; dropped when the queue is closed.
  func put(_ element: Element) async {
    while !isClosed, elements.count >= limit {
      await withCheckedContinuation { givers.append($0) }
    }
    guard !isClosed else { return }
    if takers.isEmpty {
      elements.append(element)
    } else {
      takers.removeFirst().resume(returning: element)
    }
  }

  /// Takes the oldest work; nil once the queue is at its end.
  func take() async -> Element? {
    if !elements.isEmpty {
      let first = elements.removeFirst()
      if !givers.isEmpty { givers.removeFirst().resume() }
      return first
    }
    if isClosed { return nil }
    return await withCheckedContinuation { takers.append($0) }
  }

  /// Ends the queue; what is in it is still taken unless it is dropped.
  func close(dropping: Bool = false) {
    isClosed = true
    if dropping { elements = [] }
    for taker in takers { taker.resume(returning: nil) }
    for giver in givers { giver.resume() }
    takers = []
    givers = []
  }
}
