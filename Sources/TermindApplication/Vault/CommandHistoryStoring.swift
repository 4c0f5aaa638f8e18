public import TermindDomain

/// Keeps the commands that were run, the newest 1,000 of each place.
public protocol CommandHistoryStoring: Sendable {
  /// Adds a command that has ended; one of a saved host that is deleted by now is dropped.
  func record(_ command: CommandRecord, at place: CommandPlace) async throws(StoreError)
  /// The newest commands of a place, the newest first.
  func commands(at place: CommandPlace, limit: Int) async throws(StoreError) -> [CommandRecord]
  /// Removes every command of a place.
  func forgetCommands(at place: CommandPlace) async throws(StoreError)
}
