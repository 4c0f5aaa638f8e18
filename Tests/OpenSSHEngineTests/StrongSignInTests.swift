import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: what only ssh signs in with", .timeLimit(.minutes(3)))
struct StrongSignInTests {
  private func isAlive(_ transport: any SSHTransport) async throws -> Bool {
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo here"), receiver: receiver)
    try await receiver.wait(for: "here")
    return try await receiver.waitForEnd() == .exited(status: 0)
  }

  @Test("a security key signs in by the provider of the configuration, and says when to touch it")
  func securityKey() async throws {
    let keys = try TemporaryFolder()
    let token = try await SecurityKey(in: keys)
    let server = try await OpenSSHServer(["AuthorizedKeysFile \(token.file).pub"])
    let file = try keys.write(
      "config",
      """
      Host token
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile \(token.file)
        IdentitiesOnly yes
        SecurityKeyProvider \(token.provider)

      """
    )
    let harness = try OpenSSHHarness(configuration: file)
    var hop = server.hop
    hop.credentials.keyFiles = [token.file]
    hop.alias = "token"
    hop.onlyOpenSSH = "SecurityKeyProvider"
    let prompts = ScriptedPrompts(decide: { _ in .trustOnce })
    async let opened = harness.open([hop], prompts: prompts)
    // The token signs when it is touched, and it is touched when the person is told to.
    try await withDeadline("the word to touch the key") {
      while !prompts.banners.joined().contains("user presence") { await Task.yield() }
    }
    try token.touch()
    let transport = try await opened
    #expect(try await isAlive(transport))
    await transport.close()
  }

  @Test(
    "a ticket of Kerberos lets in where nothing else is taken, once libssh2 was refused",
    .enabled(if: KerberosRealm.isInstalled, "krb5-kdc, krb5-admin-server or krb5-user is missing")
  )
  func kerberos() async throws {
    let realm = try await KerberosRealm(user: OpenSSHServer.user)
    let server = try await OpenSSHServer(
      [
        "GSSAPIAuthentication yes", "GSSAPIStrictAcceptorCheck no", "PubkeyAuthentication no",
      ],
      environment: realm.environment
    )
    // They end their loops with themselves, so they are kept until the end.
    let (harness, plain) = (try OpenSSHHarness(environment: realm.environment), try PlainHarness())
    defer { withExtendedLifetime((harness, plain)) {} }
    let store = InMemoryVault()
    let chooser = EngineChoosingOpener(
      libssh2: plain.opener,
      openSSH: harness.opener,
      memory: EngineMemory(store: store) { Issue.record("\($0)") },
      agent: nil,
      environment: { realm.environment }
    )
    let transport = try await chooser.open(
      Route(hops: [server.hop]),
      prompts: ScriptedPrompts(decide: { _ in .trustOnce })
    )
    #expect(transport.engineReason == "the server takes Kerberos tickets")
    // That is about who signs in and not about the server.
    #expect(try await store.engineLesson(for: server.endpoint, way: "") == nil)
    #expect(try await isAlive(transport))
    await transport.close()
    // Without the ticket nobody gets in, and nothing is asked for it.
    var without = realm.environment
    without["KRB5CCNAME"] = "FILE:/nonexistent"
    let failure = try await OpenSSHHarness(environment: without).failure([server.hop])
    guard case .authenticationFailed(_, let offered) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(offered.contains("gssapi-with-mic"))
  }
}
