import Glibc

/// The processor time of this thread.
enum ProcessorTime {
  /// How long the thread has run so far.
  static func now() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
