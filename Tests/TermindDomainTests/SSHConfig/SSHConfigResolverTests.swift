import Testing

@testable import TermindDomain

@Suite("ssh_config for one alias") struct SSHConfigResolverTests {
  @Test("does not apply a block whose condition runs a program, and says so")
  func matchExec() throws {
    let config = try MemoryFiles.config(
      "Match host web exec \"test -f x\"\n User a\nMatch host db exec false\n User b\nHost web\n Port 9\n"
    )
    let host = config.host("web")
    #expect(host.userName == "kim")
    #expect(host.port == 9)
    #expect(
      host.notes == [
        SSHConfigNote(
          .matchExec(command: "test -f x"),
          at: SourcePlace(path: "/config", line: 1)
        )
      ]
    )
    #expect(config.problems.isEmpty)
  }

  @Test("does not judge what only a running ssh knows")
  func otherCriteria() throws {
    let config = try MemoryFiles.config("Match localnetwork 10.0.0.0/8\n User a\n")
    #expect(config.host("x").userName == "kim")
    #expect(config.host("x").notes.map(\.kind) == [.matchNotJudged(criterion: "localnetwork")])
  }

  @Test("matches the tag that a block has set")
  func tagged() throws {
    let config = try MemoryFiles.config(
      "Host web*\n Tag shop\nHost *\n Tag other\nMatch tagged sh*\n User seller\nMatch !tagged shop\n Port 9\n"
    )
    #expect(config.host("web1").userName == "seller")
    #expect(config.host("web1").port == 22)
    #expect(config.host("db").userName == "kim")
    #expect(config.host("db").port == 9)
  }

  @Test(
    "ignores options that it does not know, with a note; IgnoreUnknown makes it an expected one"
  )
  func unknownOptions() throws {
    let config = try MemoryFiles.config(
      "UseKeychain yes\nIgnoreUnknown Foo*\nFooBar x\nHost other\n Nope 1\nHost *\n VisualHostKey x\n"
    )
    #expect(
      config.host("web").notes.map(\.kind) == [
        .unknownOption(keyword: "UseKeychain", isExpected: false),
        .unknownOption(keyword: "FooBar", isExpected: true),
        .unusedOption(keyword: "VisualHostKey"),
      ]
    )
    #expect(config.problems.isEmpty)
  }

  @Test("expands tokens, variables and the home directory where ssh does")
  func expansion() throws {
    let config = try MemoryFiles.config(
      """
      HostName %h.example
      User lee
      Port 2200
      IdentityFile ~/.ssh/%r@%h:%p
      IdentityFile ${KEYS}/%n-%u-%i-%L-%%
      IdentityFile rel/%d
      IdentityFile ~other/key
      IdentityFile ${NOPE}/x
      IdentityFile %C
      SetEnv A=%h
      """
    )
    let host = config.host("web")
    let paths = host.values(of: .identityFile).map { value in
      Result { () throws(SSHExpansionError) in try host.expanded(value, of: .identityFile) }
    }
    #expect(
      paths == [
        .success("/home/kim/.ssh/lee@web.example:2200"), .success("/keys/web-kim-1000-desk-%"),
        .success("/work/rel//home/kim"), .failure(.otherHome("other")),
        .failure(.missingVariable("NOPE")), .failure(.unknownToken("%C")),
      ]
    )
    #expect(try host.value(of: .setEnv).map { try host.expanded($0, of: .setEnv) } == "A=%h")
  }

  @Test("says which HostName cannot be expanded")
  func invalidHostName() throws {
    let host = try MemoryFiles.config("User x\nHostName a.%p\n").host("web")
    #expect(
      host.problems == [
        SSHConfigProblem(
          .expansion(keyword: "hostname", .unknownToken("%p")),
          at: SourcePlace(path: "/config", line: 2)
        )
      ]
    )
  }

  @Test("says where each value was set")
  func places() throws {
    let config = try MemoryFiles.config(
      "Include /b\nHost web\n  Port 9\n",
      ["/b": "# c\nUser lee\n"]
    )
    let host = config.host("web")
    #expect(host.value(of: .port)?.place.description == "/config:3")
    #expect(host.value(of: .user)?.place.description == "/b:2")
  }

  @Test("lists the names that are written out, and knows which of them really apply")
  func aliases() throws {
    let config = try MemoryFiles.config(
      """
      Host web db web !old *.x
      Match originalhost lab,lab?
      Host pre*
        Include /inner
      Host twin !twin
      """,
      ["/inner": "Host prefix other\n"]
    )
    #expect(
      config.aliases().map(\.name) == ["web", "db", "lab", "prefix", "other", "twin"]
    )
    let named = config.aliases().map(\.name).filter { config.host($0).isNamed }
    #expect(named == ["web", "db", "lab", "prefix"])
    #expect(config.host("a.x").isNamed == false)
  }

  @Test("matches patterns in linear time")
  func patterns() {
    let text = String(repeating: "a", count: 5000)
    #expect(!SSHPattern.matches(text, String(repeating: "a*", count: 200) + "b"))
    #expect(SSHPattern.matches("abc", "a*?"))
    #expect(!SSHPattern.matches("a", "a?"))
    #expect(SSHPattern.matches("", "*"))
    #expect(SSHPattern.matches("b", list: "!a,*"))
    #expect(!SSHPattern.matches("a", list: "*,!a"))
    #expect(SSHPattern.matches("web", list: "WEB", ignoresCase: true))
  }
}

@Suite("ssh_config jump hosts") struct SSHConfigRouterTests {
  private func names(_ hosts: [SSHResolvedHost]) -> [String] {
    hosts.map { "\($0.userName)@\($0.hostName):\($0.port)" }
  }

  @Test("takes the hops in order, each with what the file says about it")
  func chain() throws {
    let config = try MemoryFiles.config(
      """
      Host target
        ProxyJump first,lee@second:2222
      Host first
        HostName 10.0.0.1
        User one
        ProxyJump zero
      Host second
        HostName 10.0.0.2
        User two
        ProxyJump never
      Host zero
        Port 2200
      """
    )
    let hosts = try config.router.hosts(to: SSHJump(host: "target"))
    // The last jump is reached through the one before it, not through its own.
    #expect(
      names(hosts) == ["kim@zero:2200", "one@10.0.0.1:22", "lee@10.0.0.2:2222", "kim@target:22"]
    )
    let single = try config.router.hosts(to: SSHJump(host: "x"), jumps: [SSHJump(host: "first")])
    #expect(names(single) == ["kim@zero:2200", "one@10.0.0.1:22", "kim@x:22"])
    #expect(try config.router.hosts(to: SSHJump(host: "target"), jumps: []).count == 1)
  }

  @Test("expands tokens of the host in its jumps, and takes both ways of writing them")
  func tokens() throws {
    let config = try MemoryFiles.config(
      "Host a\n HostName a.x\n User lee\n ProxyJump %r@%h.gate\nHost b\n ProxyJump ssh://jo@[fe80::1%eth0]:99\n"
    )
    #expect(
      names(try config.router.hosts(to: SSHJump(host: "a"))) == ["lee@a.x.gate:22", "lee@a.x:22"]
    )
    #expect(
      names(try config.router.hosts(to: SSHJump(host: "b"))) == ["jo@fe80::1%eth0:99", "kim@b:22"]
    )
  }

  @Test("takes none as no jump, and the first of jump and command")
  func precedence() throws {
    let config = try MemoryFiles.config(
      """
      Host direct
        ProxyJump none
      Host program
        ProxyCommand nc %h %p
      Host none
        ProxyCommand none
      Host *
        ProxyJump gate
      Match final all
        ProxyCommand never
      """
    )
    #expect(try config.router.hosts(to: SSHJump(host: "none")).count == 1)
    #expect(
      throws: SSHConfigRouteError.proxyCommand(
        alias: "program",
        SourcePlace(path: "/config", line: 4)
      )
    ) { try config.router.hosts(to: SSHJump(host: "program")) }
    // The gate is its own gate, as `ssh` finds, too.
    #expect(throws: SSHConfigRouteError.cycle(["x", "gate", "gate"])) {
      try config.router.hosts(to: SSHJump(host: "x"))
    }
  }

  @Test("refuses ways that are too long or whose jumps cannot be expanded")
  func failures() throws {
    var text = ""
    for number in 0..<9 { text += "Host h\(number)\n ProxyJump h\(number + 1)\n" }
    let config = try MemoryFiles.config(text + "Host bad\n ProxyJump %x\n")
    #expect(throws: SSHConfigRouteError.tooManyHops(count: 9)) {
      try config.router.hosts(to: SSHJump(host: "h0"))
    }
    #expect(try config.router.hosts(to: SSHJump(host: "h2")).count == 8)
    let place = SourcePlace(path: "/config", line: 20)
    #expect(
      throws: SSHConfigRouteError.invalidJump(alias: "bad", place, .unknownToken("%x"))
    ) { try config.router.hosts(to: SSHJump(host: "bad")) }
  }
}
