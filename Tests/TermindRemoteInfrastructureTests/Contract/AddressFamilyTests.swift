import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("IPv6", .timeLimit(.minutes(10))) struct AddressFamilyTests {
  private func hop(_ server: OpenSSHServer, _ host: String) -> Hop {
    Hop(
      endpoint: SSHEndpoint(host: host, port: server.port),
      credentials: server.hop.credentials
    )
  }

  @Test(
    "a server at an IPv6 address is reached, with a scope id too, directly and through a bastion",
    arguments: EngineUnderTest.all,
    ["::1", "::1%1"]
  )
  func handshake(engine: EngineUnderTest, host: String) async throws {
    let server = try await OpenSSHServer(listeningOn: ["[::1]"])
    let site = try ContractSite(engine)
    let prompts = ScriptedPrompts(decide: { _ in .trust })
    for _ in 0..<2 {
      let transport = try await site.open(hop(server, host), prompts: prompts)
      let receiver = RecordingReceiver()
      _ = try await transport.openTerminal(
        .running("echo \"to $SSH_CONNECTION\""),
        receiver: receiver
      )
      try await receiver.wait(for: " ::1 \(server.port)")
      await transport.close()
    }
    // Trusted once, under the name that was typed.
    #expect(prompts.questions.map(\.context.hop.endpoint.host) == [host])
  }

  @Test(
    "an IPv6 address behind a bastion is the bastion's to reach",
    arguments: EngineUnderTest.all
  )
  func behindBastion(engine: EngineUnderTest) async throws {
    let bastion = try await OpenSSHServer()
    let server = try await OpenSSHServer(listeningOn: ["[::1]"])
    let site = try ContractSite(engine)
    let transport = try await withDeadline("a connection") { [opener = site.opener] in
      try await opener.open(
        Route(hops: [bastion.hop, hop(server, "::1")]),
        prompts: ScriptedPrompts()
      )
    }
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(
      .running("echo \"to $SSH_CONNECTION\""),
      receiver: receiver
    )
    try await receiver.wait(for: " ::1 \(server.port)")
    await transport.close()
  }

  @Test("a scope that is no interface fails with the address in its words")
  func unknownScope() async throws {
    let harness = try TransportHarness()
    let failure = try await harness.failure([
      Hop(
        endpoint: SSHEndpoint(host: "fe80::1%no-such-interface", port: 22),
        credentials: HopCredentials(username: "nobody", usesAgent: false)
      )
    ])
    guard case .unknownHost(let text) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.step == .resolving)
    #expect(!text.isEmpty)
  }
}
