/// An account with what authenticates it, used by any number of hosts.
public struct IdentityRecord: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: IdentityID
  /// The name in lists; need not be unique.
  ///
  /// Empty until it is saved means `defaultName`.
  public var name: String
  /// The account; empty means the local user's name.
  public var username: String
  /// The password in the secret store; nil when there is none.
  public var password: SecretItemID?
  /// Keys to offer, in order, each once.
  public var keys: [KeyID]
  /// Whether agent keys may be offered.
  public var usesAgent: Bool
  /// When it was made and changed; the store sets it.
  public var times: RecordTimes

  /// Makes a record.
  public init(
    id: IdentityID = IdentityID(),
    name: String = "",
    username: String,
    password: SecretItemID? = nil,
    keys: [KeyID] = [],
    usesAgent: Bool = true,
    times: RecordTimes = .unsaved
  ) {
    self.id = id
    self.name = name
    self.username = username
    self.password = password
    self.keys = keys
    self.usesAgent = usesAgent
    self.times = times
  }

  /// The name that stands in for an empty one, and is stored then: the account.
  public var defaultName: String { username }

  /// Whether it names nothing but an account: then nothing is offered before the server asks.
  public var isUsernameOnly: Bool { password == nil && keys.isEmpty && !usesAgent }
}
