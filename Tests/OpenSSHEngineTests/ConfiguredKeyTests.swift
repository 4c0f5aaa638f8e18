import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: keys that the configuration names", .timeLimit(.minutes(3)))
struct ConfiguredKeyTests {
  private func isAlive(_ transport: any SSHTransport) async throws -> Bool {
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo here"), receiver: receiver)
    try await receiver.wait(for: "here")
    return try await receiver.waitForEnd() == .exited(status: 0)
  }

  /// A hop to what the configuration calls `name`, as the aliases of that configuration lead to it.
  private func hop(_ name: String, in file: String, home: String) throws -> Hop {
    let machine = SSHLocalMachine(
      userName: OpenSSHServer.user,
      userNumber: getuid(),
      home: home,
      workingDirectory: home,
      hostName: "here",
      variables: [:]
    )
    let aliases = SSHConfigAliases(
      machine: machine,
      sources: [SSHConfigSource(path: file)],
      reading: LocalSSHConfigFiles(home: home)
    )
    return try #require(try aliases.hops(to: ConnectTarget(parsing: name))?.last)
  }

  @Test(
    "a key on a PKCS#11 token signs in once its PIN is given",
    .enabled(if: SoftToken.isInstalled, "softhsm2 is missing")
  )
  func token() async throws {
    let folder = try TemporaryFolder()
    let token = try await SoftToken(in: folder)
    let server = try await OpenSSHServer(["AuthorizedKeysFile \(token.publicKey)"])
    let file = try folder.write(
      "config",
      """
      Host token
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile none
        PKCS11Provider \(SoftToken.provider)

      """
    )
    let hop = try hop("token", in: file, home: folder.path)
    #expect(hop.onlyOpenSSH == "PKCS11Provider")
    let harness = try OpenSSHHarness(configuration: file, environment: token.environment)
    let prompts = ScriptedPrompts(decide: { _ in .trustOnce }, answer: { _ in [SoftToken.pin] })
    let transport = try await harness.open([hop], prompts: prompts)
    #expect(try await isAlive(transport))
    await transport.close()
    #expect(!prompts.challenges.isEmpty)
    for prompt in prompts.challenges.flatMap(\.prompts) {
      #expect(prompt.text.contains("PIN for 'test'"))
      // It belongs to the token and not to the server, so it is a secret in any case.
      #expect(!prompt.echoes && prompt.isEchoKnown)
    }
    #expect(harness.leftovers.isEmpty)
  }

  @Test(
    "the agent that the configuration names signs in, for one host or for all, beside the usual one",
    arguments: [true, false]
  )
  func identityAgent(isForAll: Bool) async throws {
    let folder = try TemporaryFolder()
    let server = try await OpenSSHServer()
    let key = try TemporaryFolder.read(server.userKey)
    let socket = folder.file("other agent")
    let agent = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", socket])
    try await agent.wait(for: "SSH_AUTH_SOCK")
    // The key is in that agent and nowhere else; the agent of the surroundings has none.
    try await TestProgram.run(
      "/usr/bin/ssh-add",
      ["-q", try folder.write("only_here", key, mode: 0o600)],
      environment: ["SSH_AUTH_SOCK": socket, "PATH": "/usr/bin:/bin"]
    )
    unlink(folder.file("only_here"))
    let usual = folder.file("usual")
    let empty = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", usual])
    try await empty.wait(for: "SSH_AUTH_SOCK")
    let line = "IdentityAgent \"\(socket)\""
    let file = try folder.write(
      "config",
      """
      Host lab other
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile none
        \(isForAll ? "" : "Match originalhost lab")
        \(isForAll ? "" : line)
      Host *
        \(isForAll ? line : "")

      """
    )
    let harness = try OpenSSHHarness(
      configuration: file,
      environment: ["SSH_AUTH_SOCK": usual]
    )
    let prompts = ScriptedPrompts(decide: { _ in .trustOnce })
    for name in ["lab", "other"] {
      let hop = try hop(name, in: file, home: folder.path)
      if isForAll || name == "lab" {
        #expect(hop.onlyOpenSSH == "IdentityAgent")
        let transport = try await harness.open([hop], prompts: prompts)
        #expect(try await isAlive(transport))
        await transport.close()
      } else {
        #expect(hop.onlyOpenSSH == nil)
        guard case .authenticationFailed = try await harness.failure([hop], prompts: prompts).cause
        else {
          Issue.record("the other host was let in")
          return
        }
      }
    }
    #expect(prompts.challenges.isEmpty)
    agent.stop()
    empty.stop()
  }

  @Test("of nine keys in the agent the named one is offered first, by its file or its public half")
  func manyKeys() async throws {
    let folder = try TemporaryFolder()
    // A second key in vain would end the connection.
    let server = try await OpenSSHServer(["MaxAuthTries 2"])
    let socket = folder.file("agent")
    let agent = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", socket])
    try await agent.wait(for: "SSH_AUTH_SOCK")
    var files: [String] = []
    for number in 0..<8 {
      files.append(folder.file("key\(number)"))
      try await OpenSSHServer.makeKey(files[number], type: "ed25519")
    }
    try await TestProgram.run(
      "/usr/bin/ssh-add",
      ["-q"] + files + [server.userKey],
      environment: ["SSH_AUTH_SOCK": socket, "PATH": "/usr/bin:/bin"]
    )
    let harness = try OpenSSHHarness(agent: AgentClient(socketPath: socket))
    for (file, usesAgent) in [("", true), (".pub", true), (".pub", false)] {
      var hop = server.hop
      hop.credentials.keyFiles = [server.userKey + file]
      hop.credentials.usesAgent = usesAgent
      let transport = try await harness.open([hop])
      #expect(try await isAlive(transport))
      await transport.close()
    }
    agent.stop()
  }

  @Test("a Match exec that does not come to an end costs the time of an attempt and no more")
  func endlessCondition() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "config",
      "Match originalhost lab exec \"sleep 600\"\n  HostName 127.0.0.1\n"
    )
    let hop = try hop("lab", in: file, home: folder.path)
    #expect(hop.onlyOpenSSH == "Match exec")
    var limits = TransportLimits()
    limits.resolving = .milliseconds(500)
    limits.connecting = .milliseconds(500)
    let harness = try OpenSSHHarness(limits: limits, configuration: file)
    let failure = try await harness.failure([hop])
    guard case .timedOut = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(harness.leftovers.isEmpty)
  }

  @Test(
    "the configuration of another home directory than the account's counts, the system's behind it"
  )
  func otherHome() async throws {
    let server = try await OpenSSHServer()
    let home = try TemporaryFolder()
    mkdir(home.file(".ssh"), 0o700)
    try home.write(
      ".ssh/config",
      """
      Host away
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile \(server.userKey)
        IdentitiesOnly yes

      """
    )
    let harness = try OpenSSHHarness(home: home.path)
    let hop = Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: server.port),
      credentials: HopCredentials(username: OpenSSHServer.user),
      alias: "away",
      onlyOpenSSH: "Match exec"
    )
    let transport = try await harness.open(
      [hop],
      prompts: ScriptedPrompts(decide: { _ in .trustOnce })
    )
    #expect(try await isAlive(transport))
    await transport.close()
    #expect(harness.leftovers.isEmpty)
  }
}
