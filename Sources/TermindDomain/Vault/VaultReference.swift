/// The kinds of records of the vault.
public enum VaultKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// Saved hosts.
  case host
  /// Accounts with what authenticates them.
  case identity
  /// Key pairs.
  case key
  /// Trusted, revoked and signing host keys.
  case knownHost
  /// Texts to send to a terminal.
  case snippet
  /// Workspaces to open again.
  case template
  /// What was connected to, and when.
  case history
  /// The person's choices.
  case setting
}

/// Names one record of the vault, whatever its kind.
public enum VaultReference: Hashable, Sendable {
  /// A saved host.
  case host(HostID)
  /// An identity.
  case identity(IdentityID)
  /// A key.
  case key(KeyID)
  /// A known host.
  case knownHost(KnownHostID)
  /// A snippet.
  case snippet(SnippetID)
  /// A workspace template.
  case template(TemplateID)

  /// The kind of the record.
  public var kind: VaultKind {
    switch self {
    case .host: .host
    case .identity: .identity
    case .key: .key
    case .knownHost: .knownHost
    case .snippet: .snippet
    case .template: .template
    }
  }
}

/// A record that would lose something if another one were deleted.
public struct VaultDependent: Hashable, Sendable {
  /// How it depends on the other record.
  public enum Use: String, Hashable, Sendable {
    /// A host authenticates with the identity; without it, it has only what it says itself.
    case authenticates
    /// An identity offers the key; without it, it offers its others.
    case offersKey
    /// A host is reached through the host; without it, it cannot be connected to until it is edited.
    case jumpsThrough
    /// A host runs the snippet when it is opened; without it, it runs nothing.
    case runsAtStart
    /// A template opens the host; without it, its pane stays empty.
    case opens
  }

  /// The record that depends.
  public let record: VaultReference
  /// Its name.
  public let name: String
  /// How it depends.
  public let use: Use

  /// Makes a description of a dependence.
  public init(record: VaultReference, name: String, use: Use) {
    self.record = record
    self.name = name
    self.use = use
  }
}

/// When a record was made and last changed, as the store that holds it saw it.
public struct RecordTimes: Hashable, Sendable {
  /// A record that no store has yet.
  public static let unsaved = RecordTimes(created: 0, modified: 0)

  /// When it was first saved, seconds since 1970; 0 before that.
  public let created: Int64
  /// When it was last saved, seconds since 1970; 0 before the first time.
  public let modified: Int64

  /// Makes the times of a stored record.
  public init(created: Int64, modified: Int64) {
    self.created = created
    self.modified = modified
  }
}

/// One entry of the change journal: the last thing that happened to a record.
public struct VaultChangeEntry: Hashable, Sendable {
  /// What happened.
  public enum Action: String, Hashable, Sendable {
    /// The record was made and not changed since.
    case created
    /// The record was changed; a reader who does not know it yet takes it as made.
    case updated
    /// The record is gone.
    case deleted
  }

  /// The place in the journal; a later change of any record has a higher one, and none is given twice.
  public let sequence: Int64
  /// The kind of the record.
  public let kind: VaultKind
  /// Its identifier as text; the key of a setting.
  public let record: String
  /// What happened.
  public let action: Action
  /// When, seconds since 1970.
  public let time: Int64

  /// Makes an entry.
  public init(sequence: Int64, kind: VaultKind, record: String, action: Action, time: Int64) {
    self.sequence = sequence
    self.kind = kind
    self.record = record
    self.action = action
    self.time = time
  }
}
