/// A saved host.
public struct HostRecord: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: HostID
  /// The name that people type; unique, without blanks at its ends.
  ///
  /// Empty until it is saved means `defaultName`.
  public var name: String
  /// Where it listens.
  public var endpoint: SSHEndpoint
  /// How it is talked to.
  public var connectionProtocol: HostProtocol
  /// What authenticates there; nil means what the record itself says.
  public var identity: IdentityID?
  /// The account; it wins over the identity's.
  ///
  /// Empty means the identity's, else the local user's name.
  public var username: String
  /// Private key files to offer, absolute paths; they win over the identity's keys.
  public var keyFiles: [String]
  /// Whether agent keys may be offered; the identity must allow it too.
  public var usesAgent: Bool
  /// Jump hosts in order, the one nearest to this machine first.
  public var jumps: [HostJump]
  /// Words to find and group it by, each once, in the person's order.
  public var tags: [String]
  /// The mark in lists and on pane titles.
  public var color: PaletteColor?
  /// The name of the theme of its terminals; nil means the window's.
  public var theme: String?
  /// Whether its shell is given prompt marks.
  public var shellIntegration: ShellIntegrationChoice
  /// What its programs may do with the clipboard.
  public var clipboard: ClipboardChoice
  /// How the sessions of its terminals are written down from their start; nil means that they are not.
  public var recording: RecordingFormat?
  /// Where its shell and its file browser start; empty means the account's home.
  public var startDirectory: String
  /// Sent to its shell once it is there.
  public var startupSnippet: SnippetID?
  /// Variables that its shell is asked to have, in order; a name stands once.
  public var environment: [EnvironmentVariable]
  /// Seconds between keepalive requests, 0 for none; nil means as the settings say.
  public var keepAliveSeconds: Int?
  /// What the person wrote down about it; any number of lines, kept exactly.
  public var notes: String
  /// Whether it stands above the others.
  public var isPinned: Bool
  /// Which engine makes its connections.
  public var engine: EngineChoice
  /// Whether its connections may use algorithms that are no longer safe, because the server has no others.
  public var allowsOldAlgorithms: Bool
  /// When it was last connected to from this machine, seconds since 1970; nil when never.
  public var lastUsed: Int64?
  /// When it was made and changed; the store sets it.
  public var times: RecordTimes

  /// Makes a record.
  public init(
    id: HostID = HostID(),
    name: String,
    endpoint: SSHEndpoint,
    connectionProtocol: HostProtocol = .ssh,
    identity: IdentityID? = nil,
    username: String = "",
    keyFiles: [String] = [],
    usesAgent: Bool = true,
    jumps: [HostJump] = [],
    tags: [String] = [],
    color: PaletteColor? = nil,
    theme: String? = nil,
    shellIntegration: ShellIntegrationChoice = .standard,
    clipboard: ClipboardChoice = .standard,
    recording: RecordingFormat? = nil,
    startDirectory: String = "",
    startupSnippet: SnippetID? = nil,
    environment: [EnvironmentVariable] = [],
    keepAliveSeconds: Int? = nil,
    notes: String = "",
    isPinned: Bool = false,
    engine: EngineChoice = .automatic,
    allowsOldAlgorithms: Bool = false,
    lastUsed: Int64? = nil,
    times: RecordTimes = .unsaved
  ) {
    self.id = id
    self.name = name
    self.endpoint = endpoint
    self.connectionProtocol = connectionProtocol
    self.identity = identity
    self.username = username
    self.keyFiles = keyFiles
    self.usesAgent = usesAgent
    self.jumps = jumps
    self.tags = tags
    self.color = color
    self.theme = theme
    self.shellIntegration = shellIntegration
    self.clipboard = clipboard
    self.recording = recording
    self.startDirectory = startDirectory
    self.startupSnippet = startupSnippet
    self.environment = environment
    self.keepAliveSeconds = keepAliveSeconds
    self.notes = notes
    self.isPinned = isPinned
    self.engine = engine
    self.allowsOldAlgorithms = allowsOldAlgorithms
    self.lastUsed = lastUsed
    self.times = times
  }

  /// The name that stands in for an empty one, and is stored then: the address.
  public var defaultName: String { endpoint.host }

  /// The name that it is saved with.
  public var savedName: String { name.isEmpty ? defaultName : name }
}
