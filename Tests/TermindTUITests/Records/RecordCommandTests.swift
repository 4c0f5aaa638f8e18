import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// The built program on a store of its own, without a server.
@Suite("Commands on the store", .timeLimit(.minutes(10))) struct RecordCommandTests {
  private struct Failure: Decodable { var error: ControlError }

  @Test("a host is added, found, shown, changed and removed")
  func host() async throws {
    let termind = try CommandRun(home: TestHome())
    #expect(try await termind("host", "add", "bastion", "--address", "b.example").status == 0)
    let added = try await termind(
      "host",
      "add",
      "web1",
      "--address",
      "10.0.0.1",
      "--port",
      "2222",
      "--user",
      "root",
      "--jump",
      "bastion",
      "--tag",
      "prod",
      "--tag",
      "db",
      "--env",
      "A=b=c",
      "--keepalive",
      "0",
      "--json"
    )
    let row = try #require(try added.decoded([HostRow].self).first)
    #expect(row.name == "web1" && row.port == 2222 && row.jumps == ["bastion"])
    #expect(row.tags == ["prod", "db"] && row.keepAlive == 0)
    #expect(row.environment == [EnvironmentVariable(name: "A", value: "b=c")])
    let list = try await termind("host", "list")
    #expect(
      list.output == """
        NAME     ADDRESS        USER  IDENTITY  VIA      TAGS
        bastion  b.example
        web1     10.0.0.1:2222  root            bastion  prod, db

        """
    )
    let edited = try await termind(
      "host",
      "edit",
      row.id.lowercased(),
      "--set",
      "name=web",
      "--add",
      "tag=new",
      "--remove",
      "tag=db",
      "--unset",
      "user",
      "--json"
    )
    let changed = try #require(try edited.decoded([HostRow].self).first)
    #expect(changed.id == row.id && changed.name == "web" && changed.user.isEmpty)
    #expect(changed.tags == ["prod", "new"] && changed.port == 2222)
    // The beginning of an id is enough.
    let shown = try await termind("host", "show", String(row.id.prefix(8)))
    #expect(shown.output.contains("name:              web\n"))
    #expect(
      try await termind("host", "list", "--tag", "new", "--json").decoded([HostRow].self) == [
        changed
      ]
    )
    #expect(try await termind("host", "list", "--tag", "none", "--json").output == "[]\n")
    let refused = try await termind("host", "rm", "bastion")
    #expect(refused.status == 5)
    #expect(refused.errors.contains("host 'web' is reached through it"))
    #expect(try await termind("host", "rm", "bastion", "web").status == 0)
    #expect(try await termind("host", "list").output.isEmpty)
  }

  @Test("each error has its status and its code")
  func errors() async throws {
    let termind = try CommandRun(home: TestHome())
    #expect(try await termind("host", "add", "web1", "--address", "h").status == 0)
    for (arguments, status, code) in [
      (["host", "list", "--frob"], 2, ControlErrorCode.usage),
      (["host", "add", "x"], 2, .usage),
      (["host", "show", "web2"], 4, .notFound),
      (["host", "add", "x", "--address", "a b"], 11, .invalid),
      (["host", "add", "x", "--address", "h", "--port", "0"], 11, .invalid),
      (["host", "add", "x", "--address", "h", "--color", "blu"], 11, .invalid),
      (["host", "add", "x", "--address", "h", "--identity", "nobody"], 4, .notFound),
      (["host", "add", "web1", "--address", "h"], 14, .conflict),
      (["host", "edit", "web1", "--jump", "web1"], 11, .invalid),
      (["key", "add", "--file", "/nowhere"], 11, .invalid),
      (["import", "csv", "nowhere.csv"], 4, .notFound),
    ] {
      let found = try await termind.run(arguments + ["--json"])
      #expect(found.status == status, "\(arguments)")
      let failure = try JSONDecoder().decode(Failure.self, from: Data(found.errors.utf8))
      #expect(failure.error.code == code, "\(arguments)")
      #expect(found.output.isEmpty)
    }
    let near = try await termind("host", "rm", "wbe1")
    #expect(near.errors == "termind: There is no host 'wbe1'; did you mean 'web1'?\n")
    #expect(try await termind("host", "list", "--json").decoded([HostRow].self).count == 1)
  }

  @Test("a name that several records have is refused with the candidates")
  func ambiguous() async throws {
    let termind = try CommandRun(home: TestHome())
    for text in ["one", "two"] {
      #expect(try await termind("snippet", "add", "same", "--text", text).status == 0)
    }
    let rows = try await termind("snippet", "list", "--json").decoded([SnippetRow].self)
    let refused = try await termind("snippet", "rm", "same")
    #expect(refused.status == 10)
    for row in rows { #expect(refused.errors.contains(row.id)) }
    #expect(try await termind("snippet", "rm", rows[0].id).status == 0)
    #expect(try await termind("snippet", "rm", "same").status == 0)
  }

  @Test("templates, identities, keys and known hosts keep what they are given")
  func otherKinds() async throws {
    let termind = try CommandRun(home: TestHome())
    for name in ["a", "b"] { _ = try await termind("host", "add", name, "--address", name) }
    #expect(
      try await termind("template", "add", "all", "--host", "b", "--host", "a", "--layout", "rows")
        .status == 0
    )
    var templates = try await termind("template", "show", "all", "--json").decoded(
      [TemplateRow].self
    )
    #expect(templates.first?.panes.map(\.host?.name) == ["b", "a"])
    let used = try await termind("host", "rm", "a")
    #expect(used.status == 5 && used.errors.contains("template 'all' opens it"))
    _ = try await termind("template", "edit", "all", "--remove", "host=b")
    templates = try await termind("template", "list", "--json").decoded([TemplateRow].self)
    #expect(templates.first?.panes.map(\.host?.name) == ["a"])
    let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA8UXm60Bv6k6n9kZVKRxicjCPIwjzVc4+R/VnCcclb4"
    #expect(
      try await termind("known-host", "add", "[h]:2222", "--key", key, "--marker", "revoked").status
        == 0
    )
    #expect(
      try await termind("known-host", "add", "[h]:2222", "--key", key, "--marker", "revoked").status
        == 14
    )
    #expect(try await termind("known-host", "add", "h", "--key", "ssh-ed25519 AAAA").status == 11)
    #expect(try await termind("export", "known-hosts").output == "@revoked [h]:2222 \(key)\n")
    #expect(
      try await termind("identity", "add", "me", "--user", "root", "--agent", "no").status == 0
    )
    #expect(try await termind("host", "edit", "a", "b", "--identity", "me").status == 0)
    let hosts = try await termind("host", "list", "--json").decoded([HostRow].self)
    #expect(hosts.map(\.identity?.name) == ["me", "me"])
  }

  @Test("a password goes from a descriptor to the secret store and nowhere else")
  func secrets() async throws {
    let termind = try CommandRun(home: TestHome())
    #expect(try await termind("identity", "add", "me", "--user", "root").status == 0)
    let locked = try await termind(
      "identity",
      "edit",
      "me",
      "--password-fd",
      "3",
      secrets: ["hunter2\n"]
    )
    #expect(locked.status == 15)
    let kept = try await termind(
      "identity",
      "edit",
      "me",
      "--password-fd",
      "3",
      "--unlock-fd",
      "4",
      secrets: ["hunter2\n", "open"]
    )
    #expect(kept.status == 0, "\(kept.errors)")
    let rows = try await termind("identity", "show", "me", "--json")
    #expect(try rows.decoded([IdentityRow].self).first?.password == true)
    for name in try FileManager.default.contentsOfDirectory(atPath: termind.home.paths.data) {
      let data = try Data(contentsOf: URL(filePath: "\(termind.home.paths.data)/\(name)"))
      #expect(data.firstRange(of: Data("hunter2".utf8)) == nil, "\(name)")
    }
    let wrong = try await termind("identity", "rm", "me", "--unlock-fd", "3", secrets: ["other"])
    #expect(wrong.status == 15)
    #expect(
      try await termind("identity", "rm", "me", "--unlock-fd", "3", secrets: ["open"]).status == 0
    )
  }

  @Test("a store that a starting server holds is told as such, and left alone")
  func busy() async throws {
    let home = try TestHome()
    let termind = try CommandRun(home: home)
    try home.paths.prepareAll()
    let lock = try FileLock(path: home.paths.serverLock, note: "process 1, starting")
    let found = try await termind("host", "list", "--json")
    #expect(found.status == 16)
    #expect(found.errors.contains("process 1, starting"))
    withExtendedLifetime(lock) {}
    #expect(home.serverProcess == 1)
  }
}

/// Imports and exports of the built program.
@Suite("Imports on the command line", .timeLimit(.minutes(10))) struct ImportCommandTests {
  private struct Shown: Decodable {
    var count: Int
    var imported: ImportedRow?
  }

  /// A configuration with a bastion and 299 hosts behind it.
  static let config =
    """
    Host bastion
      HostName b.example
      User jump
    Host *.prod
      User deploy
      ProxyJump bastion
      ServerAliveInterval 30
      ForwardAgent yes

    """
    + (1..<300).map {
      "Host h\($0).prod\n  HostName 10.1.\($0 / 250).\($0 % 250 + 1)\n  Port 2222\n"
    }.joined()

  @Test("an engine is pinned and old algorithms are allowed, and taken back")
  func engine() async throws {
    let termind = try CommandRun(home: TestHome())
    func row(_ words: String...) async throws -> HostRow? {
      let reply = try await termind.run(["host"] + words + ["--json"])
      return try reply.decoded([HostRow].self).first
    }
    let plain = try await row("add", "old", "--address", "10.0.0.1")
    #expect(plain?.engine == "automatic" && plain?.oldAlgorithms == false)
    let changed = try await row("edit", "old", "--engine", "openssh", "--old-algorithms")
    #expect(changed?.engine == "openssh" && changed?.oldAlgorithms == true)
    let shown = try await termind("host", "show", "old").output
    #expect(shown.contains("openssh") && shown.contains("old-algorithms"))
    let config = try await termind("export", "ssh-config").output
    #expect(config.contains("  kexalgorithms +diffie-hellman-group14-sha1,"))
    _ = try termind.write(config, to: "back.conf")
    _ = try await termind("host", "rm", "old")
    _ = try await termind("import", "ssh-config", "back.conf", "--yes")
    let back = try await row("edit", "old", "--engine", "libssh2")
    #expect(back?.engine == "libssh2" && back?.oldAlgorithms == true)
    let wrong = try await termind("host", "edit", "old", "--engine", "putty")
    #expect(wrong.status != 0 && wrong.errors.contains("automatic, libssh2, openssh"))
    #expect(try await row("edit", "old", "--old-algorithms", "no")?.oldAlgorithms == false)
  }

  @Test("clipboard and recording of a host are set, shown and taken back")
  func clipboardAndRecording() async throws {
    let termind = try CommandRun(home: TestHome())
    func row(_ words: String...) async throws -> HostRow? {
      try await termind.run(["host"] + words + ["--json"]).decoded([HostRow].self).first
    }
    let plain = try await row("add", "web", "--address", "10.0.0.1")
    #expect(plain?.clipboard == "default" && plain?.recording == "off")
    let changed = try await row("edit", "web", "--clipboard", "off", "--recording", "asciicast")
    #expect(changed?.clipboard == "off" && changed?.recording == "asciicast")
    let shown = try await termind("host", "show", "web").output
    #expect(shown.contains("asciicast") && shown.contains("clipboard"))
    let back = try await row("edit", "web", "--unset", "clipboard", "--recording", "off")
    #expect(back?.clipboard == "default" && back?.recording == "off")
    let wrong = try await termind("host", "edit", "web", "--recording", "mp3")
    #expect(wrong.status == 11 && wrong.errors.contains("off, text, asciicast"))
  }

  @Test("300 hosts are shown first, imported on demand, and never overwritten")
  func sshConfig() async throws {
    let termind = try CommandRun(home: TestHome())
    _ = try termind.write(Self.config, to: ".ssh/config")
    _ = try await termind("host", "add", "h1.prod", "--address", "mine")
    let shown = try await termind("import", "ssh-config")
    #expect(shown.status == 12)
    #expect(shown.output.contains("300 hosts, 299 to import"))
    #expect(shown.output.contains("  ! h1.prod"))
    #expect(try await termind("import", "ssh-config", "--preview").status == 0)
    let made = try await termind("import", "ssh-config", "--yes", "--json")
    let result = try made.decoded(Shown.self)
    #expect(result.count == 299 && result.imported?.hosts.count == 299)
    let hosts = try await termind("host", "list", "--json").decoded([HostRow].self)
    #expect(hosts.count == 300)
    #expect(hosts.first { $0.name == "h1.prod" }?.address == "mine")
    let host = try #require(hosts.first { $0.name == "h251.prod" })
    #expect(host.address == "10.1.1.2" && host.port == 2222 && host.user == "deploy")
    #expect(host.jumps == ["bastion"] && host.keepAlive == 30)
    let again = try await termind("import", "ssh-config", "--yes")
    #expect(again.status == 0 && again.output.contains("0 to import"))
  }

  @Test("sessions of PuTTY and a table are shown, imported, and never overwrite")
  func otherFiles() async throws {
    let termind = try CommandRun(home: TestHome())
    let sessions = """
      Windows Registry Editor Version 5.00

      [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\office%20box]
      "HostName"="office.example"
      "PortNumber"=dword:000008ae
      "UserName"="ada"
      "Protocol"="ssh"
      """
    let table =
      "name,address,port,user,tags\ntable,192.0.2.9,2022,bob,prod;eu\noffice box,192.0.2.8,,,\n"
    let registry = try termind.write(sessions, to: "putty.reg")
    let shown = try await termind("import", "putty", registry, "--preview")
    #expect(shown.status == 0 && shown.output.contains("ada@office.example:2222"))
    #expect(try await termind("host", "list").output.isEmpty)
    #expect(try await termind("import", "putty", registry, "--yes").status == 0)
    let rows = try termind.write(table, to: "hosts.csv")
    #expect(try await termind("import", "csv", rows, "--yes").status == 0)
    let hosts = try await termind("host", "list", "--json").decoded([HostRow].self)
    #expect(hosts.map(\.name) == ["office box", "table"])
    #expect(hosts.map(\.address) == ["office.example", "192.0.2.9"])
    #expect(hosts.map(\.port) == [2222, 2022])
    #expect(hosts.last?.tags == ["prod", "eu"])
  }

  @Test("only the hosts that are named are imported, and a wrong name imports nothing")
  func select() async throws {
    let termind = try CommandRun(home: TestHome())
    let path = try termind.write(Self.config, to: "other.conf")
    let wrong = try await termind(
      "import",
      "ssh-config",
      "other.conf",
      "--select",
      "h1.prod,h2.prd"
    )
    #expect(wrong.status == 4)
    #expect(wrong.errors.contains("'h2.prd' in '\(path)'; did you mean 'h2.prod'?"))
    #expect(try await termind("host", "list").output.isEmpty)
    #expect(
      try await termind("import", "ssh-config", "other.conf", "--select", "bastion,h2.prod").status
        == 0
    )
    let hosts = try await termind("host", "list", "--json").decoded([HostRow].self)
    #expect(hosts.map(\.name) == ["bastion", "h2.prod"])
  }

  @Test("exported hosts come back as they were, as a table and as a configuration of ssh")
  func roundTrip() async throws {
    let termind = try CommandRun(home: TestHome())
    for arguments in [
      ["bastion", "--address", "b.example", "--user", "me"],
      [
        "web 1", "--address", "::1", "--port", "2222", "--jump", "bastion", "--tag", "a", "--tag",
        "b",
        "--note", "say \"hi\",\nthen go",
      ],
    ] { #expect(try await termind.run(["host", "add"] + arguments).status == 0) }
    let table = try await termind("export", "hosts")
    let other = try CommandRun(home: TestHome())
    _ = try other.write(table.output, to: "hosts.csv")
    let made = try await other("import", "csv", "hosts.csv", "--yes")
    #expect(made.status == 0, "\(made.output) \(made.errors)")
    let hosts = try await other("host", "list", "--json").decoded([HostRow].self)
    let host = try #require(hosts.last)
    #expect(host.name == "web 1" && host.address == "::1" && host.port == 2222)
    #expect(host.tags == ["a", "b"] && host.jumps == ["bastion"])
    #expect(host.note == "say \"hi\",\nthen go")
    let config = try await termind("export", "ssh-config")
    #expect(
      config.output.contains(
        "# web 1\nHost web-1\n  HostName ::1\n  Port 2222\n  ProxyJump bastion\n"
      )
    )
    _ = try other.write(config.output, to: "exported.conf")
    let third = try await other("import", "ssh-config", "exported.conf", "--select", "web-1")
    #expect(third.status == 0, "\(third.output) \(third.errors)")
  }

  @Test(
    "host keys are imported beside those that are trusted, other keys for a host only on demand"
  )
  func knownHosts() async throws {
    let termind = try CommandRun(home: TestHome())
    let one = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA8UXm60Bv6k6n9kZVKRxicjCPIwjzVc4+R/VnCcclb4"
    let two = one.replacing("A8UXm", with: "B8UXm")
    _ = try termind.write("h \(one)\nbroken line\n", to: ".ssh/known_hosts")
    #expect(try await termind("import", "known-hosts").status == 12)
    #expect(
      try await termind("import", "known-hosts", "--yes").output.hasSuffix(
        "imported 1 known host\n"
      )
    )
    _ = try termind.write("h \(two)\n", to: "more")
    #expect(
      try await termind("import", "known-hosts", "more", "--yes").output.contains("0 to import")
    )
    #expect(try await termind("import", "known-hosts", "more", "--yes", "--differing").status == 0)
    let rows = try await termind("known-host", "list", "h", "--json").decoded([KnownHostRow].self)
    #expect(rows.count == 2)
    #expect(try await termind("known-host", "rm", "h").status == 10)
    #expect(try await termind("known-host", "rm", "h", "--all").status == 0)
  }

  /// Runs `ssh-keygen` to its end and gives what it printed.
  private static func keygen(_ arguments: String...) async throws -> String {
    let program = try TestProgram("/usr/bin/ssh-keygen", arguments)
    #expect(try await program.waitForExit() == 0, "\(program.text)")
    return program.text
  }

  @Test("host keys are exported as they were imported, and ssh-keygen finds them in the file")
  func knownHostsRoundTrip() async throws {
    let (first, second) = (try CommandRun(home: TestHome()), try CommandRun(home: TestHome()))
    func key(_ letter: Character) -> String {
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\(letter)8UXm60Bv6k6n9kZVKRxicjCPIwjzVc4+R/VnCcclb4"
    }
    let plain = try first.write(
      "hashed.example \(key("A"))\n[hashed.example]:2222 \(key("B"))\n",
      to: "plain"
    )
    _ = try await Self.keygen("-H", "-f", plain)
    let hashed = try String(contentsOfFile: plain, encoding: .utf8)
    #expect(hashed.contains("|1|") && !hashed.contains("hashed.example"))
    let text =
      """
      plain.example \(key("A")) a comment with blanks
      [2001:db8::1]:2200 \(key("B"))
      *.lab.example,!bad.lab.example \(key("C"))
      @revoked gone.example \(key("D"))
      @cert-authority *.example \(key("E")) authority

      """ + hashed
    _ = try first.write(text, to: ".ssh/known_hosts")
    #expect(try await first("import", "known-hosts", "--yes").status == 0)
    let exported = try await first("export", "known-hosts").output
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n").sorted() }
    #expect(lines(exported) == lines(text))
    let file = try second.write(exported, to: ".ssh/known_hosts")
    #expect(try await second("import", "known-hosts", "--yes").status == 0)
    #expect(try await second("export", "known-hosts").output == exported)
    #expect(try await second("import", "known-hosts", "--yes").output.contains("0 to import"))
    for name in [
      "plain.example", "[2001:db8::1]:2200", "a.lab.example", "gone.example", "hashed.example",
      "[hashed.example]:2222",
    ] {
      let found = try await Self.keygen("-F", name, "-f", file)
      #expect(found.contains("# Host \(name) found"), "\(name): \(found)")
    }
    let other = try await second("known-host", "list", "hashed.example", "--json")
    #expect(try other.decoded([KnownHostRow].self).contains { $0.names.hasPrefix("|1|") })
  }
}
