import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: routes and the choice of an engine", .timeLimit(.minutes(3)))
struct OpenSSHRouteTests {
  private static let hardened = ["Ciphers aes256-gcm@openssh.com"]

  private func isAlive(_ transport: any SSHTransport) async throws -> Bool {
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo here"), receiver: receiver)
    try await receiver.wait(for: "here")
    return try await receiver.waitForEnd() == .exited(status: 0)
  }

  @Test("one hop carries the next, each with its own process and its own host key")
  func jump() async throws {
    let (bastion, server) = (
      try await OpenSSHServer(Self.hardened), try await OpenSSHServer(Self.hardened)
    )
    let harness = try OpenSSHHarness()
    let prompts = ScriptedPrompts()
    let transport = try await harness.open([bastion.hop, server.hop], prompts: prompts)
    #expect(try await isAlive(transport))
    #expect(prompts.questions.map(\.context.index) == [0, 1])
    try bastion.signalSessions(9)
    guard case .lost = await transport.waitUntilClosed().cause else {
      Issue.record("the loss of a jump host is no loss")
      return
    }
    await transport.close()
    #expect(harness.leftovers.isEmpty)
  }

  @Test("a connection of libssh2 carries a hop of OpenSSH")
  func mixedJump() async throws {
    let (bastion, server) = (try await OpenSSHServer(), try await OpenSSHServer(Self.hardened))
    let plain = try PlainHarness()
    let carrier = try await plain.open([bastion.hop])
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([bastion.hop, server.hop], through: carrier)
    #expect(try await isAlive(transport))
    await transport.close()
    #expect(try await isAlive(carrier))
    await carrier.close()
  }

  @Test("a host that the jump host cannot reach is refused at its own hop")
  func unreachableJump() async throws {
    let bastion = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let port = try FreePort.find()
    var hop = bastion.hop
    hop.endpoint = SSHEndpoint(host: "127.0.0.1", port: port)
    let failure = try await harness.failure([bastion.hop, hop])
    #expect(failure.hopIndex == 1)
    guard case .channelRefused("direct-tcpip", _) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
  }

  private func chooser(
    _ harness: OpenSSHHarness,
    _ plain: PlainHarness,
    _ store: any EngineLessonStoring = InMemoryVault()
  ) -> EngineChoosingOpener {
    EngineChoosingOpener(
      libssh2: plain.opener,
      openSSH: harness.opener,
      memory: EngineMemory(store: store) { Issue.record("\($0)") },
      agent: nil,
      environment: { [:] }
    )
  }

  @Test("libssh2 is the usual one; OpenSSH takes over silently where it must, and is remembered")
  func choice() async throws {
    let (usual, hardened) = (try await OpenSSHServer(), try await OpenSSHServer(Self.hardened))
    let (harness, plain) = (try OpenSSHHarness(), try PlainHarness())
    let store = InMemoryVault()
    let chooser = chooser(harness, plain, store)
    let prompts = ScriptedPrompts()
    let first = try await chooser.open(Route(hops: [usual.hop]), prompts: prompts)
    #expect(first.engineName.hasPrefix("libssh2"))
    #expect(first.engineReason == nil)
    let second = try await chooser.open(Route(hops: [usual.hop, hardened.hop]), prompts: prompts)
    #expect(second.engineName.hasPrefix("OpenSSH"))
    #expect(second.engineReason?.contains("cipher") == true)
    #expect(try await isAlive(second))
    let way = try Route(hops: [usual.hop, hardened.hop]).way(toHop: 1)
    let lesson = try await store.engineLesson(for: hardened.endpoint, way: way)
    #expect(lesson?.reason == second.engineReason)
    // The same address on another way may be another server.
    #expect(try await store.engineLesson(for: hardened.endpoint, way: "") == nil)
    #expect(try await store.engineLesson(for: usual.endpoint, way: "") == nil)
    await first.close()
    await second.close()
  }

  @Test(
    "a banner that libssh2 cannot take leads to OpenSSH, on the first hop of two as on the last"
  )
  func largeBanner() async throws {
    func server() async throws -> OpenSSHServer {
      try await OpenSSHServer(preparing: { folder in
        let line = String(repeating: "w", count: 86) + "\n"
        return ["Banner \(try folder.write("banner", String(repeating: line, count: 1_000)))"]
      })
    }
    let (bastion, usual) = (try await server(), try await OpenSSHServer())
    let (harness, plain) = (try OpenSSHHarness(), try PlainHarness())
    let store = InMemoryVault()
    let chooser = chooser(harness, plain, store)
    let prompts = ScriptedPrompts()
    let direct = try await chooser.open(Route(hops: [bastion.hop]), prompts: prompts)
    #expect(direct.engineName.hasPrefix("OpenSSH"))
    #expect(direct.engineReason == "libssh2 takes no packet as large as the server sends")
    #expect(prompts.banners.joined().utf8.count == 87_000)
    #expect(try await isAlive(direct))
    await direct.close()
    let other = try await server()
    let through = try await chooser.open(Route(hops: [other.hop, usual.hop]), prompts: prompts)
    #expect(try await isAlive(through))
    #expect(
      try await store.engineLesson(for: other.endpoint, way: "")?.reason == direct.engineReason
    )
    let way = try Route(hops: [other.hop, usual.hop]).way(toHop: 1)
    #expect(try await store.engineLesson(for: usual.endpoint, way: way) == nil)
    await through.close()
  }

  @Test("what was learned is kept beyond the process, for the library that it is about")
  func lessons() async throws {
    let server = try await OpenSSHServer()
    let (harness, plain) = (try OpenSSHHarness(), try PlainHarness())
    let file = harness.folder.file("store.sqlite")
    let route = try Route(hops: [server.hop])
    for (library, engine) in [("1.9", "libssh2"), (SSHLibrary.libssh2, "OpenSSH")] {
      let store = try await SQLiteStore.open(at: file)
      let lesson = EngineLesson(endpoint: server.endpoint, library: library, reason: "of a test")
      try await store.remember(lesson)
      await store.close()
      let again = try await SQLiteStore.open(at: file)
      let transport = try await chooser(harness, plain, again).open(
        route,
        prompts: ScriptedPrompts()
      )
      #expect(transport.engineName.hasPrefix(engine))
      #expect(transport.engineReason == (engine == "OpenSSH" ? "of a test" : nil))
      await transport.close()
      await again.close()
    }
  }

  @Test("a host of the configuration that asks for old algorithms gets them, and no other does")
  func oldAlgorithms() async throws {
    let server = try await OpenSSHServer(["KexAlgorithms diffie-hellman-group14-sha1"])
    let plain = try PlainHarness()
    // A harness ends its loops with itself, so each is kept until the end.
    var harnesses: [OpenSSHHarness] = []
    defer { withExtendedLifetime((plain, harnesses)) {} }
    func harness(_ line: String) throws -> OpenSSHHarness {
      let text = """
        Host old
          HostName 127.0.0.1
          Port \(server.port)
          User \(OpenSSHServer.user)
          IdentityFile \(server.userKey)
          IdentitiesOnly yes
          \(line)

        """
      let file = try server.folder.write("config", text)
      let harness = try OpenSSHHarness(configuration: file)
      harnesses.append(harness)
      return harness
    }
    func open(_ harness: OpenSSHHarness) async throws -> any SSHTransport {
      var hop = server.hop
      hop.alias = "old"
      return try await chooser(harness, plain).open(
        Route(hops: [hop]),
        prompts: ScriptedPrompts(decide: { _ in .trustOnce })
      )
    }
    let modern = try harness("")
    await #expect {
      _ = try await open(modern)
    } throws: { error in
      guard case .oldAlgorithmsOnly("key exchange", _)? = (error as? ConnectionFailure)?.cause
      else { return false }
      return true
    }
    let transport = try await open(harness("KexAlgorithms +diffie-hellman-group14-sha1"))
    #expect(transport.engineName.hasPrefix("OpenSSH"))
    #expect(try await isAlive(transport))
    await transport.close()
  }

  @Test("a host that is pinned gets its engine and no other")
  func pinned() async throws {
    let server = try await OpenSSHServer(Self.hardened)
    let (harness, plain) = (try OpenSSHHarness(), try PlainHarness())
    let chooser = chooser(harness, plain)
    var hop = server.hop
    hop.engine = .libssh2
    let route = try Route(hops: [hop])
    await #expect {
      _ = try await chooser.open(route, prompts: ScriptedPrompts())
    } throws: { error in
      guard case .noCommonAlgorithm? = (error as? ConnectionFailure)?.cause else { return false }
      return true
    }
    // libssh2 through a hop of OpenSSH, as both are set to.
    let usual = try await OpenSSHServer()
    var plainHop = usual.hop
    plainHop.engine = .libssh2
    let mixed = try await chooser.open(
      Route(hops: [server.hop, plainHop]),
      prompts: ScriptedPrompts()
    )
    #expect(mixed.engineName.hasPrefix("libssh2"))
    #expect(try await isAlive(mixed))
    await mixed.close()
    hop.engine = .openSSH
    let transport = try await chooser.open(Route(hops: [hop]), prompts: ScriptedPrompts())
    #expect(transport.engineReason == "it is set to use OpenSSH")
    await transport.close()
  }

  @Test("a host of the configuration is reached through its own program, with its own keys")
  func configuration() async throws {
    let server = try await OpenSSHServer(Self.hardened)
    let text = """
      Host web
        HostName nowhere.invalid
        User \(OpenSSHServer.user)
        IdentityFile \(server.userKey)
        IdentitiesOnly yes
        HostKeyAlias [127.0.0.1]:\(server.port)
        ProxyCommand /usr/bin/python3 -c "import socket,os,threading;s=socket.create_connection(('127.0.0.1',\(server.port)));threading.Thread(target=lambda:[s.sendall(b) for b in iter(lambda:os.read(0,65536),b'')],daemon=True).start();[os.write(1,b) for b in iter(lambda:s.recv(65536),b'')]"

      """
    let file = try server.folder.write("config", text)
    let harness = try OpenSSHHarness(configuration: file)
    let hop = Hop(
      endpoint: SSHEndpoint(host: "nowhere.invalid"),
      credentials: HopCredentials(username: OpenSSHServer.user),
      alias: "web",
      onlyOpenSSH: "ProxyCommand"
    )
    let prompts = ScriptedPrompts(decide: { _ in .trust })
    let transport = try await harness.open([hop], prompts: prompts)
    #expect(try await isAlive(transport))
    await transport.close()
    #expect(prompts.questions.count == 1)
    #expect(harness.leftovers.isEmpty)
  }
}
