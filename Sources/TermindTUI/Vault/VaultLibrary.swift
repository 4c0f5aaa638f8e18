import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindPresentation

/// The vault as all windows see it: what was read last, every change of it, and how to take one back.
///
/// Changes go to the store first and are then read again, so that no window shows what is not kept.
final class VaultLibrary {
  /// The records that were read last.
  private(set) var contents = VaultContents()
  /// The list of the hosts by name, prepared away from the main actor for all windows.
  private(set) var hostList: (revision: Int, list: VaultList)?
  /// Counts up whenever something was read anew.
  private(set) var revision = 0
  /// Whether everything was read at least once.
  private(set) var isLoaded = false
  /// Why it could not be read.
  private(set) var problem: StoreError?
  /// Runs after something was read anew, with what.
  var onChange: ((Set<VaultKind>) -> Void)?
  private var store: (any VaultStoring)?
  private var undos: [VaultUndo] = []
  private var following: Task<Void, Never>?
  private var reading: Task<Void, Never>?
  /// The number of the last change that what was read of a kind has.
  private var numbers: [VaultKind: Int] = [:]
  /// Counts the stores; the numbers of one say nothing about another.
  private var storeCount = 0

  private static let undoLimit = 100
  private static let eventLimit = 1_000

  /// Takes a store over, reads it, and follows its changes until another one is taken.
  func adopt(_ store: any VaultStoring) async {
    following?.cancel()
    self.store = store
    undos = []
    numbers = [:]
    storeCount += 1
    // Subscribed before the first reading, so that nothing is missed between the two.
    let changes = await store.changes()
    await reload(Set(VaultKind.allCases))
    following = Task { [weak self] in
      for await change in changes {
        guard !Task.isCancelled else { return }
        await self?.reload(change.kinds, upTo: change.number)
      }
    }
  }

  /// Makes sure that kinds of records are as the store has them now.
  ///
  /// Whoever writes waits for this, and the store tells of the write too; the second of the two finds that
  /// nothing is left to read.
  func reload(_ kinds: Set<VaultKind>) async {
    guard let store else { return }
    await reload(kinds, upTo: await store.changeNumber())
  }

  /// Reads kinds of records that were read before a change; readings follow one another, so that the newest
  /// always comes last.
  private func reload(_ kinds: Set<VaultKind>, upTo number: Int) async {
    let previous = reading
    let task = Task {
      await previous?.value
      let old = kinds.filter { numbers[$0, default: -1] < number }
      if !old.isEmpty { await read(old) }
    }
    reading = task
    await task.value
  }

  private func read(_ kinds: Set<VaultKind>) async {
    guard let store else { return }
    let count = storeCount
    do throws(StoreError) {
      let number = await store.changeNumber()
      var read = contents
      if kinds.contains(.key) { read.keys = try await store.keys() }
      if kinds.contains(.identity) { read.identities = try await store.identities() }
      if kinds.contains(.snippet) { read.snippets = try await store.snippets() }
      if kinds.contains(.host) { read.hosts = try await store.hosts() }
      if kinds.contains(.template) { read.templates = try await store.templates() }
      if kinds.contains(.knownHost) { read.knownHosts = try await store.knownHosts() }
      if kinds.contains(.history) {
        read.events = try await store.connectionEvents(limit: Self.eventLimit, host: nil)
      }
      let prepared =
        kinds.contains(.host) || kinds.contains(.identity) ? await Self.hostList(read) : nil
      take(read, kinds)
      if count == storeCount { for kind in kinds { numbers[kind] = number } }
      if let prepared { hostList = (revision + 1, prepared) }
      problem = nil
      isLoaded = true
    } catch {
      problem = error
      for kind in kinds { numbers[kind] = nil }
    }
    revision += 1
    onChange?(kinds)
  }

  @concurrent nonisolated private static func hostList(_ contents: VaultContents) async -> VaultList
  {
    var list = VaultList()
    let sort = VaultSection.hosts.sorts[0]
    list.load(
      contents.items(of: .hosts),
      order: contents.order(of: .hosts, by: sort),
      sortName: sort.name
    )
    return list
  }

  private func take(_ read: VaultContents, _ kinds: Set<VaultKind>) {
    if kinds.contains(.key) { contents.keys = read.keys }
    if kinds.contains(.identity) { contents.identities = read.identities }
    if kinds.contains(.snippet) { contents.snippets = read.snippets }
    if kinds.contains(.host) { contents.hosts = read.hosts }
    if kinds.contains(.template) { contents.templates = read.templates }
    if kinds.contains(.knownHost) { contents.knownHosts = read.knownHosts }
    if kinds.contains(.history) { contents.events = read.events }
  }

  // MARK: Changes

  /// Writes records, and remembers how to take that back.
  ///
  /// - Parameters:
  ///   - batch: The records, new or changed.
  ///   - label: What was done, for the message when it is taken back.
  ///   - adjust: Changes what is taken back, such as a secret that is gone by then.
  /// - Throws: Why nothing was written.
  func save(
    _ batch: VaultBatch,
    label: String,
    undoing adjust: (inout VaultUndo) -> Void = { _ in }
  ) async throws(StoreError) {
    let store = try opened()
    var step = undo(of: batch, label: label)
    adjust(&step)
    try await store.save(batch, policy: .replace)
    remember(step)
    await reload(batch.kinds)
  }

  /// What would lose something if records were deleted, without those that are deleted too.
  func dependents(of records: [VaultReference]) async throws(StoreError) -> [VaultDependent] {
    let store = try opened()
    var found: [VaultDependent] = []
    let deleted = Set(records)
    for record in records {
      for dependent in try await store.dependents(of: record)
      where !deleted.contains(dependent.record) && !found.contains(dependent) {
        found.append(dependent)
      }
    }
    return found
  }

  /// Deletes records, and remembers them and what depended on them.
  func delete(_ records: [VaultReference], label: String) async throws(StoreError) {
    let store = try opened()
    let dependents = try await dependents(of: records)
    var step = VaultUndo(label: label)
    step.restored = contents.batch(of: records)
    step.dependents = contents.batch(of: dependents.map(\.record))
    step.dropSecrets()
    try await store.delete(records)
    if !step.isEmpty { remember(step) }
    await reload(Set((records + dependents.map(\.record)).map(\.kind)))
  }

  /// Forgets events of the history.
  func forget(_ events: [ConnectionEvent]) async throws(StoreError) {
    let store = try opened()
    try await store.forgetConnectionEvents(events.map(\.id))
    var step = VaultUndo(label: "forgetting \(VaultSection.history.counted(events.count))")
    step.events = events
    remember(step)
    await reload([.history])
  }

  /// Remembers records that were added by other means, and reads them.
  func adopted(_ records: [VaultReference], label: String) async {
    var step = VaultUndo(label: label)
    step.added = records
    remember(step)
    await reload(Set(records.map(\.kind)))
  }

  /// Takes the last change back.
  ///
  /// - Returns: What was taken back; nil when there is nothing.
  func undoLast() async throws(StoreError) -> String? {
    guard let step = undos.last else { return nil }
    let store = try opened()
    if !step.added.isEmpty {
      let present = step.added.filter { contents.contains($0) }
      if !present.isEmpty { try await store.delete(present) }
    }
    if !step.restored.isEmpty { try await store.save(step.restored, policy: .replace) }
    let mended = contents.mended(by: step)
    if !mended.isEmpty { try await store.save(mended, policy: .replace) }
    for event in step.events { try await store.record(event) }
    if undos.last?.id == step.id { undos.removeLast() }
    await reload(Set(VaultKind.allCases))
    return step.label
  }

  private func opened() throws(StoreError) -> any VaultStoring {
    guard let store else { throw .failed(diagnostic: "the store is not open") }
    return store
  }

  private func remember(_ step: VaultUndo) {
    undos.append(step)
    if undos.count > Self.undoLimit { undos.removeFirst() }
  }

  private func undo(of batch: VaultBatch, label: String) -> VaultUndo {
    var step = VaultUndo(label: label)
    for record in batch.references {
      if contents.contains(record) {
        step.restored.append(contents.batch(of: [record]))
      } else {
        step.added.append(record)
      }
    }
    return step
  }
}
