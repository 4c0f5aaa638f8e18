import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Logging in over SSH", .timeLimit(.minutes(3))) struct LoginTests {
  /// Gives the answers one after another, whatever is asked.
  private func prompts(_ answers: [[String]?]) -> ScriptedPrompts {
    let rest = Locked(answers)
    return ScriptedPrompts(answer: { _ in
      rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    })
  }

  @Test("a password is asked for again after a refusal, and then lets in")
  func password() async throws {
    let server = try await ScriptedSSHServer(banner: "Only for us\n")
    let harness = try TransportHarness()
    let prompts = prompts([["wrong"], ["secret"]])
    let transport = try await harness.open([server.hop("pw")], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.map(\.kind) == [.password, .password])
    #expect(prompts.challenges.map(\.attempt) == [0, 1])
    #expect(prompts.banners == ["Only for us\n"])
    try await server.wait(forLog: "PASSWORD pw wrong")
    try await server.wait(forLog: "PASSWORD pw secret")
  }

  @Test(
    "an expired password is changed: asked for twice, until both are the same and the server takes it"
  )
  func expiredPassword() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = prompts([
      ["secret"], ["one", "two"], ["", ""], ["short", "short"], ["long enough", "long enough"],
    ])
    let transport = try await harness.open([server.hop("expired")], prompts: prompts)
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    await transport.close()
    #expect(
      prompts.challenges.map(\.kind) == [
        .password, .newPassword(nil), .newPassword(.different), .newPassword(.empty),
        .newPassword(.refused),
      ]
    )
    let expired = "Your password has expired."
    #expect(
      prompts.challenges.map(\.instruction)
        == ["", expired, expired, expired, "Too short: eight at least."]
    )
    #expect(
      prompts.challenges.dropFirst().allSatisfy { $0.prompts.map(\.echoes) == [false, false] }
    )
    try await server.wait(forLog: "CHANGE expired secret long enough")
    let changes = server.log.split(separator: "\n").filter { $0.hasPrefix("CHANGE") }
    #expect(changes == ["CHANGE expired secret short", "CHANGE expired secret long enough"])
  }

  @Test("a new password that is refused for good leaves the ways that are left")
  func refusedNewPassword() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = prompts([["secret"], ["password", "password"], ["secret"], nil])
    let failure = try await harness.failure([server.hop("expired")], prompts: prompts)
    #expect(failure.cause == .cancelled)
    #expect(failure.step == .authentication)
    #expect(
      prompts.challenges.map(\.kind) == [
        .password, .newPassword(nil), .password, .newPassword(nil),
      ]
    )
  }

  @Test("a silent attempt with an expired password asks nothing")
  func silentExpired() async throws {
    var planner = AuthenticationPlanner(
      policy: AuthenticationPolicy(isInteractive: false),
      password: SecretBytes("secret".utf8)
    )
    _ = planner.next(after: .begin)
    guard case .sendPassword = planner.next(after: .refused(methods: ["password"], partial: false))
    else {
      Issue.record("no password was sent")
      return
    }
    guard case .failed(.interactionRequired) = planner.next(after: .passwordExpired) else {
      Issue.record("a silent attempt would ask")
      return
    }
  }

  @Test("a server that is lost while a new password is typed ends the question")
  func lostWhileChanging() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = ScriptedPrompts(answer: { challenge in
      guard case .newPassword = challenge.kind else { return ["secret"] }
      server.kill()
      try? await Task.sleep(for: .seconds(50))
      return nil
    })
    let failure = try await harness.failure([server.hop("expired")], prompts: prompts)
    #expect(failure.step == .authentication)
    #expect(failure.cause != .cancelled)
  }

  @Test("three wrong passwords fail with what was tried and what is offered")
  func wrongPasswords() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let failure = try await harness.failure(
      [server.hop("pw")],
      prompts: prompts([["a"], ["b"], ["c"], ["d"]])
    )
    #expect(failure.step == .authentication)
    #expect(
      failure.cause == .authenticationFailed(tried: ["password"], offered: ["password"])
    )
  }

  @Test("giving up on a question cancels the attempt")
  func declined() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    for user in ["pw", "kbd"] {
      let failure = try await harness.failure([server.hop(user)], prompts: prompts([nil]))
      #expect(failure.cause == .cancelled)
      #expect(failure.step == .authentication)
    }
  }

  @Test("keyboard-interactive keeps titles, instructions and echo flags over several rounds")
  func rounds() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = prompts([["one", "name"], ["two"]])
    let transport = try await harness.open([server.hop("kbd")], prompts: prompts)
    await transport.close()
    let challenges = prompts.challenges
    try #require(challenges.count == 2)
    #expect(challenges[0].title == "First")
    #expect(challenges[0].instruction == "Round one")
    #expect(
      challenges[0].prompts == [
        CredentialPrompt(text: "Password: ", echoes: false),
        CredentialPrompt(text: "Name: ", echoes: true),
      ]
    )
    #expect(challenges[1].title == "Code")
    #expect(challenges[1].prompts == [CredentialPrompt(text: "Code: ", echoes: true)])
    try await server.wait(forLog: "ANSWERS kbd 3 two")
  }

  @Test("a round without prompts shows its instruction and is answered")
  func push() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = prompts([[]])
    let transport = try await harness.open([server.hop("push")], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.map(\.instruction) == ["Approve on your phone"])
    #expect(prompts.challenges.first?.prompts.isEmpty == true)
  }

  @Test("a refused round begins again with the attempt counted up")
  func retry() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = prompts([["wrong"], ["right"]])
    let transport = try await harness.open([server.hop("retry")], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.map(\.attempt) == [0, 1])
  }

  @Test(
    "a person who takes their time blocks nothing, and is not asked any more once the server is gone"
  )
  func lostWhileAsking() async throws {
    let server = try await ScriptedSSHServer()
    let other = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let asked = Locked(false)
    let cancelled = Locked(false)
    let prompts = ScriptedPrompts(answer: { _ in
      asked.withLock { $0 = true }
      try? await Task.sleep(for: .seconds(60))
      cancelled.withLock { $0 = Task.isCancelled }
      return nil
    })
    let route = try Route(hops: [server.hop("kbd")])
    let attempt = Task { [opener = harness.opener] in
      try await opener.open(route, prompts: prompts)
    }
    try await waitUntil("the question") { asked.withLock { $0 } }
    let transport = try await harness.open([other.hop("none")])
    await transport.close()
    server.kill()
    let result = try await withDeadline("the end of an attempt") { await attempt.result }
    guard case .failure(let error) = result, let failure = error as? ConnectionFailure else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.step == .authentication)
    #expect(failure.cause != .cancelled)
  }

  @Test("a silent attempt asks nothing and says what would have been asked")
  func silent() async throws {
    let server = try await ScriptedSSHServer()
    let key = Locked<HostKey?>(nil)
    let learning = ScriptedPrompts(decide: { question in
      key.withLock { $0 = question.key }
      return .trust
    })
    let harness = try TransportHarness()
    let first = try await harness.open([server.hop("none")], prompts: learning)
    await first.close()
    let silent = ScriptedPrompts(isInteractive: false)
    for user in ["pw", "kbd"] {
      let failure = try await harness.failure([server.hop(user)], prompts: silent)
      guard case .interactionRequired = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
    }
    #expect(silent.challenges.isEmpty)
  }

  @Test("key types that servers accept", arguments: ["ed25519", "ecdsa", "rsa"])
  func keyTypes(type: String) async throws {
    let server = try await OpenSSHServer(userKeyType: type)
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    await transport.close()
    try await server.wait(forLog: "Accepted publickey")
    // Nothing was tried in vain: the budget of tries is the person's.
    #expect(!server.log.contains("Failed "))
  }

  @Test("an RSA key is accepted by dropbear too")
  func rsaAtDropbear() async throws {
    let server = try await DropbearServer(userKeyType: "rsa")
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    await transport.close()
  }

  @Test("a locked key is opened with its passphrase")
  func passphrase() async throws {
    let server = try await OpenSSHServer()
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-p", "-P", "", "-N", "open sesame", "-f", server.userKey]
    )
    let harness = try TransportHarness()
    let prompts = prompts([["wrong"], ["open sesame"]])
    let transport = try await harness.open([server.hop], prompts: prompts)
    await transport.close()
    #expect(
      prompts.challenges.map(\.kind)
        == Array(repeating: .passphrase(path: server.userKey), count: 2)
    )
  }

  @Test("the agent signs, also with RSA", arguments: ["ed25519", "rsa"])
  func agent(type: String) async throws {
    let server = try await OpenSSHServer(userKeyType: type)
    let folder = try TemporaryFolder()
    let socket = folder.file("agent")
    let agent = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", socket])
    try await agent.wait(for: "SSH_AUTH_SOCK")
    try await TestProgram.run(
      "/usr/bin/ssh-add",
      ["-q", server.userKey],
      environment: ["SSH_AUTH_SOCK": socket]
    )
    let harness = try TransportHarness(agent: AgentClient(socketPath: socket))
    var hop = server.hop
    hop.credentials.keyFiles = []
    hop.credentials.usesAgent = true
    let transport = try await harness.open([hop])
    await transport.close()
    try await server.wait(forLog: "Accepted publickey")
  }

  @Test("a named key signs in although the agent hangs, and the agent is asked where it is refused")
  func agentAfterNamedKey() async throws {
    let server = try await OpenSSHServer()
    let folder = try TemporaryFolder()
    let hanging = try ScriptedAgent(path: folder.file("hanging"), reply: [], staysOpen: true)
    let patient = try TransportHarness(
      agent: AgentClient(socketPath: hanging.path, listTimeout: .seconds(6_000))
    )
    var hop = server.hop
    hop.credentials.usesAgent = true
    let transport = try await patient.open([hop])
    await transport.close()
    let socket = folder.file("agent")
    let agent = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", socket])
    try await agent.wait(for: "SSH_AUTH_SOCK")
    try await TestProgram.run(
      "/usr/bin/ssh-add",
      ["-q", server.userKey],
      environment: ["SSH_AUTH_SOCK": socket]
    )
    let stranger = server.folder.file("stranger")
    try await OpenSSHServer.makeKey(stranger, type: "ed25519")
    hop.credentials.keyFiles = [stranger]
    let harness = try TransportHarness(agent: AgentClient(socketPath: socket))
    let second = try await harness.open([hop])
    await second.close()
    withExtendedLifetime((hanging, agent)) {}
  }

  @Test("a refused key is told with what the server offers")
  func refusedKey() async throws {
    let server = try await OpenSSHServer()
    let stranger = server.folder.file("stranger")
    try await OpenSSHServer.makeKey(stranger, type: "ed25519")
    let harness = try TransportHarness()
    var hop = server.hop
    hop.credentials.keyFiles = [stranger]
    let failure = try await harness.failure([hop])
    guard case .authenticationFailed(let tried, let offered) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(tried.count == 1 && tried[0].hasPrefix("publickey"))
    #expect(offered == ["publickey"])
  }

  @Test("a partial success goes on with the next method")
  func partialSuccess() async throws {
    let server = try await OpenSSHServer([
      "AuthenticationMethods publickey,publickey", "LogLevel VERBOSE",
    ])
    let second = server.folder.file("second")
    try await OpenSSHServer.makeKey(second, type: "ecdsa")
    let keys =
      try TemporaryFolder.read(server.folder.file("user_key.pub"))
      + TemporaryFolder.read("\(second).pub")
    try server.folder.write("user_key.pub", keys)
    let harness = try TransportHarness()
    var hop = server.hop
    hop.credentials.keyFiles.append(second)
    let transport = try await harness.open([hop])
    await transport.close()
    try await server.wait(forLog: "Partial publickey")
  }
}
