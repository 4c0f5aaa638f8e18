import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Negotiation and what was not used", .timeLimit(.minutes(10))) struct NegotiationTests {
  @Test("quick ciphers are proposed first, and none is lost")
  func ciphers() {
    let supported = ["aes256-ctr", "aes256-cbc", "aes128-ctr", "aes256-gcm@openssh.com"]
    #expect(
      CipherPreference.ordered(supported) == [
        "aes256-gcm@openssh.com", "aes128-ctr", "aes256-ctr", "aes256-cbc",
      ]
    )
  }

  @Test("a server with nothing but host certificates is told as that")
  func certificatesOnly() async throws {
    let folder = try TemporaryFolder()
    try await OpenSSHServer.makeKey(folder.file("authority"), type: "ed25519")
    try await OpenSSHServer.makeKey(folder.file("host"), type: "ed25519")
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-s", folder.file("authority"), "-I", "host", "-h", folder.file("host.pub")]
    )
    let server = try await OpenSSHServer([
      "HostKey \(folder.file("host"))", "HostCertificate \(folder.file("host-cert.pub"))",
      "HostKeyAlgorithms ssh-ed25519-cert-v01@openssh.com",
    ])
    let harness = try TransportHarness()
    let failure = try await harness.failure([server.hop])
    guard
      case .noCommonAlgorithm(kind: "host certificate", let offered, let supported) =
        failure.cause
    else {
      Issue.record("\(failure)")
      return
    }
    #expect(offered == ["ssh-ed25519-cert-v01@openssh.com"])
    #expect(supported.contains("ssh-ed25519"))
    #expect(failure.step == .keyExchange)
  }

  @Test("a question tells which named keys, and which agent, could not be used")
  func unusedKeys() async throws {
    let server = try await ScriptedSSHServer()
    let folder = try TemporaryFolder()
    let open = folder.file("open")
    try await OpenSSHServer.makeKey(open, type: "ed25519")
    try await TestProgram.run("/bin/chmod", ["644", open])
    let absent = folder.file("absent")
    // A link that leads nowhere: there was an agent, and it is gone.
    #expect(symlink(folder.file("ended"), folder.file("no-agent")) == 0)
    let harness = try TransportHarness(agent: AgentClient(socketPath: folder.file("no-agent")))
    let prompts = ScriptedPrompts(answer: { _ in ["secret"] })
    let hop = Hop(
      endpoint: server.hop("pw").endpoint,
      credentials: HopCredentials(username: "pw", keyFiles: [open, absent], usesAgent: true)
    )
    let transport = try await harness.open([hop], prompts: prompts)
    await transport.close()
    let challenge = try #require(prompts.challenges.first)
    #expect(
      challenge.unusedKeys == [
        .agent(reason: "it cannot be reached"),
        .key(label: open, reason: "permissions 0644 are too open"),
        .key(label: absent, reason: "no such file"),
      ]
    )
  }
}
