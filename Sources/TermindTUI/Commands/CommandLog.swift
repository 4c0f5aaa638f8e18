import TermindApplication
import TermindDomain

/// Writes the commands that shells tell of into the store, one after another.
///
/// A program that pretends to be a shell may tell of thousands at once: what comes while too many wait is dropped.
final class CommandLog {
  private static let mostWaiting = 64

  private var last: Task<Void, Never>?
  private var waiting = 0

  /// Notes a command of a place.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - place: Where it was run.
  ///   - store: The open store.
  ///   - failed: Told why it could not be written.
  func add(
    _ command: CommandRecord,
    at place: CommandPlace,
    to store: any CommandHistoryStoring,
    failed: @escaping (StoreError) -> Void
  ) {
    guard CommandRecord.isWorthKeeping(command.text), waiting < Self.mostWaiting else { return }
    waiting += 1
    let previous = last
    last = Task {
      await previous?.value
      do throws(StoreError) { try await store.record(command, at: place) } catch { failed(error) }
      waiting -= 1
    }
  }

  /// Suspends until everything that was noted is written.
  func settle() async { await last?.value }
}
