public import TermindDomain

/// What has changed since a reader of `VaultStoring.changes()` looked last.
public struct VaultChange: Hashable, Sendable {
  /// The kinds of records that are not as they were.
  public var kinds: Set<VaultKind>
  /// The newest place in the change journal.
  public var sequence: Int64
  /// Its number among the changes since the store was opened, from 1; it counts those too that are not in the
  /// journal.
  public var number: Int

  /// Makes a change.
  public init(kinds: Set<VaultKind>, sequence: Int64, number: Int = 0) {
    self.kinds = kinds
    self.sequence = sequence
    self.number = number
  }

  /// This change and another one as one.
  public func merged(with other: VaultChange) -> VaultChange {
    VaultChange(
      kinds: kinds.union(other.kinds),
      sequence: max(sequence, other.sequence),
      number: max(number, other.number)
    )
  }
}

/// Keeps the whole vault: every kind of record, what concerns several of them, and their changes.
public protocol VaultStoring: HostStoring, IdentityStoring, KeyStoring, SnippetStoring,
  TemplateStoring,
  KnownHostLibrary, ConnectionHistoryStoring, ConnectionEventStoring, SettingStoring
{
  /// Writes the records of a batch, all or none.
  ///
  /// Known hosts are added beside those that are there, whatever the policy.
  /// - Parameters:
  ///   - batch: The records; empty names become the default ones.
  ///   - policy: What happens to a record that is there already.
  /// - Throws: `.alreadyThere`, `.nameTaken`, `.missingReference`, or why the store cannot be written.
  func save(_ batch: VaultBatch, policy: VaultBatchPolicy) async throws(StoreError)

  /// Removes records of any kinds, all or none.
  ///
  /// - Parameter records: What to remove.
  /// - Throws: `.notFound` when one of them is not there, or why the store cannot be written.
  func delete(_ records: [VaultReference]) async throws(StoreError)

  /// What would lose something if a record were deleted, hosts first, each kind by name.
  func dependents(of record: VaultReference) async throws(StoreError) -> [VaultDependent]

  /// Tells of every change from now on.
  ///
  /// The stream holds one element at most: changes that a reader has not taken yet become one. It ends
  /// when the store is closed.
  func changes() async -> AsyncStream<VaultChange>

  /// The number of the last change; what is read from now on has it and all before.
  func changeNumber() async -> Int

  /// What happened to records after a place in the journal, the oldest first.
  ///
  /// The journal has one entry for each record that is or was: the last thing that happened to it.
  /// - Parameters:
  ///   - sequence: The place; 0 for the beginning.
  ///   - limit: How many entries at most.
  /// - Returns: The entries.
  /// - Throws: Why they cannot be read.
  func journal(after sequence: Int64, limit: Int) async throws(StoreError) -> [VaultChangeEntry]
}

/// What a batch does to records that are there already.
public enum VaultBatchPolicy: Hashable, Sendable {
  /// Nothing: the whole batch fails. For imports.
  case neverOverwrite
  /// They are replaced. For edits that span several records.
  case replace
}
