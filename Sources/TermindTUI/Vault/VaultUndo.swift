import FoundationEssentials
import TermindDomain
import TermindPresentation

/// How to take one change of the vault back.
struct VaultUndo {
  let id = UUID()
  /// What was done.
  let label: String
  /// Records as they were.
  var restored = VaultBatch()
  /// Records that named a deleted one, as they were.
  var dependents = VaultBatch()
  /// Records that were not there.
  var added: [VaultReference] = []
  /// Events of the history that were forgotten.
  var events: [ConnectionEvent] = []

  init(label: String) { self.label = label }

  /// Whether there is nothing that could be taken back.
  var isEmpty: Bool { restored.isEmpty && added.isEmpty && events.isEmpty }
}

extension VaultBatch {
  /// The kinds of the records.
  var kinds: Set<VaultKind> { Set(references.map(\.kind)) }

  /// The records, named.
  var references: [VaultReference] {
    keys.map { .key($0.id) } + identities.map { .identity($0.id) }
      + snippets.map { .snippet($0.id) }
      + hosts.map { .host($0.id) } + knownHosts.map { .knownHost($0.id) }
      + templates.map { .template($0.id) }
  }

  /// Adds the records of another batch.
  mutating func append(_ other: VaultBatch) {
    keys += other.keys
    identities += other.identities
    snippets += other.snippets
    hosts += other.hosts
    knownHosts += other.knownHosts
    templates += other.templates
  }
}

extension VaultContents {
  /// Whether a record is there.
  func contains(_ record: VaultReference) -> Bool { !batch(of: [record]).isEmpty }

  /// The records as they are; those that are not there are left out.
  func batch(of records: [VaultReference]) -> VaultBatch {
    var batch = VaultBatch()
    for record in records {
      switch record {
      case .host(let id): if let found = host(id) { batch.hosts.append(found) }
      case .identity(let id): if let found = identity(id) { batch.identities.append(found) }
      case .key(let id): if let found = key(id) { batch.keys.append(found) }
      case .snippet(let id): if let found = snippet(id) { batch.snippets.append(found) }
      case .knownHost(let id):
        if let found = knownHosts.first(where: { $0.id == id }) { batch.knownHosts.append(found) }
      case .template(let id):
        if let found = templates.first(where: { $0.id == id }) { batch.templates.append(found) }
      }
    }
    return batch
  }

  /// The records that lost a reference when something was deleted, with the reference put back.
  ///
  /// What was changed in them since stays as it is.
  func mended(by step: VaultUndo) -> VaultBatch {
    let returned = Set(step.restored.references)
    var batch = VaultBatch()
    for old in step.dependents.hosts {
      guard var host = host(old.id) else { continue }
      if host.identity == nil, let id = old.identity, returned.contains(.identity(id)) {
        host.identity = id
      }
      if host.startupSnippet == nil, let id = old.startupSnippet, returned.contains(.snippet(id)) {
        host.startupSnippet = id
      }
      if host != self.host(old.id) { batch.hosts.append(host) }
    }
    for old in step.dependents.identities {
      guard var identity = identity(old.id) else { continue }
      for (place, id) in old.keys.enumerated()
      where returned.contains(.key(id)) && !identity.keys.contains(id) {
        identity.keys.insert(id, at: min(place, identity.keys.count))
      }
      if identity != self.identity(old.id) { batch.identities.append(identity) }
    }
    return batch
  }
}
