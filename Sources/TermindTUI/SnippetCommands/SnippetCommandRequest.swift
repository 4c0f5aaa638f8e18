/// A snippet that `termind snippet run` asks for.
public nonisolated struct SnippetCommandRequest: Hashable, Sendable, Codable {
  /// The snippet, by name or id.
  public var snippet: String
  /// Where it runs: saved names, names of `~/.ssh/config`, or `[user@]host[:port]`.
  public var hosts: [String]
  /// Tags whose saved hosts it runs on too.
  public var tags: [String]
  /// What is filled in, by the names of the places; the others get their standard values.
  public var values: [String: String]
  /// The client's directory, against which configurations are read.
  public var directory = ""

  /// The most hosts of one run.
  public static let maximumHosts = 1_000

  /// Makes a request.
  public init(
    _ snippet: String,
    on hosts: [String],
    tags: [String] = [],
    values: [String: String] = [:]
  ) {
    self.snippet = snippet
    self.hosts = hosts
    self.tags = tags
    self.values = values
  }
}

/// What became of a snippet on one host: a line of `--json`.
public nonisolated struct SnippetCommandRow: Hashable, Sendable, Codable {
  /// The host, as it is saved or was typed.
  public var host: String
  /// What it exited with; nil when it did not run to its end.
  public var status: Int?
  /// Why it did not.
  public var error: String?
  /// What it printed, on both of its outputs.
  public var output: String
  /// The same in base64, when it is no text.
  public var outputBase64: String?
  /// Whether it printed more, which was not kept.
  public var truncated: Bool?

  /// Whether it ran and exited with zero.
  public var isWell: Bool { status == 0 }
}

/// What a run tells its client.
nonisolated enum SnippetCommandMessage: Hashable, Sendable, Codable {
  /// A host is done.
  case row(SnippetCommandRow)
  /// All of them are, or nothing was begun for this reason.
  case end(ControlError?)
}
