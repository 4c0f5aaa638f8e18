import TermindDomain
import Testing

@Suite("Checking records") struct HostValidationTests {
  func host(_ name: String, jumps: [HostJump] = []) -> HostRecord {
    HostRecord(name: name, endpoint: SSHEndpoint(host: "\(name).example"), jumps: jumps)
  }

  func problems(_ change: (inout HostRecord) -> Void) -> [FieldError<HostField>] {
    var record = host("web")
    change(&record)
    return record.problems()
  }

  @Test("a host with nothing but an address may be saved")
  func least() {
    #expect(HostRecord(name: "", endpoint: SSHEndpoint(host: "::1")).problems().isEmpty)
    #expect(problems { _ in }.isEmpty)
  }

  @Test("each field tells its own problem")
  func fields() {
    #expect(problems { $0.name = " web" } == [FieldError(.name, .blankAtEnds)])
    #expect(problems { $0.name = "a\u{1B}b" } == [FieldError(.name, .invisibleCharacters)])
    #expect(
      problems { $0.name = String(repeating: "x", count: 256) }
        == [FieldError(.name, .tooLong(limit: 255))]
    )
    #expect(
      problems { $0.endpoint = SSHEndpoint(host: "", port: 0) } == [
        FieldError(.address, .empty), FieldError(.port, .notInRange(1...65535)),
      ]
    )
    #expect(problems { $0.username = "-l" } == [FieldError(.username, .target(.invalidUser("-l")))])
    #expect(problems { $0.keyFiles = ["/a", "b"] } == [FieldError(.keyFiles, .notAbsolute)])
    #expect(problems { $0.keyFiles = ["~/.ssh/id"] } == [])
    #expect(problems { $0.tags = ["a", "b", "a"] } == [FieldError(.tags, .duplicate("a"))])
    #expect(problems { $0.tags = ["a,b"] } == [FieldError(.tags, .invalidName("a,b"))])
    #expect(problems { $0.theme = "" } == [FieldError(.theme, .empty)])
    #expect(
      problems { $0.keepAliveSeconds = -1 } == [FieldError(.keepAlive, .notInRange(0...86400))]
    )
    #expect(problems { $0.keepAliveSeconds = 0 } == [])
    #expect(problems { $0.notes = "any\n\u{0}\u{1B} text" } == [])
    #expect(
      problems { $0.environment = [.init(name: "A", value: "1"), .init(name: "A", value: "2")] }
        == [FieldError(.environment, .duplicate("A"))]
    )
    #expect(problems { $0.identity = IdentityID() } == [FieldError(.identity, .missing)])
    #expect(problems { $0.startupSnippet = SnippetID() } == [FieldError(.startupSnippet, .missing)])
  }

  @Test("a name is taken only by another host")
  func taken() {
    let web = host("web")
    let context = VaultContext(hosts: [web, host("db")])
    #expect(web.problems(in: context).isEmpty)
    #expect(host("web").problem(of: .name, in: context) == .taken)
    var nameless = HostRecord(name: "", endpoint: SSHEndpoint(host: "db"))
    #expect(nameless.problem(of: .name, in: context) == .taken)
    nameless.endpoint = SSHEndpoint(host: "other")
    #expect(nameless.problem(of: .name, in: context) == nil)
  }

  @Test("a way back to the host itself is found through all forms of jumps")
  func cycles() {
    let bastion = host("bastion")
    var middle = host("middle", jumps: [.saved(bastion.id)])
    var web = host("web", jumps: ["root@middle:2200"])
    var context = VaultContext(hosts: [bastion, middle, web])
    #expect(web.problem(of: .jumps, in: context) == nil)
    middle.jumps = [.saved(bastion.id), .saved(web.id)]
    context = VaultContext(hosts: [bastion, middle, web])
    #expect(web.problem(of: .jumps, in: context) == .cycle(["web", "middle", "web"]))
    #expect(middle.problem(of: .jumps, in: context) == .cycle(["middle", "web", "middle"]))
    web.jumps = [.saved(web.id)]
    #expect(web.problem(of: .jumps, in: context) == .cycle(["web", "web"]))
    web.jumps = [.saved(HostID())]
    #expect(web.problem(of: .jumps, in: context) == .missing)
    web.jumps = ["no such; host"]
    #expect(web.problem(of: .jumps, in: context) == .target(.invalidHost("no such; host")))
    web.jumps = (0..<8).map { .text("j\($0)") }
    #expect(web.problem(of: .jumps, in: context) == .tooMany(limit: 7))
  }

  @Test("a way that waited for a host of this name closes with it, new or renamed")
  func waitingCycles() {
    let first = host("first", jumps: ["second"])
    let context = VaultContext(hosts: [first])
    let second = host("second", jumps: [.saved(first.id)])
    #expect(second.problem(of: .jumps, in: context) == .cycle(["second", "first", "second"]))
    #expect(host("other", jumps: [.saved(first.id)]).problem(of: .jumps, in: context) == nil)
    // What has no name yet is saved with its address.
    let nameless = HostRecord(
      name: "",
      endpoint: SSHEndpoint(host: "second"),
      jumps: ["ada@first:2200"]
    )
    #expect(nameless.problem(of: .jumps, in: context) == .cycle(["second", "first", "second"]))
    var renamed = host("old", jumps: [.saved(first.id)])
    let both = VaultContext(hosts: [first, renamed])
    #expect(renamed.problem(of: .jumps, in: both) == nil)
    renamed.name = "second"
    #expect(renamed.problem(of: .jumps, in: both) == .cycle(["second", "first", "second"]))
    // Under its old name it is no longer there.
    let user = host("user", jumps: ["old"])
    renamed = host("old", jumps: [.saved(user.id)])
    let used = VaultContext(hosts: [user, renamed])
    #expect(renamed.problem(of: .jumps, in: used) == .cycle(["old", "user", "old"]))
    renamed.name = "new"
    #expect(renamed.problem(of: .jumps, in: used) == nil)
  }

  @Test("hosts that are saved together are checked as they will stand together")
  func saving() {
    let left = host("left")
    let right = host("right", jumps: [.saved(left.id)])
    let context = VaultContext(hosts: [left, right])
    var (newLeft, newRight) = (left, right)
    newLeft.jumps = [.saved(right.id)]
    newRight.jumps = []
    newRight.name = "far"
    let after = context.saving([newLeft, newRight])
    #expect(newLeft.problem(of: .jumps, in: context) == .cycle(["left", "right", "left"]))
    #expect(newLeft.problem(of: .jumps, in: after) == nil)
    #expect(after.hostNames == ["left": left.id, "far": right.id])
    #expect(host("right").problem(of: .name, in: after) == nil)
    newRight.name = "left"
    #expect(newRight.problem(of: .name, in: context.saving([newRight])) == .taken)
  }

  @Test("many hosts that jump through each other are checked once each")
  func wideCycle() {
    var hosts: [HostRecord] = []
    for level in 0..<60 {
      let jumps: [HostJump] = hosts.suffix(5).map { .saved($0.id) }
      hosts.append(host("h\(level)", jumps: jumps))
    }
    let context = VaultContext(hosts: hosts)
    #expect(hosts[59].problem(of: .jumps, in: context) == nil)
  }

  @Test("identities, keys, snippets and templates tell their problems")
  func others() {
    let key = KeyRecord(
      algorithm: "ssh-ed25519",
      fingerprint: "",
      publicKey: [1],
      location: .file(path: "id")
    )
    #expect(key.problems() == [FieldError(.location, .notAbsolute)])
    #expect(key.defaultName == "Ed25519")
    let context = VaultContext(keys: [key])
    var identity = IdentityRecord(username: "", keys: [key.id, key.id])
    #expect(
      identity.problems(in: context) == [
        FieldError(.name, .empty), FieldError(.keys, .duplicate("")),
      ]
    )
    identity = IdentityRecord(username: "root", keys: [KeyID()])
    #expect(identity.problems(in: context) == [FieldError(.keys, .missing)])
    #expect(SnippetRecord(text: "").problems() == [FieldError(.text, .empty)])
    #expect(SnippetRecord(text: " \n").problems() == [FieldError(.name, .empty)])
    let tree = SplitTree(PaneID(rawValue: 1))
    let one = WorkspaceTemplate(name: "one", tree: tree, panes: [:])
    let templates = VaultContext(templates: [one])
    #expect(one.nameProblem(in: templates) == nil)
    #expect(
      WorkspaceTemplate(name: "one", tree: tree, panes: [:]).nameProblem(in: templates) == .taken
    )
  }

  @Test("a host that is new cannot be its own jump by name, nor close a circle through others")
  func cyclesByName() {
    #expect(host("self", jumps: ["self"]).problem(of: .jumps) == .cycle(["self", "self"]))
    #expect(host("self", jumps: ["me@self:22"]).problem(of: .jumps) == .cycle(["self", "self"]))
    // The first was saved when there was no `b` yet.
    let context = VaultContext(hosts: [host("a", jumps: ["b"])])
    #expect(host("b", jumps: ["a"]).problem(of: .jumps, in: context) == .cycle(["b", "a", "b"]))
    #expect(host("c", jumps: ["a"]).problem(of: .jumps, in: context) == nil)
    let nameless = HostRecord(name: "", endpoint: SSHEndpoint(host: "b"), jumps: ["a"])
    #expect(nameless.problem(of: .jumps, in: context) == .cycle(["b", "a", "b"]))
  }
}
