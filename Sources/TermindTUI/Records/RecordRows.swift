import TermindApplication
import TermindDomain

/// A record that another one names.
nonisolated struct RecordName: Hashable, Sendable, Codable {
  var id: String
  var name: String
}

/// A saved host, as the command line shows it.
nonisolated struct HostRow: Hashable, Sendable, Codable {
  var id: String
  var name: String
  var address: String
  var port: UInt16
  var `protocol`: String
  var user: String
  var identity: RecordName?
  var keyFiles: [String]
  var agent: Bool
  var jumps: [String]
  var tags: [String]
  var color: String?
  var theme: String?
  var shellIntegration: String
  var clipboard: String
  var recording: String
  var directory: String
  var snippet: RecordName?
  var environment: [EnvironmentVariable]
  var keepAlive: Int?
  var note: String
  var pinned: Bool
  var engine: String
  var oldAlgorithms: Bool
  var lastUsed: Int64?
  var created: Int64
  var modified: Int64
}

/// An identity; whether there is a password, never the password.
nonisolated struct IdentityRow: Hashable, Sendable, Codable {
  var id: String
  var name: String
  var user: String
  var keys: [RecordName]
  var agent: Bool
  var password: Bool
  var created: Int64
  var modified: Int64
}

/// A key; the public half only.
nonisolated struct KeyRow: Hashable, Sendable, Codable {
  var id: String
  var name: String
  var algorithm: String
  var fingerprint: String
  var comment: String
  var publicKey: String
  var certificate: Bool
  var location: String
  var path: String?
  var passphrase: Bool
  var created: Int64
  var modified: Int64
}

/// A known host.
nonisolated struct KnownHostRow: Hashable, Sendable, Codable {
  var id: String
  var names: String
  var marker: String
  var type: String
  var fingerprint: String
  var key: String
  var comment: String
  var since: Int64
}

/// A snippet.
nonisolated struct SnippetRow: Hashable, Sendable, Codable {
  var id: String
  var name: String
  var text: String
  var tags: [String]
  var placeholders: [String]
  var created: Int64
  var modified: Int64
}

/// A template with its panes in reading order.
nonisolated struct TemplateRow: Hashable, Sendable, Codable {
  /// One pane.
  nonisolated struct Pane: Hashable, Sendable, Codable {
    var kind: String
    var host: RecordName?
    var directory: String?
    var label: String?
  }

  var id: String
  var name: String
  var panes: [Pane]
  var created: Int64
  var modified: Int64
}

/// Records of one kind.
nonisolated enum RecordRows: Hashable, Sendable, Codable {
  case hosts([HostRow])
  case identities([IdentityRow])
  case keys([KeyRow])
  case knownHosts([KnownHostRow])
  case snippets([SnippetRow])
  case templates([TemplateRow])

  var count: Int {
    switch self {
    case .hosts(let rows): rows.count
    case .identities(let rows): rows.count
    case .keys(let rows): rows.count
    case .knownHosts(let rows): rows.count
    case .snippets(let rows): rows.count
    case .templates(let rows): rows.count
    }
  }
}

/// What an import would do.
nonisolated struct ImportPreviewRow: Hashable, Sendable, Codable {
  /// The same for people.
  var lines: [String]
  /// Hosts, when it is about hosts.
  var report: ImportReport?
  /// Host keys, when it is about those.
  var knownHosts: KnownHostsRow?
  /// How many records would be saved, hosts or host keys.
  var count: Int
  /// Tells whether a later look shows the same.
  var digest: String
}

/// What an import of host keys would do.
nonisolated struct KnownHostsRow: Hashable, Sendable, Codable {
  var source: String
  var new: [KnownHostRow]
  /// How many the vault has already.
  var known: Int
  /// Keys for hosts of which the vault trusts another one of the same type.
  var differing: [KnownHostRow]
  var notes: [String]
}

/// What an import did.
nonisolated struct ImportedRow: Hashable, Sendable, Codable {
  var hosts: [RecordName] = []
  var keys: [RecordName] = []
  var identities: [RecordName] = []
  var knownHosts = 0
}

/// One host of a configuration of `ssh`.
nonisolated struct ConfigRow: Hashable, Sendable, Codable {
  var id: String
  var name: String
  var alias: String
  var text: String
}
