internal import TermindDomain

/// The answers to requests that were sent together; lives on the connection.
final class SFTPRequestGroup {
  var continuation: CheckedContinuation<[Result<SFTPReply, FileError>], Never>?
  private var answers: [Result<SFTPReply, FileError>?]
  private var missing: Int

  init(count: Int) {
    answers = Array(repeating: nil, count: count)
    missing = count
  }

  /// Takes one answer; the last one ends the wait.
  func answer(_ index: Int, _ answer: Result<SFTPReply, FileError>) {
    guard answers[index] == nil else { return }
    answers[index] = answer
    missing -= 1
    guard missing == 0, let waiter = continuation.take() else { return }
    waiter.resume(returning: answers.map { $0 ?? .failure(FileError(.cancelled)) })
  }
}

/// How many files and directories are open on the server, and who waits for room.
struct SFTPHandleCount {
  /// What the server allows; a careful guess until it tells.
  var limit = 96
  private var used = 0
  private var lastNumber: UInt64 = 0
  private var waiters: [(number: UInt64, continuation: CheckedContinuation<FileError?, Never>)] = []

  /// Takes room for one more, if there is some.
  mutating func take() -> Bool {
    guard used < limit, waiters.isEmpty else { return false }
    used += 1
    return true
  }

  mutating func makeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func wait(_ number: UInt64, _ continuation: CheckedContinuation<FileError?, Never>) {
    waiters.append((number, continuation))
  }

  mutating func cancel(_ number: UInt64) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: index).continuation.resume(returning: FileError(.cancelled))
  }

  /// Gives room back, to the first who waits.
  mutating func give() {
    if waiters.isEmpty || used > limit {
      used -= 1
    } else {
      waiters.removeFirst().continuation.resume(returning: nil)
    }
  }

  mutating func fail(_ error: FileError) {
    for waiter in waiters { waiter.continuation.resume(returning: error) }
    waiters = []
  }
}

/// A queue that gives up its first elements at no cost.
struct Fifo<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    elements[head] = nil
    head += 1
    if head == elements.count || head > 256, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
  }
}
