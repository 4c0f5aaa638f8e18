import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence

/// The history of commands.
extension Services {
  /// Notes a command that a shell told of.
  func record(_ command: CommandRecord, at place: CommandPlace) {
    guard let store else { return }
    commands.add(command, at: place, to: store) { [log] error in
      log.write(.warning, "the history of commands was not written: \(error)")
    }
  }

  /// Forgets the commands of a place.
  func forgetCommands(at place: CommandPlace) async throws(StoreError) {
    guard let store else { throw storeProblem ?? .failed(diagnostic: "the store is not open") }
    await commands.settle()
    try await store.forgetCommands(at: place)
  }

  /// The commands of a place, the newest first, each text once.
  func commandHistory(at place: CommandPlace) async throws(StoreError) -> [CommandRecord] {
    await storeSettled()
    guard let store else { throw storeProblem ?? .failed(diagnostic: "the store is not open") }
    await commands.settle()
    var known: Set<String> = []
    return try await store.commands(at: place, limit: 1_000).filter {
      known.insert($0.text).inserted
    }
  }
}
