import FoundationEssentials
import TermindDomain

@testable import TermindPresentation

/// A small vault with something of every kind, the same in every run.
enum VaultFixture {
  static let now: Int64 = 1_780_000_000

  static func uuid(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }

  static let key = KeyRecord(
    id: KeyID(rawValue: uuid(1)),
    name: "work laptop",
    algorithm: "ssh-ed25519",
    comment: "ada@laptop",
    fingerprint: "SHA256:YkQ3nmX0yT7ZcGmhXKBkP2hV3rPz1n9yFVJ1qB7tU0E",
    publicKey: [1, 2, 3],
    certificate: [4],
    location: .file(path: "/home/ada/.ssh/id_ed25519")
  )
  static let secretKey = KeyRecord(
    id: KeyID(rawValue: uuid(2)),
    name: "backup",
    algorithm: "ssh-rsa",
    fingerprint: "SHA256:9fa3nmX0yT7ZcGmhXKBkP2hV3rPz1n9yFVJ1qB7tU0E",
    publicKey: [1, 2, 4],
    location: .secret(SecretItemID(rawValue: uuid(3))),
    passphrase: SecretItemID(rawValue: uuid(4))
  )
  static let deploy = IdentityRecord(
    id: IdentityID(rawValue: uuid(10)),
    name: "deploy",
    username: "deploy",
    password: SecretItemID(rawValue: uuid(5)),
    keys: [key.id, secretKey.id]
  )
  static let dba = IdentityRecord(
    id: IdentityID(rawValue: uuid(11)),
    name: "databases",
    username: "postgres",
    usesAgent: false
  )
  static let snippet = SnippetRecord(
    id: SnippetID(rawValue: uuid(20)),
    name: "follow a log",
    text: "cd /var/log\ntail -n {{lines=100}} -f {{file}}\n",
    tags: ["logs"]
  )
  static let bastion = HostRecord(
    id: HostID(rawValue: uuid(30)),
    name: "bastion",
    endpoint: SSHEndpoint(host: "bastion.example.org", port: 2222),
    identity: deploy.id,
    tags: ["eu"],
    color: .red,
    isPinned: true,
    lastUsed: now - 90
  )
  static let mid = HostRecord(
    id: HostID(rawValue: uuid(31)),
    name: "mid",
    endpoint: SSHEndpoint(host: "10.0.0.2"),
    identity: deploy.id,
    jumps: [.saved(bastion.id)],
    lastUsed: now - 7_200
  )
  static let web = HostRecord(
    id: HostID(rawValue: uuid(32)),
    name: "web1",
    endpoint: SSHEndpoint(host: "10.0.0.11"),
    identity: deploy.id,
    username: "www",
    jumps: [.saved(mid.id)],
    tags: ["prod", "eu"],
    color: .blue,
    theme: "Dracula",
    startDirectory: "~/app",
    startupSnippet: snippet.id,
    environment: [EnvironmentVariable(name: "RAILS_ENV", value: "production")],
    keepAliveSeconds: 30,
    notes: "Ask Grace before a restart.\nThe console is in rack 7."
  )
  static let switchHost = HostRecord(
    id: HostID(rawValue: uuid(33)),
    name: "switch",
    endpoint: SSHEndpoint(host: "fe80::1%eth0", port: 23),
    connectionProtocol: .telnet,
    tags: ["net"],
    lastUsed: now - 400_000
  )

  static let known = [
    KnownHostRecord(
      id: KnownHostID(rawValue: uuid(40)),
      names: .endpoint(SSHEndpoint(host: "bastion.example.org", port: 2222)),
      key: hostKey("ssh-ed25519"),
      since: now - 86_400 * 40
    ),
    KnownHostRecord(
      id: KnownHostID(rawValue: uuid(41)),
      names: .hashed("|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg="),
      key: hostKey("ecdsa-sha2-nistp256"),
      comment: "old laptop",
      since: now - 86_400 * 400
    ),
    KnownHostRecord(
      id: KnownHostID(rawValue: uuid(42)),
      names: .patterns("*.example.org,!dev.example.org"),
      marker: .certificateAuthority,
      key: hostKey("ssh-rsa"),
      since: now - 3_600
    ),
    KnownHostRecord(
      id: KnownHostID(rawValue: uuid(43)),
      names: .endpoint(SSHEndpoint(host: "10.0.0.66")),
      marker: .revoked,
      key: hostKey("ssh-ed25519"),
      since: now - 60
    ),
  ]

  static func hostKey(_ type: String) -> HostKey {
    HostKey(
      type: type,
      blob: [1, 2, 3],
      fingerprint: "SHA256:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"
    )
  }

  static let events = [
    ConnectionEvent(
      id: ConnectionEventID(rawValue: uuid(50)),
      target: "web1",
      host: web.id,
      kind: .terminal,
      started: now - 240,
      outcome: .connected
    ),
    ConnectionEvent(
      id: ConnectionEventID(rawValue: uuid(51)),
      target: "ada@192.0.2.7 -p 2200",
      host: nil,
      kind: .files,
      started: now - 4_000,
      ended: now - 400,
      outcome: .connected
    ),
    ConnectionEvent(
      id: ConnectionEventID(rawValue: uuid(52)),
      target: "switch",
      host: switchHost.id,
      kind: .terminal,
      started: now - 90_000,
      outcome: .failed("timed out")
    ),
  ]

  static var template: WorkspaceTemplate {
    var tree = SplitTree(PaneID(rawValue: 1))
    tree.split(PaneID(rawValue: 1), with: PaneID(rawValue: 2), at: .right)
    tree.split(PaneID(rawValue: 2), with: PaneID(rawValue: 3), at: .down)
    return WorkspaceTemplate(
      id: TemplateID(rawValue: uuid(60)),
      name: "morning",
      tree: tree,
      panes: [
        PaneID(rawValue: 1): .ssh(web.id, name: "web1"),
        PaneID(rawValue: 2): .sftp(HostID(rawValue: uuid(99)), name: "gone"),
        PaneID(rawValue: 3): .local(directory: "~"),
      ]
    )
  }

  static var contents: VaultContents {
    var contents = VaultContents()
    contents.keys = [secretKey, key]
    contents.identities = [dba, deploy]
    contents.snippets = [snippet]
    contents.hosts = [bastion, mid, switchHost, web]
    contents.knownHosts = known
    contents.templates = [template]
    contents.events = events
    return contents
  }

  static var routes: RouteBuilder {
    RouteBuilder(
      account: LocalAccount(userName: "ada", home: "/home/ada", workingDirectory: "/home/ada"),
      hosts: contents.hosts,
      identities: contents.identities,
      keys: contents.keys
    )
  }

  /// The list of a part, sorted as it is at the start.
  static func list(_ section: VaultSection) -> VaultList {
    var list = VaultList()
    list.load(
      contents.items(of: section),
      order: contents.order(of: section, by: section.sorts[0]),
      sortName: section.sorts[0].name
    )
    return list
  }

  /// The form of the first record of a part, to read.
  static func editor(_ section: VaultSection) -> VaultEditor {
    switch section {
    case .hosts: .host(HostEditor(web, contents: contents, routes: routes))
    case .identities: .identity(IdentityEditor(deploy, contents: contents))
    case .keys:
      .key(KeyEditor(key, contents: contents, certificate: ["ada-2026, for ada, until 2027-01-01"]))
    case .knownHosts:
      .details(VaultDetails.form(known[1], since: "2025-04-23 10:00", age: "400 d"))
    case .snippets: .snippet(SnippetEditor(snippet, contents: contents))
    case .templates: .template(TemplateEditor(template, contents: contents))
    case .history:
      .details(VaultDetails.form(events[1], contents, started: "2026-05-28 19:20", age: "1 h"))
    }
  }
}
