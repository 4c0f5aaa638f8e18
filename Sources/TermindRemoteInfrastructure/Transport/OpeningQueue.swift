internal import TermindDomain

/// Lets one channel of a session be opened at a time: libssh2 keeps the state of an open in the session.
struct OpeningQueue {
  private var isBusy = false
  private var waiting: [(Result<Void, ConnectionFailure>) -> Void] = []

  /// Takes the place at once if it is free.
  mutating func enter() -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    return true
  }

  /// Queues for the place; `proceed` runs once, with the place taken or the reason why there is none.
  mutating func wait(_ proceed: @escaping (Result<Void, ConnectionFailure>) -> Void) {
    waiting.append(proceed)
  }

  /// Gives the place to the next one.
  mutating func leave() {
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    waiting.removeFirst()(.success(()))
  }

  mutating func cancelAll(_ reason: ConnectionFailure) {
    let everyone = waiting
    waiting = []
    for proceed in everyone { proceed(.failure(reason)) }
  }
}
