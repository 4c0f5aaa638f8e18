import TermindDomain
import Testing

@Suite("Route building") struct RouteBuilderTests {
  let account = LocalAccount(
    userName: "me",
    home: "/home/me",
    workingDirectory: "/work",
    defaultKeyFiles: ["/home/me/id"]
  )

  func host(
    _ name: String,
    jumps: [String] = [],
    username: String = "",
    keyFiles: [String] = [],
    usesAgent: Bool = true
  ) -> HostRecord {
    HostRecord(
      name: name,
      endpoint: SSHEndpoint(host: "\(name).example", port: 2022),
      username: username,
      keyFiles: keyFiles,
      usesAgent: usesAgent,
      jumps: jumps.map { .text($0) }
    )
  }

  func path(_ route: Route) -> [String] {
    route.hops.map { "\($0.credentials.username)@\($0.endpoint)" }
  }

  @Test("a saved host brings its account, keys and jumps")
  func savedHost() throws {
    let web = host(
      "web",
      jumps: ["bastion", "root@10.0.0.1:22"],
      username: "deploy",
      keyFiles: ["/k"]
    )
    let builder = RouteBuilder(account: account, hosts: [web, host("bastion")])
    let route = try builder.route(to: web)
    #expect(path(route) == ["me@bastion.example:2022", "root@10.0.0.1", "deploy@web.example:2022"])
    #expect(route.destination.credentials.keyFiles == ["/k"])
    #expect(route.hops[0].credentials.keyFiles == ["/home/me/id"])
  }

  @Test("the jumps of a jump come first")
  func nestedJumps() throws {
    let hosts = [host("a", jumps: ["b"]), host("b", jumps: ["c"]), host("c")]
    let route = try RouteBuilder(account: account, hosts: hosts).route(to: hosts[0])
    #expect(path(route).map { $0.prefix(4) } == ["me@c", "me@b", "me@a"])
  }

  @Test("a host without agent and keys gets no default keys")
  func noKeys() throws {
    let plain = host("plain", usesAgent: false)
    let route = try RouteBuilder(account: account, hosts: [plain]).route(to: plain)
    #expect(
      route.destination.credentials
        == HopCredentials(username: "me", keyFiles: [], usesAgent: false)
    )
  }

  @Test("a command wins over the saved host")
  func commandWins() throws {
    let web = host("web", jumps: ["bastion"], username: "deploy", keyFiles: ["/k"])
    let builder = RouteBuilder(account: account, hosts: [web, host("bastion")])
    let command = try ConnectCommand(
      line: "root@web -p 9 -i ~/x -i y -J none",
      isSavedHost: builder.isSaved
    )
    let route = try builder.route(for: command)
    #expect(path(route) == ["root@web.example:9"])
    #expect(route.destination.credentials.keyFiles == ["/home/me/x", "/work/y"])
    #expect(builder.savedHost(of: command) == web)
    let plain = try builder.route(for: try ConnectCommand(line: "web"))
    #expect(path(plain) == ["me@bastion.example:2022", "deploy@web.example:2022"])
  }

  @Test("a host that is not saved takes what the command says")
  func unsaved() throws {
    let builder = RouteBuilder(account: account, hosts: [host("bastion", jumps: ["u@gate"])])
    let command = try ConnectCommand(line: "x@10.1.1.1:99 -J admin@bastion")
    #expect(
      path(try builder.route(for: command)) == [
        "u@gate", "admin@bastion.example:2022", "x@10.1.1.1:99",
      ]
    )
    #expect(builder.savedHost(of: command) == nil)
  }

  @Test("a host that jumps through itself is refused, with the way")
  func cycles() {
    let hosts = [host("a", jumps: ["b"]), host("b", jumps: ["c"]), host("c", jumps: ["a"])]
    let builder = RouteBuilder(account: account, hosts: hosts)
    #expect(throws: RouteBuildError.cycle(["a", "b", "c", "a"])) { try builder.route(to: hosts[0]) }
    let own = host("own", jumps: ["own"])
    #expect(throws: RouteBuildError.cycle(["own", "own"])) {
      try RouteBuilder(account: account, hosts: [own]).route(to: own)
    }
    let twice = host("twice", jumps: ["x", "x"])
    #expect(throws: RouteBuildError.cycle(["x"])) { try builder.route(to: twice) }
  }

  @Test("at most eight hops, also through long or branching chains")
  func hopCap() throws {
    let eight = (1...9).map { host("h\($0)", jumps: $0 == 1 ? [] : ["h\($0 - 1)"]) }
    let builder = RouteBuilder(account: account, hosts: eight)
    #expect(try builder.route(to: eight[7]).hops.count == 8)
    #expect(throws: RouteBuildError.tooManyHops(count: 9)) { try builder.route(to: eight[8]) }
    // Each level doubles the hops of the one below.
    let tree = (1...40).map { level in
      host("t\(level)", jumps: level == 1 ? [] : ["t\(level - 1)", "t\(level - 1)"])
    }
    #expect(throws: RouteBuildError.self) {
      try RouteBuilder(account: account, hosts: tree).route(to: tree[39])
    }
  }

  @Test("a jump that is no target is named")
  func invalidJump() {
    let bad = host("bad", jumps: ["no such; thing"])
    #expect(
      throws: RouteBuildError.invalidJump("no such; thing", .invalidHost("no such; thing"))
    ) {
      try RouteBuilder(account: account, hosts: [bad]).route(to: bad)
    }
  }

  @Test("a saved jump is meant whatever it is called, and never left out when it is gone")
  func savedJumps() throws {
    var bastion = host("bastion")
    var web = host("web")
    web.jumps = [.saved(bastion.id)]
    bastion.name = "renamed"
    let builder = RouteBuilder(account: account, hosts: [web, bastion])
    #expect(path(try builder.route(to: web)) == ["me@bastion.example:2022", "me@web.example:2022"])
    let without = RouteBuilder(account: account, hosts: [web])
    #expect(throws: RouteBuildError.missingJump(of: "web")) { try without.route(to: web) }
  }

  @Test("an identity gives what the host does not say itself")
  func identities() throws {
    let keys = [
      KeyRecord(algorithm: "a", fingerprint: "1", publicKey: [1], location: .file(path: "/k1")),
      KeyRecord(
        algorithm: "a",
        fingerprint: "2",
        publicKey: [2],
        location: .secret(SecretItemID())
      ),
    ]
    let identity = IdentityRecord(
      username: "deploy",
      password: SecretItemID(),
      keys: [keys[1].id, KeyID(), keys[0].id],
      usesAgent: false
    )
    var web = host("web")
    web.identity = identity.id
    func credentials(_ host: HostRecord) throws -> HopCredentials {
      try RouteBuilder(account: account, hosts: [host], identities: [identity], keys: keys)
        .route(to: host).destination.credentials
    }
    var found = try credentials(web)
    #expect(found.username == "deploy" && !found.usesAgent && found.identity == identity.id)
    // The keys of the home directory belong to no identity.
    #expect(found.keyFiles.isEmpty)
    #expect(found.keys == [keys[1], keys[0]] && found.password == identity.password)
    web.username = "root"
    found = try credentials(web)
    // Neither does another account.
    #expect(found.username == "root" && found.keys.count == 2 && found.password == nil)
    web.keyFiles = ["~/own"]
    found = try credentials(web)
    #expect(found.username == "root" && found.keyFiles == ["/home/me/own"])
    // Another key never borrows the password of the identity.
    #expect(found.keys.isEmpty && found.password == nil)
    web.identity = IdentityID()
    #expect(try credentials(web).identity == nil)
  }

  @Test("a saved host brings what it says about its shell, and each hop its own keepalive")
  func wishes() throws {
    var web = host("web", jumps: ["bastion"])
    web.environment = [EnvironmentVariable(name: "A", value: "1")]
    web.startDirectory = "/srv"
    web.startupSnippet = SnippetID()
    web.shellIntegration = .disabled
    web.keepAliveSeconds = 5
    web.allowsOldAlgorithms = true
    var bastion = host("bastion")
    bastion.keepAliveSeconds = 0
    let builder = RouteBuilder(account: account, hosts: [web, bastion])
    let access = try builder.access(to: web)
    #expect(access.shell == ShellStart(of: web))
    #expect(access.shell.directory == "/srv" && access.shell.integration == .disabled)
    #expect(access.route.hops.map(\.allowsOldAlgorithms) == [false, true])
    #expect(access.route.hops.map(\.keepAlive) == [.init(seconds: 0), .init(seconds: 5)])
    // A command for the same host changes the way to it and not what it wishes for.
    let command = try builder.access(for: ConnectCommand(line: "root@web"))
    #expect(command.shell == access.shell)
    #expect(command.route.destination.keepAlive == HopKeepAlive(seconds: 5))
    let typed = try builder.access(for: ConnectCommand(line: "kim@elsewhere"))
    #expect(typed.shell == ShellStart() && typed.route.destination.keepAlive == nil)
  }

  @Test("no route leads to a Telnet host, nor through one")
  func telnet() throws {
    var old = host("old")
    old.connectionProtocol = .telnet
    let web = host("web", jumps: ["old"])
    let builder = RouteBuilder(account: account, hosts: [old, web])
    let error = RouteBuildError.otherProtocol(.telnet, host: "old")
    #expect(throws: error) { try builder.route(to: old) }
    #expect(throws: error) { try builder.route(to: web) }
    #expect(throws: error) { try builder.access(for: ConnectCommand(line: "me@old")) }
  }
}
