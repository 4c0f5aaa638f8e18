internal import Synchronization

/// Counts the characters that editors look at, for whoever wants to know what an edit costs.
enum EditingWork {
  /// A count that is on while somebody asks for it.
  final class Meter: Sendable {
    private let characters = Atomic(0)

    /// The characters so far.
    var count: Int { characters.load(ordering: .relaxed) }

    fileprivate func add(_ count: Int) { characters.add(count, ordering: .relaxed) }
  }

  /// What the current task counts with.
  @TaskLocal static var meter: Meter?

  /// Adds to the count.
  static func note(_ characters: Int) { meter?.add(characters) }
}
