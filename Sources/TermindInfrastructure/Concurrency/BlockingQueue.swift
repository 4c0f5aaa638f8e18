internal import Glibc

/// A queue whose taker's thread sleeps until there is something to take.
///
/// For threads of their own only: never take on an event loop, the main thread or Swift's pool.
@safe
// `mutex` protects `elements`.
public final class BlockingQueue<Element: Sendable>: @unchecked Sendable {  // lint:allow mutex
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var elements: [Element] = []

  /// Makes an empty queue.
  public init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Adds an element at the end and wakes one taker.
  public func put(_ element: Element) {
    unsafe pthread_mutex_lock(mutex)
    elements.append(element)
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Takes the first element; the calling thread sleeps until there is one.
  public func take() -> Element {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while elements.isEmpty { unsafe pthread_cond_wait(condition, mutex) }
    return elements.removeFirst()
  }
}
