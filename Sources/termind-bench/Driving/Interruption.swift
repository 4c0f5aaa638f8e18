import Glibc
import Synchronization

/// Whether the person wants the bench to end, which then ends what it has started.
enum Interruption {
  private static let isWanted = Atomic<Bool>(false)

  /// Makes Ctrl-C and SIGTERM end the running case instead of the process.
  static func install() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in Interruption.isWanted.store(true, ordering: .relaxed) }
    }
  }

  /// Ends the running case when that is wanted.
  static func check() throws(BenchError) {
    if isWanted.load(ordering: .relaxed) { throw .interrupted }
  }
}
