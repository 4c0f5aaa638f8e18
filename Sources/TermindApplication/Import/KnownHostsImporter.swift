public import TermindDomain

/// What an import of host keys would do.
public struct KnownHostsPreview: Sendable {
  /// Records that the vault does not have.
  public let new: [KnownHostRecord]
  /// Records that say what the vault says already.
  public let known: [KnownHostRecord]
  /// Keys for endpoints of which the vault trusts another key of the same type; not among the new.
  public let differing: [KnownHostRecord]
}

/// Shows what an import of host keys would do, and does it.
public struct KnownHostsImporter: Sendable {
  private let library: any KnownHostLibrary

  /// Makes an importer.
  public init(library: any KnownHostLibrary) { self.library = library }

  /// Compares records with the vault.
  ///
  /// - Parameter records: What a file holds.
  /// - Returns: What is new and what is known.
  /// - Throws: Why the vault cannot be read.
  public func preview(_ records: [KnownHostRecord]) async throws(StoreError) -> KnownHostsPreview {
    var seen: Set<Saying> = []
    var trusted: Set<Place> = []
    for record in try await library.knownHosts() {
      seen.insert(Saying(record))
      if record.marker == .trusted { trusted.insert(Place(record)) }
    }
    var new: [KnownHostRecord] = []
    var known: [KnownHostRecord] = []
    var differing: [KnownHostRecord] = []
    for record in records {
      guard seen.insert(Saying(record)).inserted else {
        known.append(record)
        continue
      }
      if record.marker == .trusted, trusted.contains(Place(record)) {
        differing.append(record)
      } else {
        new.append(record)
      }
    }
    return KnownHostsPreview(new: new, known: known, differing: differing)
  }

  /// Saves the new records, all or none.
  ///
  /// - Parameters:
  ///   - preview: A preview.
  ///   - includesDiffering: Whether differing keys are trusted beside those that are there.
  /// - Returns: How many were new.
  /// - Throws: Why none was saved.
  @discardableResult
  public func commit(
    _ preview: KnownHostsPreview,
    includesDiffering: Bool = false
  ) async throws(StoreError) -> Int {
    let records = preview.new + (includesDiffering ? preview.differing : [])
    return records.isEmpty ? 0 : try await library.add(records)
  }

  /// What a record says, whatever its identity, comment and age.
  private struct Saying: Hashable {
    let names: KnownHostNames
    let marker: KnownHostMarker
    let blob: [UInt8]

    init(_ record: KnownHostRecord) {
      names = record.names
      marker = record.marker
      blob = record.key.blob
    }
  }

  private struct Place: Hashable {
    let names: KnownHostNames
    let type: String

    init(_ record: KnownHostRecord) {
      names = record.names
      type = record.key.type
    }
  }
}
