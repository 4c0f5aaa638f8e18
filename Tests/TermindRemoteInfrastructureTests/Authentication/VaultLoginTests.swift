import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Signing in at real servers with what an identity of the vault selects.
@Suite("Signing in with the vault", .timeLimit(.minutes(3))) struct VaultLoginTests {
  private static let store = SecretBytes("store".utf8)

  /// A locked store with the secrets, and their identifiers.
  private func lockedStore(_ texts: [SecretBytes]) async throws -> (
    store: InMemorySecretStore, items: [SecretItemID]
  ) {
    let store = InMemorySecretStore()
    try await store.changePassphrase(from: nil, to: Self.store)
    let items = try await store.create(texts.map { NewSecret($0, label: "test") })
    try await store.lock()
    return (store, items)
  }

  private func openStore(_ texts: [SecretBytes]) async throws -> (
    store: InMemorySecretStore, items: [SecretItemID]
  ) {
    let (store, items) = try await lockedStore(texts)
    try await store.unlock(Self.store)
    return (store, items)
  }

  private func text(_ path: String) throws -> SecretBytes {
    try LocalFile.read(path, limit: 1 << 20).bytes
  }

  private func record(
    _ path: String,
    name: String = "work",
    certificate: [UInt8]? = nil,
    at location: KeyLocation,
    passphrase: SecretItemID? = nil
  ) throws -> KeyRecord {
    let line = try TemporaryFolder.read("\(path).pub").split(separator: " ")
    let blob = try #require(Base64Codec.decode(Array(line[1].utf8)))
    let key = try SSHPublicKey(blob: blob)
    return KeyRecord(
      name: name,
      algorithm: key.algorithm,
      fingerprint: key.fingerprint,
      publicKey: blob,
      certificate: certificate,
      location: location,
      passphrase: passphrase
    )
  }

  private func hop(
    _ hop: Hop,
    keys: [KeyRecord] = [],
    password: SecretItemID? = nil,
    usesAgent: Bool = false
  ) -> Hop {
    Hop(
      endpoint: hop.endpoint,
      credentials: HopCredentials(
        username: hop.credentials.username,
        usesAgent: usesAgent,
        identity: IdentityID(),
        keys: keys,
        password: password
      )
    )
  }

  /// Gives the answers one after another, whatever is asked.
  private func prompts(_ answers: [[String]?]) -> ScriptedPrompts {
    let rest = Locked(answers)
    return ScriptedPrompts(answer: { _ in rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
  }

  private func lock(_ path: String, _ passphrase: String) async throws {
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-p", "-a", "1", "-P", "", "-N", passphrase, "-f", path]
    )
  }

  // MARK: Keys

  @Test("a key in the secret store signs, without a question while the store is open")
  func storedKey() async throws {
    let server = try await OpenSSHServer()
    let (store, items) = try await openStore([try text(server.userKey)])
    let harness = try TransportHarness(secrets: store)
    let prompts = ScriptedPrompts()
    let key = try record(server.userKey, at: .secret(items[0]))
    let transport = try await harness.open([hop(server.hop, keys: [key])], prompts: prompts)
    await transport.close()
    try await server.wait(forLog: "Accepted publickey")
    #expect(prompts.challenges.isEmpty)
  }

  @Test("an encrypted key opens with its saved passphrase, and with the person when that is wrong")
  func savedPassphrase() async throws {
    let server = try await OpenSSHServer()
    try await lock(server.userKey, "open sesame")
    let (store, items) = try await openStore([
      try text(server.userKey), SecretBytes("open sesame".utf8), SecretBytes("old".utf8),
    ])
    let harness = try TransportHarness(secrets: store)
    for location in [KeyLocation.secret(items[0]), .file(path: server.userKey)] {
      let right = prompts([])
      let good = try record(server.userKey, at: location, passphrase: items[1])
      await (try await harness.open([hop(server.hop, keys: [good])], prompts: right)).close()
      #expect(right.challenges.isEmpty)

      let asked = prompts([["open sesame"]])
      let stale = try record(server.userKey, at: location, passphrase: items[2])
      await (try await harness.open([hop(server.hop, keys: [stale])], prompts: asked)).close()
      let name = location == .file(path: server.userKey) ? server.userKey : "work"
      #expect(asked.challenges.map(\.kind) == [.passphrase(path: name)])
      #expect(
        asked.challenges.map(\.unusedKeys)
          == [[.passphrase(reason: "it does not open the key")]]
      )
    }
  }

  @Test(
    "the person gives the store's passphrase in up to three tries, and is asked for nothing else"
  )
  func unlocks() async throws {
    let server = try await OpenSSHServer()
    try await lock(server.userKey, "open sesame")
    let (store, items) = try await lockedStore([
      try text(server.userKey), SecretBytes("open sesame".utf8),
    ])
    let harness = try TransportHarness(secrets: store)
    let prompts = prompts([["no"], ["not this"], ["store"]])
    let key = try record(server.userKey, at: .secret(items[0]), passphrase: items[1])
    let transport = try await harness.open([hop(server.hop, keys: [key])], prompts: prompts)
    await transport.close()
    #expect(
      prompts.challenges.map(\.kind) == Array(repeating: .secretStore(.sealedFile), count: 3)
    )
    #expect(prompts.challenges.map(\.attempt) == [0, 1, 2])
    #expect(prompts.challenges.allSatisfy { $0.prompts.map(\.echoes) == [false] })
    #expect(await store.state() == .unlocked)
  }

  @Test("who does not unlock the store is asked once, and told what was not used")
  func notUnlocked() async throws {
    let server = try await OpenSSHServer()
    let (store, items) = try await lockedStore([
      try text(server.userKey), SecretBytes("x".utf8),
    ])
    let harness = try TransportHarness(secrets: store)
    let prompts = prompts([nil])
    let key = try record(server.userKey, at: .secret(items[0]), passphrase: items[1])
    let failure = try await harness.failure([hop(server.hop, keys: [key])], prompts: prompts)
    #expect(prompts.challenges.count == 1)
    #expect(failure.cause == .keyUnusable(path: "work", reason: "it was not unlocked"))
  }

  @Test("a silent attempt uses the agent while the store is locked, and else needs the person")
  func silent() async throws {
    let server = try await OpenSSHServer()
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    let (store, items) = try await lockedStore([
      try text(server.userKey), SecretBytes("secret".utf8),
    ])
    let known = InMemoryKnownHostStore([
      KnownHostRecord(endpoint: server.endpoint, key: try hostKey(of: server), since: 1)
    ])
    let harness = try TransportHarness(
      store: known,
      agent: AgentClient(socketPath: agent.socketPath),
      secrets: store
    )
    let silent = ScriptedPrompts(isInteractive: false)
    let key = try record(server.userKey, at: .secret(items[0]))
    let hop = hop(server.hop, keys: [key], password: items[1], usesAgent: true)
    let failure = try await harness.failure([hop], prompts: silent)
    #expect(failure.cause == .interactionRequired("secret store"))
    try agent.add(server.userKey)
    await (try await harness.open([hop], prompts: silent)).close()
    #expect(silent.challenges.isEmpty)
    #expect(await store.state() == .locked)
    // Once it is open, nobody is needed.
    try await store.unlock(Self.store)
    let own = self.hop(server.hop, keys: [key])
    await (try await harness.open([own], prompts: silent)).close()
    withExtendedLifetime(agent) {}
  }

  private func hostKey(of server: OpenSSHServer) throws -> HostKey {
    let fields = try server.hostKeyLine().split(separator: " ")
    return try HostKey(blob: try #require(Base64Codec.decode(Array(fields[1].utf8))))
  }

  @Test("a key of the vault that is in the agent comes before the agent's other keys")
  func agentKey() async throws {
    let server = try await OpenSSHServer(["MaxAuthTries 2"])
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    for index in 0..<4 { try agent.add(workshop.makeKey("key\(index)", ["-t", "ed25519"])) }
    try agent.add(server.userKey)
    let harness = try TransportHarness(agent: AgentClient(socketPath: agent.socketPath))
    let key = try record(server.userKey, at: .agent)
    for usesAgent in [true, false] {
      let hop = hop(server.hop, keys: [key], usesAgent: usesAgent)
      await (try await harness.open([hop])).close()
    }
    #expect(!server.log.contains("Failed publickey"))
    withExtendedLifetime(agent) {}
  }

  @Test("the ring keeps the order of files and vault keys, each once, and names what it leaves out")
  func ring() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    let named = try workshop.makeKey("named", ["-t", "ed25519"])
    let filed = try workshop.makeKey("filed", ["-t", "ed25519"])
    let stored = try workshop.makeKey("stored", ["-t", "ecdsa"])
    let held = try workshop.makeKey("held", ["-t", "ed25519"])
    let lost = try workshop.makeKey("lost", ["-t", "ed25519"])
    let standard = try workshop.makeKey("standard", ["-t", "ed25519"])
    try agent.add(try workshop.makeKey("other", ["-t", "ed25519"]))
    try agent.add(held)
    let broken = KeyRecord(
      name: "broken",
      algorithm: "ssh-ed25519",
      fingerprint: "",
      publicKey: [1, 2],
      location: .secret(SecretItemID())
    )
    let credentials = HopCredentials(
      username: "me",
      keyFiles: [named],
      identity: IdentityID(),
      keys: [
        try record(stored, name: "stored", at: .secret(SecretItemID())),
        try record(held, name: "held", at: .agent),
        try record(lost, name: "lost", at: .agent),
        broken,
        try record(filed, name: "filed", certificate: [1], at: .file(path: filed)),
        try record(named, name: "named", at: .file(path: named)),
        try record(lost, name: "gone", at: .file(path: workshop.path("gone"))),
      ]
    )
    let ring = await AuthenticationKeyRing(
      for: credentials,
      defaultFiles: [standard],
      agent: AgentClient(socketPath: agent.socketPath)
    )
    let names = ["named", "stored", "held", "filed", "other"]
    #expect(ring.keys.map(\.publicKey?.blob) == (try names.map(workshop.publicBlob)))
    #expect(ring.keys.map(\.isLocked) == [false, true, false, false, false])
    #expect(ring.keys.map(\.lacksCertificate) == [false, false, false, true, false])
    #expect(ring.keys[1].place == .stored(name: "stored"))
    #expect(ring.keys[1].label.hasSuffix(" vault: stored"))
    #expect(
      ring.skipped.map(\.label) == [
        "lost", "broken", "the certificate of filed", workshop.path("gone"),
      ]
    )
    #expect(
      ring.skipped[2].reason.phrase == "it needs the OpenSSH engine"
    )
    #expect(ring.skipped[0].reason.phrase == "the agent does not hold it")
    withExtendedLifetime(agent) {}
  }

  @Test("an identity without keys and agent is offered none of the standard files")
  func usernameOnly() async throws {
    let workshop = try KeyWorkshop()
    let standard = try workshop.makeKey("standard", ["-t", "ed25519"])
    for (identity, count) in [(nil, 1), (IdentityID(), 0)] {
      let ring = await AuthenticationKeyRing(
        for: HopCredentials(username: "me", usesAgent: false, identity: identity),
        defaultFiles: [standard],
        agent: nil
      )
      #expect(ring.keys.count == count)
    }
  }

  @Test("a certificate that the engine cannot use is told beside the question that comes instead")
  func certificate() async throws {
    let server = try await ScriptedSSHServer()
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "ed25519"])
    let harness = try TransportHarness()
    let prompts = prompts([["secret"]])
    let key = try record(path, name: "work", certificate: [1], at: .file(path: path))
    let transport = try await harness.open([hop(server.hop("pw"), keys: [key])], prompts: prompts)
    await transport.close()
    #expect(
      prompts.challenges.map(\.unusedKeys) == [
        [
          .key(
            label: "the certificate of work",
            reason: "it needs the OpenSSH engine"
          )
        ]
      ]
    )
    // Where nothing is asked, the failure says it.
    let strict = try await OpenSSHServer()
    let failure = try await harness.failure([hop(strict.hop, keys: [key])])
    guard case .authenticationFailed(let tried, _) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(
      tried.count == 1
        && tried[0].hasSuffix("(without its certificate, which needs the OpenSSH engine)")
    )
  }

  @Test("a text in the store that is no private key, or is gone, is told as the reason")
  func brokenText() async throws {
    let server = try await OpenSSHServer()
    let (store, items) = try await openStore([SecretBytes("nonsense".utf8)])
    let harness = try TransportHarness(secrets: store)
    for (item, reason) in [
      (items[0], "not a private key"), (SecretItemID(), "it is not in the secret store any more"),
    ] {
      let key = try record(server.userKey, at: .secret(item))
      let failure = try await harness.failure([hop(server.hop, keys: [key])])
      #expect(failure.cause == .keyUnusable(path: "work", reason: reason))
    }
  }

  // MARK: The password

  @Test("the saved password signs in without a question, after one to unlock the store")
  func password() async throws {
    let server = try await ScriptedSSHServer()
    let (store, items) = try await lockedStore([SecretBytes("secret".utf8)])
    let harness = try TransportHarness(secrets: store)
    let first = prompts([["store"]])
    let hop = hop(server.hop("pw"), password: items[0])
    await (try await harness.open([hop], prompts: first)).close()
    #expect(first.challenges.map(\.kind) == [.secretStore(.sealedFile)])
    let second = prompts([])
    await (try await harness.open([hop], prompts: second)).close()
    #expect(second.challenges.isEmpty)
    try await server.wait(forLog: "PASSWORD pw secret")
  }

  @Test("a saved password that is refused is sent once, and the person is told and asked")
  func refusedPassword() async throws {
    let server = try await ScriptedSSHServer()
    let (store, items) = try await openStore([SecretBytes("outdated".utf8)])
    let harness = try TransportHarness(secrets: store)
    let prompts = prompts([["secret"]])
    let hop = hop(server.hop("pw"), password: items[0])
    await (try await harness.open([hop], prompts: prompts)).close()
    #expect(prompts.challenges.map(\.kind) == [.password])
    #expect(
      prompts.challenges[0].unusedKeys == [.password(reason: "the server did not accept it")]
    )
    try await server.wait(forLog: "PASSWORD pw secret")
    let sent = server.log.split(separator: "\n").filter { $0.hasPrefix("PASSWORD") }
    #expect(sent == ["PASSWORD pw outdated", "PASSWORD pw secret"])
    // What was typed is not kept.
    #expect(try await store.read(items[0]) == SecretBytes("outdated".utf8))
  }

  @Test("of a first round it answers the password prompt alone, and no later code")
  func rounds() async throws {
    let server = try await ScriptedSSHServer()
    let (store, items) = try await openStore([SecretBytes("one".utf8)])
    let harness = try TransportHarness(secrets: store)
    let prompts = prompts([["name"], ["two"]])
    let hop = hop(server.hop("kbd"), password: items[0])
    await (try await harness.open([hop], prompts: prompts)).close()
    #expect(prompts.challenges.map { $0.prompts.map(\.text) } == [["Name: "], ["Code: "]])
    try await server.wait(forLog: "ANSWERS kbd 1 one name")
    try await server.wait(forLog: "ANSWERS kbd 3 two")
  }

  @Test("without a secret store the person types the password")
  func noStore() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let prompts = prompts([["secret"]])
    let hop = hop(server.hop("pw"), password: SecretItemID())
    await (try await harness.open([hop], prompts: prompts)).close()
    #expect(prompts.challenges[0].unusedKeys == [.password(reason: "there is no secret store")])
  }

  @Test("a locked keyring asks by itself")
  func keyring() async throws {
    let server = try await ScriptedSSHServer()
    let store = InMemorySecretStore(place: .keyring)
    let item = try await store.create(NewSecret(SecretBytes("secret".utf8), label: "x"))
    try await store.lock()
    let harness = try TransportHarness(secrets: store)
    let prompts = prompts([[]])
    await (try await harness.open([hop(server.hop("pw"), password: item)], prompts: prompts))
      .close()
    #expect(prompts.challenges.map(\.kind) == [.secretStore(.keyring)])
    #expect(prompts.challenges[0].prompts.isEmpty)
  }

  // MARK: Many at once

  @Test("twenty hosts that want the passphrase of one key ask once for it, wrong tries included")
  func askedOnce() async throws {
    let server = try await OpenSSHServer()
    try await lock(server.userKey, "open sesame")
    let harness = try TransportHarness()
    let asked = Locked(0)
    let gate = Locked<CheckedContinuation<Void, Never>?>(nil)
    let everyone = (0..<20).map { _ in
      ScriptedPrompts(answer: { _ in
        let number = asked.withLock { count in
          count += 1
          return count
        }
        guard number == 1 else { return ["open sesame"] }
        await withCheckedContinuation { waiter in gate.withLock { $0 = waiter } }
        return ["wrong"]
      })
    }
    let tasks = everyone.map { prompts in
      Task { try await harness.open([server.hop], prompts: prompts) }
    }
    // Everyone else waits before the first answer comes.
    let subject = SharedUnlocking.KeySubject.file(path: server.userKey)
    try await waitUntil("all to wait") { await harness.shared.keys.waiting(for: subject) == 19 }
    gate.withLock { $0 }?.resume()
    for task in tasks { await (try await task.value).close() }
    #expect(everyone.map(\.challenges.count).reduce(0, +) == 2)
    // Nothing is kept.
    let later = prompts([["open sesame"]])
    await (try await harness.open([server.hop], prompts: later)).close()
    #expect(later.challenges.count == 1)
  }

  @Test("who gives up a passphrase does so for one attempt, is told, and the next one asks")
  func oneGivesUp() async throws {
    let server = try await OpenSSHServer()
    try await lock(server.userKey, "open sesame")
    let harness = try TransportHarness()
    let asked = Locked(0)
    let gate = Locked<CheckedContinuation<Void, Never>?>(nil)
    let everyone = (0..<3).map { _ in
      ScriptedPrompts(answer: { _ in
        let number = asked.withLock { count in
          count += 1
          return count
        }
        guard number == 1 else { return ["open sesame"] }
        await withCheckedContinuation { waiter in gate.withLock { $0 = waiter } }
        return nil
      })
    }
    let tasks = everyone.map { prompts in
      Task { try await harness.open([server.hop], prompts: prompts) }
    }
    let subject = SharedUnlocking.KeySubject.file(path: server.userKey)
    try await waitUntil("all to wait") {
      let waiting = await harness.shared.keys.waiting(for: subject)
      return waiting == 2 && gate.withLock { $0 } != nil
    }
    gate.withLock { $0 }?.resume()
    var failures: [ConnectionFailureCause] = []
    for task in tasks {
      do { await (try await task.value).close() } catch let failure as ConnectionFailure {
        failures.append(failure.cause)
      }
    }
    #expect(
      failures == [.keyUnusable(path: server.userKey, reason: "its passphrase was not given")]
    )
    #expect(everyone.map(\.challenges.count).reduce(0, +) == 2)
  }

  @Test("when the one that asks goes, the next one asks; the store is unlocked by one of many")
  func nextAsks() async throws {
    let server = try await OpenSSHServer()
    let (store, items) = try await lockedStore([try text(server.userKey)])
    let harness = try TransportHarness(secrets: store)
    let key = try record(server.userKey, at: .secret(items[0]))
    let asked = Locked(0)
    let everyone = (0..<5).map { _ in
      ScriptedPrompts(answer: { _ in
        let number = asked.withLock { count in
          count += 1
          return count
        }
        guard number == 1 else { return ["store"] }
        try? await Task.sleep(for: .seconds(60))
        return nil
      })
    }
    let hop = hop(server.hop, keys: [key])
    let tasks = everyone.map { prompts in
      Task { try await harness.open([hop], prompts: prompts) }
    }
    try await waitUntil("all to wait") { await harness.shared.stores.waiting(for: .secrets) == 4 }
    let first = try #require(everyone.firstIndex { !$0.challenges.isEmpty })
    tasks[first].cancel()
    for (index, task) in tasks.enumerated() {
      if index == first {
        await #expect(throws: (any Error).self) { try await task.value }
      } else {
        await (try await task.value).close()
      }
    }
    #expect(everyone.map(\.challenges.count).reduce(0, +) == 2)
  }
}
