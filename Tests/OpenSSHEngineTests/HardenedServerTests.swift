import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: servers that libssh2 cannot reach", .timeLimit(.minutes(10)))
struct HardenedServerTests {
  @Test(
    "a terminal opens where modern algorithms are asked for",
    arguments: [
      ["Ciphers aes256-gcm@openssh.com,chacha20-poly1305@openssh.com"],
      ["MACs hmac-sha2-256-etm@openssh.com", "Ciphers aes128-ctr"],
      ["KexAlgorithms sntrup761x25519-sha512@openssh.com"],
    ]
  )
  func hardened(options: [String]) async throws {
    let server = try await OpenSSHServer(options)
    let harness = try OpenSSHHarness()
    let prompts = ScriptedPrompts()
    let transport = try await harness.open([server.hop], prompts: prompts)
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(
      .running("stty size; echo ready; read line; echo got $line; exit 3"),
      receiver: receiver
    )
    try await receiver.wait(for: "ready")
    #expect(receiver.text.contains("24 80"))
    #expect(channel.send(Array("hello\n".utf8)))
    try await receiver.wait(for: "got hello")
    #expect(try await receiver.waitForEnd() == .exited(status: 3))
    #expect(transport.engineName.hasPrefix("OpenSSH "))
    await transport.close()
    #expect(harness.leftovers.isEmpty)
    #expect(prompts.questions.count == 1)
  }
}
