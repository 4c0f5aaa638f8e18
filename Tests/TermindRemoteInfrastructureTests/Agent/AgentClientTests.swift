import Testing

@testable import TermindRemoteInfrastructure

@Suite("Agent client") struct AgentClientTests {
  @Test("lists keys and signs with them through ssh-agent", arguments: PrivateKeyTests.kinds)
  func signs(kind: [String]) async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    try agent.add(workshop.makeKey("key", kind))
    let client = AgentClient(socketPath: agent.socketPath)
    let identities = try await client.identities()
    #expect(identities.map(\.publicKey.blob) == [try workshop.publicBlob("key")])
    #expect(identities.map(\.comment) == ["made by a test"])
    let signer = AgentSigner(client: client, publicKey: try #require(identities.first).publicKey)
    for algorithm in signer.algorithms where algorithm != "ssh-rsa" {
      let isGood = try await workshop.checkSignature([1, 2, 3], by: identities[0].publicKey) {
        try await signer.sign($0, algorithm: algorithm)
      }
      #expect(isGood, "\(algorithm)")
    }
    withExtendedLifetime(agent) {}
  }

  @Test("sees no keys in a locked agent, and is refused a signature")
  func lockedAgent() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    try agent.add(workshop.makeKey("key", ["-t", "ed25519"]))
    let client = AgentClient(socketPath: agent.socketPath)
    let blob = try workshop.publicBlob("key")
    try agent.setLocked(true)
    #expect(try await client.identities().isEmpty)
    await #expect(throws: AgentError.refused) {
      try await client.sign([1], keyBlob: blob, algorithm: "ssh-ed25519")
    }
    try agent.setLocked(false)
    #expect(try await client.identities().count == 1)
  }

  @Test("says so when the agent is gone, or was never there")
  func agentGone() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    agent.stop()
    for path in [agent.socketPath, workshop.path("none"), String(repeating: "x", count: 300), ""] {
      let client = AgentClient(socketPath: path)
      let error = await #expect(throws: AgentError.self) { try await client.identities() }
      guard case .unavailable = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    "refuses replies that break the protocol",
    arguments: [
      ([], "the agent closed the connection"),
      ([0, 0, 0, 0], "reply length"),
      ([0xff, 0xff, 0xff, 0xff], "reply length"),
      ([0, 0, 0, 5, 12, 0, 0, 0], "the agent closed the connection"),
      ([0, 0, 0, 5, 12, 0xff, 0xff, 0xff, 0xff], "too many keys"),
      ([0, 0, 0, 5, 12, 0, 0, 0, 1], "truncated number"),
      ([0, 0, 0, 6, 12, 0, 0, 0, 0, 9], "trailing bytes"),
      ([0, 0, 0, 1, 99], "reply type"),
    ] as [([UInt8], String)]
  )
  func hostileReplies(reply: [UInt8], reason: String) async throws {
    let workshop = try KeyWorkshop()
    let agent = try ScriptedAgent(path: workshop.path("agent"), reply: reply)
    let error = await #expect(throws: AgentError.self) {
      try await AgentClient(socketPath: agent.path).identities()
    }
    #expect(
      error == .malformed(reason: reason) || error == .unavailable(diagnostic: reason)
    )
    withExtendedLifetime(agent) {}
  }

  @Test("keeps its deadline against an agent that never answers")
  func deadline() async throws {
    let workshop = try KeyWorkshop()
    let agent = try ScriptedAgent(path: workshop.path("agent"), reply: [0, 0], staysOpen: true)
    let client = AgentClient(socketPath: agent.path, listTimeout: .milliseconds(50))
    await #expect(throws: AgentError.timedOut) { try await client.identities() }
    withExtendedLifetime(agent) {}
  }

  @Test("stops at once when its task is cancelled")
  func cancellation() async throws {
    let workshop = try KeyWorkshop()
    let agent = try ScriptedAgent(path: workshop.path("agent"), reply: [], staysOpen: true)
    let client = AgentClient(socketPath: agent.path, signTimeout: .seconds(600))
    let task = Task { () -> AgentError? in
      do throws(AgentError) {
        _ = try await client.sign([1], keyBlob: [2], algorithm: "ssh-ed25519")
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    withExtendedLifetime(agent) {}
  }
}
