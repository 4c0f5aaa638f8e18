import FoundationEssentials
import Synchronization
import TermindApplication
import TermindDomain
import TermindPersistence
import TermindTestSupport
import Testing

/// Key files that only a test has.
private final class ScriptedKeyFiles: KeyFileInspecting {
  private let files: Mutex<[String: Result<KeyFileSummary, KeyFileProblem>]>

  init(_ files: [String: Result<KeyFileSummary, KeyFileProblem>]) { self.files = Mutex(files) }

  func change(_ path: String, to result: Result<KeyFileSummary, KeyFileProblem>) {
    files.withLock { $0[path] = result }
  }

  func fit(
    of passphrase: SecretBytes,
    to path: String
  ) async throws(KeyFileProblem) -> PassphraseFit { .notNeeded }

  func inspect(_ path: String) async throws(KeyFileProblem) -> KeyFileSummary {
    try files.withLock { $0[path] ?? .failure(.absent) }.get()
  }

  func certificate(at path: String, for publicKey: [UInt8]) async -> [UInt8]? {
    path.hasSuffix("-cert.pub") && path.contains("signed") ? [9] + publicKey : nil
  }

  static func summary(_ seed: UInt8, digest: UInt8 = 0) -> KeyFileSummary {
    KeyFileSummary(
      algorithm: "ssh-ed25519",
      comment: "k\(seed)",
      fingerprint: "SHA256:\(seed)",
      publicKey: [seed],
      isEncrypted: false,
      digest: [digest]
    )
  }
}

@Suite("Importing hosts") struct HostImporterTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore.open(at: folder.file("store.sqlite"))
  }

  private static let place = SourcePlace(path: "/config", line: 1)

  private func draft(
    _ name: String,
    user: String = "",
    keys: [String] = [],
    jumps: [JumpDraft] = []
  ) -> HostDraft {
    HostDraft(
      name: name,
      place: Self.place,
      endpoint: SSHEndpoint(host: "\(name.filter { $0 != " " }).example"),
      username: user,
      keyFiles: keys,
      jumps: jumps
    )
  }

  private func source(_ drafts: HostDraft...) -> HostImportSource {
    HostImportSource(path: "/config", hosts: drafts)
  }

  private let files = ScriptedKeyFiles([
    "/k/a": .success(ScriptedKeyFiles.summary(1)),
    "/k/signed": .success(ScriptedKeyFiles.summary(2)),
    "/k/ppk": .failure(.unsupported("the PuTTY format")),
  ])

  private var importer: HostImporter { HostImporter(vault: store, keyFiles: files) }

  @Test("saves hosts, shared identities and keys in one transaction")
  func saves() async throws {
    let preview = try await importer.preview(
      source(
        draft("web", user: "deploy", keys: ["/k/a"]),
        draft("db", user: "deploy", keys: ["/k/a"]),
        draft("ci", user: "deploy", keys: ["/k/signed", "/k/a"]),
        draft("plain", user: "kim"),
        draft("odd", user: "kim", keys: ["/k/a", "/k/ppk"]),
        draft("bare", keys: ["/k/a"])
      )
    )
    #expect(preview.keys.map(\.path) == ["/k/a", "/k/signed", "/k/ppk"])
    #expect(preview.keys.map(\.isSelected) == [true, true, false])
    let result = try await importer.commit(preview)
    #expect(result.hosts.map(\.name) == ["web", "db", "ci", "plain", "odd", "bare"])
    #expect(result.keys.map(\.name) == ["a", "signed"])
    #expect(result.keys[1].certificate == [9, 2])
    #expect(result.identities.map(\.name) == ["deploy", "deploy (signed)", "a"])
    let hosts = try await store.hosts()
    let web = try #require(hosts.first { $0.name == "web" })
    let db = try #require(hosts.first { $0.name == "db" })
    #expect(web.identity != nil && web.identity == db.identity)
    #expect(web.username == "" && web.keyFiles == [])
    let odd = try #require(hosts.first { $0.name == "odd" })
    #expect(odd.identity == nil)
    #expect(odd.username == "kim" && odd.keyFiles == ["/k/a", "/k/ppk"])
    // Once more finds everything there.
    var again = try await importer.preview(source(draft("web", user: "deploy", keys: ["/k/a"])))
    #expect(again.hosts[0].existing == web.id)
    #expect(again.hosts[0].choice == .skip)
    #expect(again.keys[0].existing == result.keys[0].id)
    again.renameTaken()
    let second = try await importer.commit(again)
    #expect(second.hosts.map(\.name) == ["web-2"])
    #expect(second.keys.isEmpty && second.identities.isEmpty)
    #expect(second.hosts[0].identity == web.identity)
  }

  @Test("never overwrites a record: the same name is skipped, or taken under another")
  func conflicts() async throws {
    let old = HostRecord(name: "web", endpoint: SSHEndpoint(host: "old.example"), notes: "mine")
    try await store.save(old)
    var preview = try await importer.preview(
      source(draft("web"), draft("new"), draft("new"), draft("web-2"))
    )
    #expect(preview.hosts.map(\.choice) == [.skip, .add, .skip, .add])
    #expect(preview.hosts.map(\.freeName) == ["web-3", "new", "new-2", "web-2"])
    #expect(preview.hosts[2].isRepeated)
    preview.hosts[0].choice = .add
    await #expect(throws: HostImportError.nameTaken("web")) { try await importer.commit(preview) }
    #expect(try await store.hosts().map(\.name) == ["web"])
    preview.hosts[0].choice = .rename("new")
    await #expect(throws: HostImportError.nameTaken("new")) { try await importer.commit(preview) }
    preview.renameTaken()
    _ = try await importer.commit(preview)
    let hosts = try await store.hosts()
    #expect(hosts.map(\.name) == ["new", "new-2", "web", "web-2", "web-3"])
    #expect(hosts.first { $0.name == "web" }?.notes == "mine")
  }

  @Test("saves nothing when a key file has changed since the preview")
  func changedKey() async throws {
    let preview = try await importer.preview(
      source(draft("web", keys: ["/k/a"]), draft("db", keys: ["/k/signed"]))
    )
    files.change("/k/a", to: .success(ScriptedKeyFiles.summary(1, digest: 1)))
    await #expect(throws: HostImportError.keyChanged(path: "/k/a")) {
      try await importer.commit(preview)
    }
    files.change("/k/a", to: .failure(.absent))
    await #expect(throws: HostImportError.keyUnusable(path: "/k/a", .absent)) {
      try await importer.commit(preview)
    }
    #expect(try await store.hosts().isEmpty)
    #expect(try await store.keys().isEmpty)
    // A key that nobody takes may change.
    var without = preview
    #expect(without.select(only: ["db", "nobody"]) == ["nobody"])
    #expect(try await importer.commit(without).hosts.map(\.name) == ["db"])
  }

  @Test("leaves keys where they are when the person says so")
  func leavesKeys() async throws {
    var preview = try await importer.preview(source(draft("web", user: "u", keys: ["/k/a"])))
    preview.leaveKeys()
    files.change("/k/a", to: .failure(.absent))
    let host = try #require(try await importer.commit(preview).hosts.first)
    #expect(host.keyFiles == ["/k/a"] && host.username == "u" && host.identity == nil)
    #expect(try await store.keys().isEmpty)
  }

  @Test("keeps the jumps: hosts of the import first, then saved ones, else the whole way")
  func jumps() async throws {
    let saved = HostRecord(name: "gate", endpoint: SSHEndpoint(host: "gate.example"))
    let other = HostRecord(name: "mid", endpoint: SSHEndpoint(host: "mid.example"))
    try await store.save(saved)
    try await store.save(other)
    func jump(_ name: String, user: String? = nil, _ targets: String...) -> JumpDraft {
      JumpDraft(name: name, jump: SSHJump(user: user, host: name), targets: targets)
    }
    var preview = try await importer.preview(
      source(
        draft("gate"),
        draft("a", jumps: [jump("gate", "x")]),
        draft("b", jumps: [jump("mid", "x")]),
        draft("c", jumps: [jump("gone", "g@1.2.3.4", "gone.example:99")]),
        draft("d", jumps: [jump("gate", user: "lee", "lee@gate.example")])
      )
    )
    #expect(preview.hosts[0].choice == .skip)
    let first = try await importer.commit(preview)
    let gate: HostJump = .saved(saved.id)
    #expect(
      first.hosts.map(\.jumps) == [
        [gate], [.saved(other.id)], ["g@1.2.3.4", "gone.example:99"], ["lee@gate"],
      ]
    )
    // Under another name the host of the import is meant by the names of the import.
    preview = try await importer.preview(
      source(draft("gate"), draft("e", jumps: [jump("gate", "x")]))
    )
    preview.renameTaken()
    let second = try await importer.commit(preview)
    #expect(second.hosts[1].jumps == [.saved(second.hosts[0].id)])
  }

  @Test("does not save what may not be saved, and says which field")
  func invalid() async throws {
    var bad = draft("bad")
    bad.endpoint = SSHEndpoint(host: "-oProxyCommand=x")
    var lost = draft("lost")
    lost.losesItsWay = true
    var preview = try await importer.preview(source(bad, lost, draft("good")))
    #expect(preview.hosts.map(\.choice) == [.skip, .skip, .add])
    #expect(preview.hosts[0].problems.map(\.field) == [.address])
    preview.hosts[0].choice = .add
    await #expect(throws: HostImportError.self) { try await importer.commit(preview) }
    #expect(try await store.hosts().isEmpty)
    let circle = JumpDraft(name: "x", jump: SSHJump(host: "x"), targets: ["x"])
    let cyclic = try await importer.preview(source(draft("x", jumps: [circle])))
    await #expect(throws: HostImportError.self) { try await importer.commit(cyclic) }
    #expect(try await store.hosts().isEmpty)
  }

  @Test("imports host keys that are new, and no other key for a known host unless told")
  func knownHosts() async throws {
    func record(_ host: String, _ blob: UInt8, _ marker: KnownHostMarker = .trusted)
      -> KnownHostRecord
    {
      KnownHostRecord(
        names: .endpoint(SSHEndpoint(host: host)),
        marker: marker,
        key: HostKey(type: "ssh-ed25519", blob: [blob], fingerprint: "SHA256:\(blob)"),
        since: 5
      )
    }
    try await store.add(record("a", 1))
    let importer = KnownHostsImporter(library: store)
    let preview = try await importer.preview([
      record("a", 1), record("a", 2), record("b", 3), record("b", 3), record("a", 2, .revoked),
    ])
    #expect(preview.new.map(\.key.blob) == [[3], [2]])
    #expect(preview.known.map(\.key.blob) == [[1], [3]])
    #expect(preview.differing.map(\.key.blob) == [[2]])
    #expect(try await importer.commit(preview) == 2)
    #expect(try await store.knownHosts(at: SSHEndpoint(host: "a")).map(\.key.blob) == [[1]])
    #expect(try await importer.commit(preview, includesDiffering: true) == 1)
    #expect(try await importer.preview([record("a", 2)]).new.isEmpty)
  }
}

@Suite("Import reports") struct ImportReportTests {
  private struct NoKeys: KeyFileInspecting {
    func fit(
      of passphrase: SecretBytes,
      to path: String
    ) async throws(KeyFileProblem) -> PassphraseFit { .notNeeded }

    func inspect(_ path: String) async throws(KeyFileProblem) -> KeyFileSummary {
      if path == "/k/a" {
        return KeyFileSummary(
          algorithm: "ssh-ed25519",
          comment: "",
          fingerprint: "SHA256:x",
          publicKey: [1],
          isEncrypted: true,
          digest: []
        )
      }
      throw .permissionsTooOpen(mode: 0o644)
    }

    func certificate(at path: String, for publicKey: [UInt8]) async -> [UInt8]? { nil }
  }

  private func report() async throws -> ImportReport {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(at: folder.file("store.sqlite"))
    try await store.save(HostRecord(name: "db", endpoint: SSHEndpoint(host: "db.example")))
    let place = SourcePlace(path: "/c", line: 3)
    let jump = JumpDraft(name: "gate", jump: SSHJump(host: "gate"), targets: ["gate.x"])
    let source = HostImportSource(
      path: "/c",
      hosts: [
        HostDraft(
          name: "web\u{1B}[31m",
          place: place,
          endpoint: SSHEndpoint(host: "10.0.0.1", port: 2222),
          username: "lee",
          keyFiles: ["/k/a", "/k/b"],
          jumps: [jump],
          taken: [TakenOption("port", "2222", at: place)],
          dropped: [
            DroppedOption("compression", "yes", at: place, .noCounterpart),
            DroppedOption("match exec", "true", at: place, .conditionRunsProgram),
          ]
        ), HostDraft(name: "db", place: place, endpoint: SSHEndpoint(host: "::1")),
        HostDraft(name: "ok", place: place, endpoint: SSHEndpoint(host: "ok.x")),
      ],
      notes: [ImportNote(.problem(.invalidPort("x")), at: SourcePlace(path: "/c", line: 9))]
    )
    return ImportReport(
      try await HostImporter(vault: store, keyFiles: NoKeys()).preview(source)
    )
  }

  @Test("are the same lines each time, without anything a terminal would act on")
  func text() async throws {
    let lines = try await report().lines(isDetailed: true)
    #expect(
      lines == [
        "/c: 3 hosts, 1 to import", "  ! web\u{FFFD}[31m  lee@10.0.0.1:2222 via gate",
        "      name: has characters that cannot be seen", "      + port 2222  (/c:3)",
        "      - compression yes  (/c:3): saved hosts have nothing like it",
        "      - match exec true  (/c:3): the block is not imported: its condition runs a program",
        "  ! db  ::1", "      a host of this name is saved already", "  + ok  ok.x", "", "Keys",
        "  + /k/a  Ed25519  SHA256:x", "  ! /k/b  others may read it (mode 644)", "", "Notes",
        "  /c:9: x is no port",
      ]
    )
  }

  @Test("are JSON that reads back as the same report")
  func json() async throws {
    let report = try await report()
    let json = try report.json()
    #expect(try JSONDecoder().decode(ImportReport.self, from: Data(json)) == report)
    #expect(try report.json() == json)
    #expect(report.hosts.map(\.action) == ["invalid", "conflict", "add"])
    #expect(report.keys.map(\.action) == ["add", "unusable"])
  }
}
