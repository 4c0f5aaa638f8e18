import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: signing in", .timeLimit(.minutes(3))) struct OpenSSHPromptTests {
  /// Gives the answers one after another, whatever is asked.
  private func prompts(_ answers: [[String]?], isInteractive: Bool = true) -> ScriptedPrompts {
    let rest = Locked(answers)
    return ScriptedPrompts(
      isInteractive: isInteractive,
      answer: { _ in rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    )
  }

  @Test("a password is asked for again after a refusal, and then lets in")
  func password() async throws {
    let server = try await ScriptedSSHServer(banner: "Only for us\n")
    let harness = try OpenSSHHarness()
    let prompts = prompts([["wrong"], ["secret"]])
    let transport = try await harness.open([server.hop("pw")], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.map(\.kind) == [.password, .password])
    #expect(prompts.challenges.map(\.attempt) == [0, 1])
    #expect(prompts.banners.joined() == "Only for us\n")
    try await server.wait(forLog: "PASSWORD pw wrong")
    try await server.wait(forLog: "PASSWORD pw secret")
    #expect(harness.leftovers.isEmpty)
  }

  @Test("rounds of keyboard-interactive are asked as they come")
  func rounds() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try OpenSSHHarness()
    // `ssh` asks for one line at a time.
    let prompts = prompts([["one"], ["name"], ["two"]])
    let transport = try await harness.open([server.hop("kbd")], prompts: prompts)
    await transport.close()
    #expect(
      prompts.challenges.map { $0.prompts.map(\.text) } == [["Password: "], ["Name: "], ["Code: "]]
    )
    #expect(prompts.challenges.allSatisfy { $0.kind == .keyboardInteractive })
    #expect(prompts.challenges[0].instruction == "First\nRound one")
    // Whether they may be shown, `ssh` knows and does not tell.
    #expect(prompts.challenges.flatMap(\.prompts).allSatisfy { !$0.echoes && !$0.isEchoKnown })
  }

  @Test("each question says for which hop it is, and a server's line is never shown as it is typed")
  func hops() async throws {
    let (before, last) = (try await OpenSSHServer(), try await ScriptedSSHServer())
    let harness = try OpenSSHHarness()
    let prompts = prompts([["one"], ["name"], ["two"]])
    let transport = try await harness.open([before.hop, last.hop("kbd")], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.map(\.context.index) == [1, 1, 1])
    #expect(prompts.challenges.allSatisfy { $0.context.hop.endpoint == last.hop("kbd").endpoint })
    #expect(prompts.challenges.allSatisfy { $0.prompts.allSatisfy { !$0.echoes } })
  }

  @Test("a saved password answers without a question, once")
  func savedPassword() async throws {
    let server = try await ScriptedSSHServer()
    let store = InMemorySecretStore()
    try await store.changePassphrase(from: nil, to: SecretBytes("store".utf8))
    let items = try await store.create([NewSecret(SecretBytes("secret".utf8), label: "test")])
    let harness = try OpenSSHHarness(secrets: store)
    var hop = server.hop("pw")
    hop.credentials.password = items[0]
    let prompts = prompts([])
    let transport = try await harness.open([hop], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.isEmpty)
  }

  @Test(
    "a saved password answers the first password prompt of a round, and no name or code after it"
  )
  func savedPasswordInRound() async throws {
    let server = try await ScriptedSSHServer()
    let store = InMemorySecretStore()
    try await store.changePassphrase(from: nil, to: SecretBytes("store".utf8))
    let items = try await store.create([NewSecret(SecretBytes("one".utf8), label: "test")])
    let harness = try OpenSSHHarness(secrets: store)
    var hop = server.hop("kbd")
    hop.credentials.password = items[0]
    let prompts = prompts([["name"], ["two"]])
    let transport = try await harness.open([hop], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.flatMap(\.prompts).map(\.text) == ["Name: ", "Code: "])
    // What the person typed is not kept, and takes the place of nothing.
    #expect(try await store.read(items[0]) == SecretBytes("one".utf8))
  }

  @Test("a round without a question is answered, and nothing is asked")
  func push() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try OpenSSHHarness()
    let prompts = prompts([])
    let transport = try await harness.open([server.hop("push")], prompts: prompts)
    await transport.close()
    #expect(prompts.challenges.isEmpty)
    try await server.wait(forLog: "ANSWERS push 1")
  }

  @Test("an expired password is changed")
  func expiredPassword() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try OpenSSHHarness()
    let prompts = prompts([["secret"], ["one", "two"], ["long enough", "long enough"]])
    let transport = try await harness.open([server.hop("expired")], prompts: prompts)
    await transport.close()
    #expect(
      prompts.challenges.map(\.kind) == [.password, .newPassword(nil), .newPassword(.different)]
    )
    try await server.wait(forLog: "CHANGE expired secret long enough")
  }

  @Test("a silent attempt asks nothing and says what it would have had to ask")
  func silent() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try OpenSSHHarness()
    let first = try await harness.open(
      [server.hop("none")],
      prompts: ScriptedPrompts(decide: { _ in .trust })
    )
    await first.close()
    let prompts = ScriptedPrompts(isInteractive: false)
    let failure = try await harness.failure([server.hop("pw")], prompts: prompts)
    #expect(failure.cause == .interactionRequired("password"))
    #expect(failure.step == .authentication)
    #expect(prompts.challenges.isEmpty)
    #expect(harness.leftovers.isEmpty)
  }

  @Test("giving up and cancelling end the attempt at once, with its process")
  func givingUp() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try OpenSSHHarness()
    let failure = try await harness.failure([server.hop("pw")], prompts: prompts([nil]))
    #expect(failure.cause == .cancelled)
    let (asked, isAsked) = AsyncStream<Void>.makeStream()
    let waiting = ScriptedPrompts(answer: { _ in
      isAsked.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      return nil
    })
    let route = try Route(hops: [server.hop("pw")])
    let attempt = Task { () -> ConnectionFailureCause? in
      do throws(ConnectionFailure) {
        _ = try await harness.opener.open(route, prompts: waiting)
        return nil
      } catch {
        return error.cause
      }
    }
    for await _ in asked { break }
    attempt.cancel()
    #expect(await attempt.value == .cancelled)
    #expect(harness.leftovers.isEmpty)
  }

  @Test("an encrypted key file is opened by our own question, and a wrong passphrase asks again")
  func encryptedKey() async throws {
    let folder = try TemporaryFolder()
    let key = folder.file("key")
    try await OpenSSHServer.makeKey(key, type: "ed25519", passphrase: "open me")
    let server = try await OpenSSHServer(["AuthorizedKeysFile \(key).pub"])
    let harness = try OpenSSHHarness()
    let prompts = prompts([["wrong"], ["open me"]])
    var hop = server.hop
    hop.credentials.keyFiles = [key]
    let transport = try await harness.open([hop], prompts: prompts)
    await transport.close()
    #expect(
      prompts.challenges.map(\.kind) == [.passphrase(path: key), .passphrase(path: key)]
    )
    #expect(prompts.challenges.map(\.attempt) == [0, 1])
  }

  @Test("a key file with a certificate beside it signs in where only the authority is known")
  func userCertificate() async throws {
    let folder = try TemporaryFolder()
    let (authority, key) = (folder.file("authority"), folder.file("key"))
    try await OpenSSHServer.makeKey(authority, type: "ed25519")
    try await OpenSSHServer.makeKey(key, type: "ed25519")
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-s", authority, "-I", "me", "-n", OpenSSHServer.user, "\(key).pub"]
    )
    let server = try await OpenSSHServer([
      "TrustedUserCAKeys \(authority).pub", "AuthorizedKeysFile none",
    ])
    let harness = try OpenSSHHarness()
    var hop = server.hop
    hop.credentials.keyFiles = [key]
    let transport = try await harness.open([hop])
    await transport.close()
  }

  @Test("a key of the vault's secret store signs in and is nowhere on disk")
  func storedKey() async throws {
    let server = try await OpenSSHServer(userKeyType: "rsa")
    let store = InMemorySecretStore()
    try await store.changePassphrase(from: nil, to: SecretBytes("store".utf8))
    let text = try LocalFile.read(server.userKey, limit: 1 << 20).bytes
    let items = try await store.create([NewSecret(text, label: "key")])
    let line = try TemporaryFolder.read("\(server.userKey).pub").split(separator: " ")
    let blob = try #require(Base64Codec.decode(Array(line[1].utf8)))
    let key = try SSHPublicKey(blob: blob)
    let harness = try OpenSSHHarness(secrets: store)
    var hop = server.hop
    hop.credentials.keyFiles = []
    hop.credentials.identity = IdentityID()
    hop.credentials.keys = [
      KeyRecord(
        name: "work",
        algorithm: key.algorithm,
        fingerprint: key.fingerprint,
        publicKey: blob,
        location: .secret(items[0])
      )
    ]
    let transport = try await harness.open([hop])
    let folder = try #require(harness.leftovers.first)
    #expect(
      !harness.folder.names("run/\(folder)").contains {
        $0 != "c" && $0 != "h" && $0 != "a" && $0 != OpenSSHHelper.askpassName
      }
    )
    await transport.close()
  }
}
