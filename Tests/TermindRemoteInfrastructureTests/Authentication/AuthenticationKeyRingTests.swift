import Glibc
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Key ring") struct AuthenticationKeyRingTests {
  @Test("with nine agent keys the named key comes first, through a .pub file too")
  func rightKeyFirst() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    for index in 0..<9 { try agent.add(workshop.makeKey("key\(index)", ["-t", "ed25519"])) }
    let client = AgentClient(socketPath: agent.socketPath)
    for name in ["key7", "key7.pub"] {
      let ring = await AuthenticationKeyRing(
        for: HopCredentials(username: "me", keyFiles: [workshop.path(name)]),
        agent: client
      ).withAgentKeys()
      #expect(ring.keys.count == 9)
      #expect(ring.keys.map(\.id) == Array(0..<9))
      #expect(ring.keys.first?.publicKey?.blob == (try workshop.publicBlob("key7")))
      #expect(ring.skipped.isEmpty)
      for key in ring.keys { #expect(ring.signer(for: key) != nil) }
    }
    withExtendedLifetime(agent) {}
  }

  @Test("a named key that is open does not wait for an agent that hangs")
  func hangingAgent() async throws {
    let workshop = try KeyWorkshop()
    let open = try workshop.makeKey("open", ["-t", "ed25519"])
    let agent = try ScriptedAgent(path: workshop.path("agent"), reply: [], staysOpen: true)
    // Who asked would wait beyond the time of any test.
    let client = AgentClient(socketPath: agent.path, listTimeout: .seconds(6_000))
    let ring = await AuthenticationKeyRing(
      for: HopCredentials(username: "me", keyFiles: [open, workshop.path("absent")]),
      agent: client
    )
    #expect(ring.keys.map(\.place) == [.file(path: open)])
    #expect(ring.hasUnreadAgent && ring.agentProblem == nil)
    let whole = await ring.withAgentKeys(within: .milliseconds(50))
    #expect(whole.keys == ring.keys)
    #expect(!whole.hasUnreadAgent && whole.agentProblem == .timedOut)
    withExtendedLifetime(agent) {}
  }

  @Test("without the agent's other keys a named .pub file still means the agent's key")
  func identitiesOnly() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    for index in 0..<3 { try agent.add(workshop.makeKey("key\(index)", ["-t", "ed25519"])) }
    let credentials = HopCredentials(
      username: "me",
      keyFiles: [workshop.path("key1.pub")],
      usesAgent: false
    )
    let ring = await AuthenticationKeyRing(
      for: credentials,
      agent: AgentClient(socketPath: agent.socketPath)
    )
    #expect(ring.keys.map(\.publicKey?.blob) == [try workshop.publicBlob("key1")])
    #expect(ring.keys.map(\.place) == [.agent(comment: "made by a test")])
  }

  @Test("a locked file that the agent holds needs no passphrase")
  func lockedFileInAgent() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    let path = try workshop.makeKey("key", ["-t", "ed25519"])
    try agent.add(path)
    try workshop.run("ssh-keygen", ["-q", "-p", "-a", "1", "-N", "secret", "-P", "", "-f", path])
    let client = AgentClient(socketPath: agent.socketPath)
    let ring = await AuthenticationKeyRing(
      for: HopCredentials(username: "me", keyFiles: [path]),
      agent: client
    )
    #expect(ring.keys.map(\.isLocked) == [false])
    let own = await AuthenticationKeyRing(
      for: HopCredentials(username: "me", keyFiles: [path], usesAgent: false),
      agent: client
    )
    let key = try #require(own.keys.first)
    #expect(key.isLocked)
    #expect(own.signer(for: key) == nil)
    #expect(own.lockedSource(of: key)?.name == path)
    #expect(own.lockedSource(of: key)?.opensFromStore == false)
    withExtendedLifetime(agent) {}
  }

  @Test("what cannot be used is told, and absent default files are not")
  func problems() async throws {
    let workshop = try KeyWorkshop()
    let good = try workshop.makeKey("good", ["-t", "ed25519"])
    let orphan = try workshop.makeKey("orphan", ["-t", "ed25519"])
    let open = try workshop.makeKey("open", ["-t", "ed25519"])
    try workshop.run("chmod", ["644", open])
    // A link that leads nowhere: there was an agent, and it is gone.
    let gone = AgentClient(socketPath: workshop.path("no.sock"))
    #expect(symlink(workshop.path("ended.sock"), gone.socketPath) == 0)
    let ring = await AuthenticationKeyRing(
      for: HopCredentials(
        username: "me",
        keyFiles: [workshop.path("absent"), "\(orphan).pub", open, good, good]
      ),
      agent: gone
    )
    #expect(ring.keys.map(\.place) == [.file(path: good)])
    #expect(
      ring.skipped == [
        SkippedKey(label: workshop.path("absent"), reason: .unusable(.absent)),
        SkippedKey(label: "\(orphan).pub", reason: .unusable(.agentLacksKey)),
        SkippedKey(label: open, reason: .unusable(.permissionsTooOpen(mode: 0o644))),
      ]
    )
    guard case .unavailable = ring.agentProblem else {
      Issue.record("the agent's absence is not told")
      return
    }
    let never = await AuthenticationKeyRing(
      for: HopCredentials(username: "me"),
      agent: AgentClient(socketPath: workshop.path("never.sock"))
    )
    #expect(never.agentProblem == nil)
    let defaults = await AuthenticationKeyRing(
      for: HopCredentials(username: "me"),
      defaultFiles: [workshop.path("absent"), good],
      agent: nil
    )
    #expect(defaults.keys.map(\.place) == [.file(path: good)])
    #expect(defaults.skipped.isEmpty)
    #expect(defaults.agentProblem == nil)
  }
}
