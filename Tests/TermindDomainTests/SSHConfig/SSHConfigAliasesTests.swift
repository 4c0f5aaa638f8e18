import Testing

@testable import TermindDomain

@Suite("Aliases of ssh_config") struct SSHConfigAliasesTests {
  private func aliases(_ text: String) -> SSHConfigAliases {
    SSHConfigAliases(
      machine: MemoryFiles.machine,
      sources: [SSHConfigSource(path: "/config")],
      reading: MemoryFiles(["/config": text])
    )
  }

  private func builder(_ aliases: SSHConfigAliases, _ hosts: [HostRecord] = []) -> RouteBuilder {
    RouteBuilder(
      account: LocalAccount(
        userName: "kim",
        home: MemoryFiles.home,
        workingDirectory: MemoryFiles.machine.workingDirectory
      ),
      hosts: hosts,
      aliases: aliases
    )
  }

  private func hops(_ aliases: SSHConfigAliases, _ line: String) throws -> [Hop] {
    try builder(aliases).route(for: ConnectCommand(line: line)).hops
  }

  @Test("lets a saved host win over an alias, and its jumps be aliases")
  func savedHosts() throws {
    let aliases = aliases("Host web\n Port 9\nHost gate\n HostName g.x\n User g\n")
    let web = HostRecord(
      name: "web",
      endpoint: SSHEndpoint(host: "saved.x"),
      jumps: ["lee@gate"]
    )
    let hops = try builder(aliases, [web]).route(to: web).hops
    #expect(hops.map(\.endpoint.description) == ["g.x", "saved.x"])
    #expect(hops.map(\.credentials.username) == ["lee", "kim"])
  }

  @Test("leads an alias to its host, with every hop's own account and keys")
  func route() throws {
    let aliases = aliases(
      """
      Host web
        HostName 10.0.0.1
        User deploy
        IdentityFile ~/.ssh/web
        IdentitiesOnly yes
        ProxyJump gate
      Host gate
        HostName gate.example
        Port 2200
        IdentityAgent none
      """
    )
    #expect(
      try hops(aliases, "web") == [
        Hop(
          endpoint: SSHEndpoint(host: "gate.example", port: 2200),
          credentials: HopCredentials(username: "kim", usesAgent: false),
          alias: "gate"
        ),
        Hop(
          endpoint: SSHEndpoint(host: "10.0.0.1"),
          credentials: HopCredentials(
            username: "deploy",
            keyFiles: ["/home/kim/.ssh/web"],
            usesAgent: false
          ),
          alias: "web"
        ),
      ]
    )
    #expect(aliases.names() == ["web", "gate"])
  }

  @Test("lets the command win over the file")
  func commandWins() throws {
    let aliases = aliases(
      "Host web\n User a\n Port 9\n IdentityFile ~/a\n ProxyJump x\nHost gate\n HostName g.x\n"
    )
    let command = try ConnectCommand(line: "lee@web -p 7 -i k -J gate")
    let hops = try builder(aliases).route(for: command).hops
    #expect(hops.map(\.endpoint.description) == ["g.x", "web:7"])
    #expect(hops[1].credentials.username == "lee")
    #expect(hops[1].credentials.keyFiles == ["/work/k"])
    let plain = try self.hops(aliases, "other -J gate")
    #expect(plain.map(\.endpoint.host) == ["g.x", "other"])
    #expect(try self.hops(aliases, "web -J none").count == 1)
  }

  @Test("says nothing about hosts that the file says nothing about")
  func unmentioned() throws {
    let config = aliases("Host *\n SendEnv LANG\nHost web\n Port 9\n")
    #expect(try config.hops(to: ConnectTarget(host: "other")) == nil)
    let none = SSHConfigAliases(
      machine: MemoryFiles.machine,
      sources: [SSHConfigSource(path: "/absent")],
      reading: MemoryFiles([:])
    )
    #expect(try none.hops(to: ConnectTarget(host: "web")) == nil)
    #expect(none.names().isEmpty)
  }

  @Test("refuses an alias of a broken file, and leaves other hosts alone")
  func broken() throws {
    let broken = aliases("Host web\n Port 9\n ProxyJump a,,b\n")
    let problem = SSHConfigProblem(
      .invalidJump("a,,b"),
      at: SourcePlace(path: "/config", line: 3)
    )
    #expect(throws: RouteBuildError.alias("web", .refused(problem))) { try hops(broken, "web") }
    #expect(try hops(broken, "other").map(\.endpoint.host) == ["other"])
    let odd = aliases("Host web\n HostName -oProxyCommand=x\n")
    #expect(throws: RouteBuildError.self) { try hops(odd, "web") }
  }

  @Test("brings the session's options, also for hosts that only a pattern covers")
  func session() throws {
    let aliases = SSHConfigAliases(
      machine: SSHLocalMachine(
        userName: "kim",
        userNumber: 1000,
        home: MemoryFiles.home,
        workingDirectory: "/",
        hostName: "desk",
        variables: ["APP_A": "1", "APP_B": "2", "OTHER": "3", "TERM": "dumb"]
      ),
      sources: [SSHConfigSource(path: "/config")],
      reading: MemoryFiles([
        "/config": """
        Host web
          HostName 10.0.0.1
          SetEnv APP_B=x MODE=live
          RemoteCommand tmux attach -t %n
        Host *
          SendEnv APP_* TERM
          ServerAliveInterval 7
          ServerAliveCountMax 2
        """
      ])
    )
    let web = try builder(aliases).access(for: ConnectCommand(line: "web"))
    #expect(web.shell.command == "tmux attach -t web")
    #expect(
      web.shell.environment == [
        EnvironmentVariable(name: "APP_A", value: "1"),
        EnvironmentVariable(name: "APP_B", value: "x"),
        EnvironmentVariable(name: "MODE", value: "live"),
      ]
    )
    #expect(web.route.destination.keepAlive == HopKeepAlive(seconds: 7, count: 2))
    let other = try builder(aliases).access(for: ConnectCommand(line: "kim@other"))
    #expect(other.route.destination.endpoint.host == "other")
    #expect(other.route.destination.keepAlive == HopKeepAlive(seconds: 7, count: 2))
    #expect(other.shell.environment.map(\.name) == ["APP_A", "APP_B"])
    #expect(other.shell.command == nil)
  }

  @Test("tells what only OpenSSH does, and under which name its configuration knows the host")
  func onlyOpenSSH() throws {
    let program = aliases(
      "Host web\n ProxyCommand nc\nHost db\n ProxyJump web\nHost plain\n Port 9\n"
    )
    #expect(try hops(program, "web").map(\.onlyOpenSSH) == ["ProxyCommand"])
    #expect(try hops(program, "web").map(\.alias) == ["web"])
    #expect(try hops(program, "db").map(\.onlyOpenSSH) == ["ProxyCommand", nil])
    #expect(try hops(program, "plain").map(\.onlyOpenSSH) == [nil])
    let match = aliases("Match host web exec \"true\"\n Port 9\n")
    #expect(try hops(match, "web").map(\.onlyOpenSSH) == ["Match exec"])
    #expect(try hops(match, "other").map(\.alias) == [nil])
  }
}
