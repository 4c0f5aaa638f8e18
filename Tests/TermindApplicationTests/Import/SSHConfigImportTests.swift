import Testing
import TermindApplication
import TermindDomain

@Suite("Import of ssh_config") struct SSHConfigImportTests {
  private func place(_ line: Int) -> SourcePlace { SourcePlace(path: "/config", line: line) }

  @Test("takes address, port, account, keys, keepalive and variables, with their lines")
  func taken() throws {
    let source = try TestMachine.source(
      """
      Host web
        HostName 10.0.0.1
        Port 2222
        IdentityFile ~/.ssh/a
        IdentityFile ~/.ssh/gone
        CertificateFile ~/.ssh/a-cert.pub
        SetEnv A=1 "B=x y" 1C=2
      Host *
        User deploy
        ServerAliveInterval 1m
        IdentitiesOnly yes
      """,
      keys: ["/home/kim/.ssh/a", "/home/kim/.ssh/a-cert.pub"]
    )
    #expect(source.hosts.count == 1)
    let host = try #require(source.hosts.first)
    #expect(host.name == "web")
    #expect(host.place == place(1))
    #expect(host.endpoint == SSHEndpoint(host: "10.0.0.1", port: 2222))
    #expect(host.username == "deploy")
    #expect(host.keyFiles == ["/home/kim/.ssh/a"])
    #expect(host.certificateFiles == ["/home/kim/.ssh/a-cert.pub"])
    #expect(!host.usesAgent)
    #expect(host.keepAliveSeconds == 60)
    #expect(
      host.environment == [
        EnvironmentVariable(name: "A", value: "1"), EnvironmentVariable(name: "B", value: "x y"),
      ]
    )
    #expect(host.taken.contains(TakenOption("user", "deploy", at: place(9))))
    #expect(host.taken.contains(TakenOption("serveraliveinterval", "60", at: place(10))))
    #expect(
      host.dropped == [
        DroppedOption("identityfile", "/home/kim/.ssh/gone", at: place(5), .fileAbsent),
        DroppedOption("setenv", "1C", at: place(7), .invalid(.invalidName("1C"))),
      ]
    )
    #expect(!host.losesItsWay)
  }

  @Test("a host whose address, port, account or way cannot be read is left out with the reason")
  func leadsElsewhere() throws {
    let source = try TestMachine.source(
      """
      Host port
        Port 99999
      Host way
        HostName h
        ProxyJump a,,b
      Host behind
        ProxyJump way
      Host earlier
        Port 7
      Host fine
        Compression perhaps
      Host earlier
        Port 99999
      """
    )
    #expect(source.hosts.map(\.name) == ["behind", "earlier", "fine"])
    #expect(source.hosts.map(\.endpoint.port) == [22, 7, 22])
    // No way leads over a host that leads elsewhere itself.
    #expect(source.hosts[0].losesItsWay)
    #expect(
      source.notes.contains(
        ImportNote(.leadsElsewhere(name: "port", keyword: "port"), at: place(1))
      )
    )
    #expect(
      source.notes.contains(
        ImportNote(.leadsElsewhere(name: "way", keyword: "proxyjump"), at: place(3))
      )
    )
  }

  @Test("old algorithms are allowed where the file asks for them")
  func oldAlgorithms() throws {
    let source = try TestMachine.source(
      """
      Host old
        KexAlgorithms +diffie-hellman-group1-sha1
        HostKeyAlgorithms ssh-ed25519,ssh-rsa
        Ciphers aes256-ctr
      Host new
        HostKeyAlgorithms -ssh-rsa
      """
    )
    #expect(source.hosts.map(\.allowsOldAlgorithms) == [true, false])
    #expect(
      source.hosts[0].taken == [
        TakenOption("kexalgorithms", "+diffie-hellman-group1-sha1", at: place(2)),
        TakenOption("hostkeyalgorithms", "ssh-ed25519,ssh-rsa", at: place(3)),
      ]
    )
    #expect(source.hosts[0].dropped.map(\.option) == ["ciphers"])
    #expect(source.hosts[1].dropped.map(\.option) == ["hostkeyalgorithms"])
  }

  @Test("says what is left out and why, but not what a saved host does anyway")
  func dropped() throws {
    let source = try TestMachine.source(
      """
      Host web
        ForwardAgent no
        StrictHostKeyChecking ask
        ForwardAgent yes
        LocalForward 80 a:80
        Compression yes
        UseKeychain yes
        Ciphers aes128-ctr
        LocalCommand rm -rf /
        SendEnv LANG
      Match host web exec "test -f /x"
        Port 9
      """
    )
    let host = try #require(source.hosts.first)
    #expect(
      host.dropped == [
        DroppedOption("ciphers", "aes128-ctr", at: place(8), .noCounterpart),
        DroppedOption("compression", "yes", at: place(6), .noCounterpart),
        DroppedOption("localforward", "80 [a]:80", at: place(5), .noCounterpart),
        DroppedOption("sendenv", "LANG", at: place(10), .noCounterpart),
        DroppedOption("UseKeychain", "", at: place(7), .unknown(isExpected: false)),
        DroppedOption("localcommand", "", at: place(9), .noCounterpart),
        DroppedOption("match exec", "test -f /x", at: place(11), .conditionRunsProgram),
      ]
    )
    #expect(host.endpoint.port == 22)
  }

  @Test("keeps the way to a host, or says that it is lost")
  func ways() throws {
    let source = try TestMachine.source(
      """
      Host inner
        ProxyJump gate,lee@mid.corp:2222
      Host gate
        HostName 1.2.3.4
        User g
      Host mid.*
        ProxyJump elsewhere
        Port 99
      Host program
        ProxyCommand nc %h %p
      Host circle
        ProxyJump circle
      """
    )
    let inner = try #require(source.hosts.first { $0.name == "inner" })
    #expect(
      inner.jumps == [
        JumpDraft(name: "gate", jump: SSHJump(host: "gate"), targets: ["g@1.2.3.4"]),
        JumpDraft(
          name: nil,
          jump: SSHJump(user: "lee", host: "mid.corp", port: 2222),
          targets: ["lee@mid.corp:2222"]
        ),
      ]
    )
    #expect(!inner.losesItsWay)
    let program = try #require(source.hosts.first { $0.name == "program" })
    #expect(program.losesItsWay)
    #expect(
      program.dropped == [DroppedOption("proxycommand", "nc %h %p", at: place(10), .runsProgram)]
    )
    let circle = try #require(source.hosts.first { $0.name == "circle" })
    #expect(circle.losesItsWay)
    #expect(circle.jumps.isEmpty)
    #expect(
      circle.dropped.map(\.reason) == [.route(.cycle(["circle", "circle"]))]
    )
  }

  @Test("notes broken lines and names that no block applies to")
  func notes() throws {
    let source = try TestMachine.source(
      "Port x\nHost twin !twin\nHost web\nPort 22\nInclude /b\n",
      ["/b": "User\n"]
    )
    // The first port counts, for every host: nobody can tell where this one is.
    #expect(source.hosts.isEmpty)
    #expect(
      source.notes == [
        ImportNote(.problem(.invalidPort("x")), at: place(1)),
        ImportNote(
          .problem(.missingArgument(keyword: "user")),
          at: SourcePlace(path: "/b", line: 1)
        ),
        ImportNote(.neverApplies(name: "twin"), at: place(2)),
        ImportNote(.leadsElsewhere(name: "web", keyword: "port"), at: place(3)),
      ]
    )
  }

  @Test("reads three hundred hosts in an instant")
  func manyHosts() throws {
    var text = ""
    for number in 0..<300 {
      text += "Host h\(number)\n HostName 10.0.\(number / 250).\(number % 250)\n ProxyJump gate\n"
    }
    let source = try TestMachine.source(text + "Host gate\n User g\nHost *\n User x\n")
    #expect(source.hosts.count == 301)
    #expect(source.hosts[7].jumps.first?.targets == ["g@gate"])
  }
}
