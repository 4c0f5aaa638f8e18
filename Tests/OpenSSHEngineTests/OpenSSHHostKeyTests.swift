import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: host keys and failures", .timeLimit(.minutes(3)))
struct OpenSSHHostKeyTests {
  @Test("a key is asked about once when it is trusted, and each time when it is not remembered")
  func trust() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let once = ScriptedPrompts()
    try await harness.open([server.hop], prompts: once).close()
    #expect(once.questions.map(\.doubt) == [.unknown])
    let forGood = ScriptedPrompts(decide: { _ in .trust })
    try await harness.open([server.hop], prompts: forGood).close()
    #expect(forGood.questions.count == 1)
    let silent = ScriptedPrompts(isInteractive: false)
    try await harness.open([server.hop], prompts: silent).close()
    #expect(silent.questions.isEmpty)
  }

  @Test("a key that is not trusted ends the attempt; a silent one is not asked")
  func rejected() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let failure = try await harness.failure(
      [server.hop],
      prompts: ScriptedPrompts(decide: { _ in .reject })
    )
    guard case .hostKeyRejected(let key) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(try server.hostKeyLine().contains(Base64Codec.encode(key.blob)))
    #expect(failure.step == .hostKey)
    let silent = try await harness.failure(
      [server.hop],
      prompts: ScriptedPrompts(isInteractive: false)
    )
    #expect(silent.cause == .interactionRequired("host key \(key.fingerprint)"))
  }

  @Test("a changed key asks another question, and a revoked one none")
  func changedAndRevoked() async throws {
    let server = try await OpenSSHServer()
    let other = try await OpenSSHServer()
    let name = "[127.0.0.1]:\(server.port)"
    let file = try server.folder.write("known", "\(name) \(try other.hostKeyLine())")
    let harness = try OpenSSHHarness(knownHostsFiles: [file])
    let prompts = ScriptedPrompts(decide: { _ in .reject })
    let failure = try await harness.failure([server.hop], prompts: prompts)
    guard case .hostKeyChanged = failure.cause, case .changed? = prompts.questions.first?.doubt
    else {
      Issue.record("\(failure)")
      return
    }
    let revoked = try server.folder.write("revoked", "@revoked * \(try server.hostKeyLine())")
    let strict = try OpenSSHHarness(knownHostsFiles: [revoked])
    let none = ScriptedPrompts()
    let refusal = try await strict.failure([server.hop], prompts: none)
    guard case .hostKeyRevoked = refusal.cause else {
      Issue.record("\(refusal)")
      return
    }
    #expect(none.questions.isEmpty)
  }

  @Test(
    "a host that is known by one of its keys is not new by another",
    arguments: ["rsa", "ecdsa"]
  )
  func knownType(type: String) async throws {
    let server = try await OpenSSHServer(hostKeyTypes: ["ed25519", "ecdsa", "rsa"])
    let name = "[127.0.0.1]:\(server.port)"
    let file = try server.folder.write("known", "\(name) \(try server.hostKeyLine(type))")
    let harness = try OpenSSHHarness(knownHostsFiles: [file])
    let prompts = ScriptedPrompts(isInteractive: false)
    let transport = try await harness.open([server.hop], prompts: prompts)
    await transport.close()
    #expect(prompts.questions.isEmpty)
  }

  @Test("a host certificate of a known authority needs no question")
  func certificate() async throws {
    let folder = try TemporaryFolder()
    let (authority, host) = (folder.file("authority"), folder.file("host"))
    try await OpenSSHServer.makeKey(authority, type: "ed25519")
    try await OpenSSHServer.makeKey(host, type: "ed25519")
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-s", authority, "-I", "host", "-h", "-n", "127.0.0.1", "\(host).pub"]
    )
    let server = try await OpenSSHServer([
      "HostKey \(host)", "HostCertificate \(host)-cert.pub",
      "HostKeyAlgorithms ssh-ed25519-cert-v01@openssh.com",
    ])
    let line = try TemporaryFolder.read("\(authority).pub")
    let file = try folder.write("known", "@cert-authority [127.0.0.1]:* \(line)")
    let harness = try OpenSSHHarness(knownHostsFiles: [file])
    let prompts = ScriptedPrompts(isInteractive: false)
    let transport = try await harness.open([server.hop], prompts: prompts)
    await transport.close()
    // Without the authority the plain key behind it is asked about.
    let asked = ScriptedPrompts()
    let other = try OpenSSHHarness()
    try await other.open([server.hop], prompts: asked).close()
    #expect(other.leftovers.isEmpty)
    #expect(asked.questions.map(\.key.type) == ["ssh-ed25519"])
  }

  @Test("keys are exchanged anew without an end")
  func rekeying() async throws {
    let server = try await OpenSSHServer(["RekeyLimit 256K"])
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let recorder = ByteRecorder(keepsBytes: false)
    _ = try await transport.openChannel(
      .command("head -c 3000000 /dev/zero"),
      receiver: recorder
    )
    #expect(try await recorder.waitForEnd() == .exited(status: 0))
    #expect(recorder.count == 3_000_000)
    await transport.close()
  }

  @Test("what cannot be reached is told with its cause")
  func unreachable() async throws {
    let harness = try OpenSSHHarness()
    func hop(_ host: String, _ port: UInt16) -> Hop {
      Hop(
        endpoint: SSHEndpoint(host: host, port: port),
        credentials: HopCredentials(username: "x", usesAgent: false)
      )
    }
    let port = try FreePort.find()
    #expect(try await harness.failure([hop("127.0.0.1", port)]).cause == .refused)
    let unknown = try await harness.failure([hop("no-such-host.invalid", 22)])
    guard case .unknownHost = unknown.cause else {
      Issue.record("\(unknown)")
      return
    }
    #expect(harness.leftovers.isEmpty)
  }

  @Test("old algorithms are refused with the server's list, and a wrong key with what was tried")
  func refused() async throws {
    let old = try await OpenSSHServer(["KexAlgorithms diffie-hellman-group14-sha1"])
    let harness = try OpenSSHHarness()
    let failure = try await harness.failure([old.hop])
    #expect(
      failure.cause
        == .oldAlgorithmsOnly(kind: "key exchange", offered: ["diffie-hellman-group14-sha1"])
    )
    var allowed = old.hop
    allowed.allowsOldAlgorithms = true
    try await harness.open([allowed]).close()
    let server = try await OpenSSHServer(["AuthorizedKeysFile none"])
    let refusal = try await harness.failure([server.hop])
    guard case .authenticationFailed(let tried, let offered) = refusal.cause else {
      Issue.record("\(refusal)")
      return
    }
    #expect(tried.contains { $0.hasPrefix("publickey ED25519 SHA256:") })
    #expect(offered == ["publickey"])
  }

  @Test("without ssh the words say what to install")
  func missing() async throws {
    let harness = try OpenSSHHarness()
    let opener = OpenSSHTransportOpener(
      surroundings: OpenSSHSurroundings(ssh: { nil }, runtime: harness.folder.file("run")),
      loops: harness.loops,
      verifier: HostKeyVerifier(store: harness.store, files: []),
      agent: nil,
      now: { 0 }
    )
    let route = try Route(hops: [
      Hop(endpoint: SSHEndpoint(host: "h"), credentials: HopCredentials(username: "x"))
    ])
    await #expect {
      _ = try await opener.open(route, prompts: ScriptedPrompts())
    } throws: { error in
      (error as? ConnectionFailure)?.cause == .unsupported(obstacle: SSHProgram.missingText)
    }
  }
}
