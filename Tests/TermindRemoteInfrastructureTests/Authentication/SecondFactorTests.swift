import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// A key and then a code, against real servers; and how many tries that costs.
///
/// One after another: two servers that begin at the same moment fight for the folder of PAM's wrapper.
@Suite("A key and a second factor", .serialized, .timeLimit(.minutes(10))) struct SecondFactorTests
{
  private func prompts(_ code: String = OpenSSHServerWithPAM.code) -> ScriptedPrompts {
    ScriptedPrompts(answer: { _ in [code] })
  }

  private func count(_ part: String, in log: String) -> Int {
    log.split(whereSeparator: \.isNewline).filter { $0.contains(part) }.count
  }

  @Test(
    "partial success goes on with the prompt for the code, and costs one try for the key",
    arguments: EngineUnderTest.all,
    ["ed25519", "ecdsa", "rsa"]
  )
  func codeAfterKey(engine: EngineUnderTest, type: String) async throws {
    // A single try in vain would end the connection.
    let pam = try await OpenSSHServerWithPAM(["MaxAuthTries 1"], userKeyType: type)
    let site = try ContractSite(engine)
    let prompts = prompts()
    let transport = try await site.open(pam.server.hop, prompts: prompts)
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo in-$((40+2))"), receiver: receiver)
    try await receiver.wait(for: "in-42")
    await transport.close()
    // The server's own words, asked for once, not to be seen while they are typed.
    #expect(prompts.challenges.count == 1)
    let challenge = try #require(prompts.challenges.first)
    #expect(challenge.prompts.map(\.echoes) == [false])
    #expect(challenge.prompts.first?.text.contains("Password:") == true)
    // The server writes its log beside what it says to us.
    try await pam.server.wait(forLog: "Accepted keyboard-interactive/pam")
    #expect(count("Partial publickey", in: pam.server.log) == 1)
    #expect(count("Accepted keyboard-interactive/pam", in: pam.server.log) == 1)
    #expect(count("Failed ", in: pam.server.log) == 0)
  }

  @Test("a wrong code is asked for again, and the key is not offered a second time")
  func wrongCode() async throws {
    let pam = try await OpenSSHServerWithPAM()
    let site = try ContractSite(EngineUnderTest.all[0])
    let tries = Locked(0)
    let prompts = ScriptedPrompts(answer: { _ in
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      return [number == 1 ? "000000" : OpenSSHServerWithPAM.code]
    })
    let transport = try await site.open(pam.server.hop, prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.count == 2)
    // The server writes its log beside what it says to us.
    try await pam.server.wait(forLog: "Accepted keyboard-interactive/pam")
    #expect(count("Partial publickey", in: pam.server.log) == 1)
    #expect(count("Accepted keyboard-interactive/pam", in: pam.server.log) == 1)
  }

  @Test("an old server that knows only SHA-1 gets an RSA key once, with the hash that it knows")
  func oldServer() async throws {
    let folder = try TemporaryFolder()
    let key = folder.file("key")
    try await OpenSSHServer.makeKey(key, type: "rsa")
    let script = try folder.write("server.py", Self.oldServer)
    let server = try TestProgram("/usr/bin/python3", ["-W", "ignore", script, "\(key).pub"])
    try await server.wait(for: " LISTENING")
    let line = server.text.split(separator: "\n").first { $0.hasPrefix("READY ") } ?? ""
    let port = try #require(line.split(separator: " ").dropFirst().first.flatMap { UInt16($0) })
    let harness = try TransportHarness()
    let transport = try await harness.open([
      Hop(
        endpoint: SSHEndpoint(host: "127.0.0.1", port: port),
        credentials: HopCredentials(username: "anyone", keyFiles: [key], usesAgent: false)
      )
    ])
    await transport.close()
    try await server.wait(for: "IN")
    let offers = server.text.split(separator: "\n").filter { $0.hasPrefix("OFFER ") }
    #expect(Set(offers) == ["OFFER ssh-rsa"])
  }

  /// asyncssh as a server of the year 2014 presents itself; it tells the algorithm of each key that it is offered.
  private static let oldServer = #"""
    import asyncio, asyncssh, sys
    import asyncssh.auth as auth

    class Server(asyncssh.SSHServer):
        def begin_auth(self, username):
            return True

        def public_key_auth_supported(self):
            return True

        def auth_completed(self):
            print('IN', flush=True)

    async def main():
        start = auth._ServerPublicKeyAuth._start

        async def noted(self, packet):
            rest = asyncssh.packet.SSHPacket(packet.get_remaining_payload())
            rest.get_boolean()
            print('OFFER', rest.get_string().decode(), flush=True)
            return await start(self, packet)

        auth._ServerPublicKeyAuth._start = noted
        server = await asyncssh.create_server(
            Server, '127.0.0.1', 0, server_version='OpenSSH_6.6.1p1',
            server_host_keys=[asyncssh.generate_private_key('ssh-ed25519')],
            authorized_client_keys=sys.argv[1], signature_algs=['ssh-rsa'])
        print('READY %d LISTENING' % server.sockets[0].getsockname()[1], flush=True)
        await asyncio.sleep(100000)

    asyncio.run(main())
    """#
}
