import TermindApplication
import TermindDomain

/// The vault at one moment, for requests that look at several kinds of records.
nonisolated struct VaultSnapshot: Sendable {
  var hosts: [HostRecord] = []
  var identities: [IdentityRecord] = []
  var keys: [KeyRecord] = []
  var snippets: [SnippetRecord] = []
  var templates: [WorkspaceTemplate] = []
  var knownHosts: [KnownHostRecord] = []

  /// Reads what requests about a kind need.
  static func read(_ vault: any VaultStoring, for kind: RecordKind) async throws(StoreError)
    -> VaultSnapshot
  {
    var result = VaultSnapshot()
    switch kind {
    case .knownHost: result.knownHosts = try await vault.knownHosts()
    case .snippet: result.snippets = try await vault.snippets()
    case .key: result.keys = try await vault.keys()
    case .identity:
      result.identities = try await vault.identities()
      result.keys = try await vault.keys()
    case .template:
      result.templates = try await vault.templates()
      result.hosts = try await vault.hosts()
    case .host:
      result.hosts = try await vault.hosts()
      result.identities = try await vault.identities()
      result.snippets = try await vault.snippets()
    }
    return result
  }

  /// What the checks of records need to know.
  var context: VaultContext {
    VaultContext(
      hosts: hosts,
      identities: identities,
      keys: keys,
      snippets: snippets,
      templates: templates
    )
  }

  /// A record that a word may mean.
  struct Candidate {
    var reference: VaultReference
    var id: String
    var name: String
    /// What tells it from others of the name.
    var detail: String
  }

  /// Every record of a kind.
  func candidates(_ kind: RecordKind) -> [Candidate] {
    switch kind {
    case .host:
      hosts.map { Candidate(.host($0.id), "\($0.id)", $0.name, "\($0.endpoint)") }
    case .identity:
      identities.map { Candidate(.identity($0.id), "\($0.id)", $0.name, $0.username) }
    case .key: keys.map { Candidate(.key($0.id), "\($0.id)", $0.name, $0.fingerprint) }
    case .knownHost:
      knownHosts.map {
        Candidate(
          .knownHost($0.id),
          "\($0.id)",
          $0.names.text,
          "\($0.key.type) \($0.key.fingerprint)"
        )
      }
    case .snippet: snippets.map { Candidate(.snippet($0.id), "\($0.id)", $0.name, "") }
    case .template: templates.map { Candidate(.template($0.id), "\($0.id)", $0.name, "") }
    }
  }

  /// The records that a word means, host keys whose host is hashed among them.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - word: A name or an id.
  ///   - takesAll: Whether a name may mean several.
  /// - Returns: At least one record.
  /// - Throws: As `find`.
  func findHashed(_ kind: RecordKind, _ word: String, takesAll: Bool) async throws(ControlError)
    -> [Candidate]
  {
    guard kind == .knownHost else { return try find(kind, word, takesAll: takesAll) }
    let names = HashedNames(knownHosts)
    let places = names.isEmpty ? [] : await names.places(of: word)
    return try find(kind, word, takesAll: takesAll, besides: places)
  }

  /// The fewest characters of an id that stand for it.
  static let shortestID = 8

  /// The records that a word means: that name, that id, or the beginning of one id.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - word: A name or an id.
  ///   - takesAll: Whether a name may mean several.
  ///   - places: The places of others that the word names.
  /// - Returns: At least one record.
  /// - Throws: `not-found` with the nearest name, or `ambiguous` with the candidates.
  func find(
    _ kind: RecordKind,
    _ word: String,
    takesAll: Bool = false,
    besides places: Set<Int> = []
  ) throws(ControlError) -> [Candidate] {
    let all = candidates(kind)
    var found = all.enumerated().filter { $1.name == word || places.contains($0) }.map(\.element)
    if found.isEmpty {
      let text = word.uppercased()
      found = all.filter { $0.id == text }
      if found.isEmpty, text.count >= Self.shortestID {
        found = all.filter { $0.id.hasPrefix(text) }
      }
    }
    if found.isEmpty {
      let near = NearName.nearest(word, among: all.map(\.name))
      throw ControlError(
        .notFound,
        "There is no \(kind.noun) '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ".")
      )
    }
    guard found.count == 1 || takesAll else {
      let list = found.prefix(20).map { "\($0.id) \($0.name) \($0.detail)".trimmedEnd }
      throw ControlError(
        .ambiguous,
        "'\(word)' may be \(found.count) \(kind.plural); say which by its id: "
          + list.joined(separator: ", ") + (found.count > 20 ? ", …" : ".")
      )
    }
    return found
  }

  /// The one record of a kind that a word means.
  func reference(_ kind: RecordKind, _ word: String) throws(ControlError) -> VaultReference {
    try find(kind, word)[0].reference
  }
}

extension VaultSnapshot.Candidate {
  nonisolated init(_ reference: VaultReference, _ id: String, _ name: String, _ detail: String) {
    self.init(reference: reference, id: id, name: name, detail: detail)
  }
}

extension String {
  /// Without blanks at the end.
  fileprivate nonisolated var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
