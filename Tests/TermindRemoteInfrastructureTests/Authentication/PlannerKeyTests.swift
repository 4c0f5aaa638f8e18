import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Offering keys") struct PlannerKeyTests {
  @Test("offers at most the configured number of keys, in order, each once")
  func limit() throws {
    let keys = try AuthenticationPlanner.keys(
      .ed25519,
      .ed25519,
      .ed25519,
      .ed25519,
      .ed25519,
      .ed25519,
      .ed25519,
      .ed25519,
      .ed25519
    )
    var planner = AuthenticationPlanner.make(keys: keys)
    var steps = planner.play(.begin)
    for _ in 0..<6 { steps += planner.play(.refused("publickey")) }
    #expect(steps.filter { $0.hasPrefix("offer") } == (0..<5).map { "offer \($0) ssh-ed25519" })
    #expect(steps.last?.hasPrefix("failed authenticationFailed") == true)
    #expect(planner.skipped.map(\.reason) == [.overLimit, .overLimit, .overLimit, .overLimit])
  }

  @Test(
    "offers an RSA key once, with the hash that the server knows",
    arguments: [
      (ServerTraits(identification: "SSH-2.0-OpenSSH_9.2p1 Debian-2"), "rsa-sha2-512"),
      (ServerTraits(identification: "SSH-2.0-OpenSSH_7.2"), "rsa-sha2-512"),
      (ServerTraits(identification: "SSH-2.0-OpenSSH_6.6.1p1"), "ssh-rsa"),
      (ServerTraits(identification: "SSH-2.0-dropbear_2022.83"), "rsa-sha2-256"),
      (ServerTraits(identification: "SSH-2.0-dropbear_2019.78"), "ssh-rsa"),
      (ServerTraits(identification: "SSH-2.0-Unheard-of"), "rsa-sha2-512"),
      (ServerTraits(identification: ""), "rsa-sha2-512"),
      (ServerTraits(hostKeyAlgorithms: ["ssh-rsa", "ssh-dss"]), "ssh-rsa"),
      (ServerTraits(hostKeyAlgorithms: ["rsa-sha2-256", "ssh-rsa"]), "rsa-sha2-256"),
      (ServerTraits(hostKeyAlgorithms: ["ssh-ed25519"]), "rsa-sha2-512"),
      (
        ServerTraits(
          identification: "SSH-2.0-OpenSSH_9.2",
          signatureAlgorithms: ["ssh-rsa", "rsa-sha2-256"]
        ),
        "rsa-sha2-256"
      ),
      (ServerTraits(signatureAlgorithms: ["ssh-rsa"]), "ssh-rsa"),
    ]
  )
  func rsaHash(server: ServerTraits, algorithm: String) throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.rsa),
      server: server
    )
    let steps = planner.play(.begin, .refused("publickey"), .refused("publickey"))
    #expect(steps[1] == "offer 0 \(algorithm)")
    #expect(steps[2].hasPrefix("failed authenticationFailed"))
  }

  @Test("keys that are not known yet are listed once those before them were refused")
  func unlisted() throws {
    let all = try AuthenticationPlanner.keys(.ed25519, .ecdsaP256, .rsa)
    var planner = AuthenticationPlanner.make(keys: [all[0]], hasUnlistedKeys: true)
    #expect(
      planner.play(
        .begin,
        .refused("publickey"),
        .refused("publickey"),
        .keysListed(all),
        .refused("publickey"),
        .succeeded
      ) == [
        "none", "offer 0 ssh-ed25519", "list", "offer 1 ecdsa-sha2-nistp256",
        "offer 2 rsa-sha2-512", "finished",
      ]
    )
    // With the limit reached there is nothing to list them for.
    var limited = AuthenticationPlanner.make(
      keys: [all[0]],
      hasUnlistedKeys: true,
      maximumKeys: 1
    )
    let steps = limited.play(.begin, .refused("publickey"), .refused("publickey"))
    #expect(steps.last?.hasPrefix("failed authenticationFailed") == true)
  }

  @Test("asks for a passphrase only once the server would accept the key")
  func lockedKey() throws {
    let keys = try AuthenticationPlanner.keys(.ed25519, .ed25519, locked: [0, 1])
    var planner = AuthenticationPlanner.make(keys: keys)
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .refused("publickey"),
      .keyAccepted,
      .keyOpened(try #require(keys[1].publicKey)),
      .succeeded
    )
    #expect(
      steps == [
        "none", "offer 0 ssh-ed25519", "offer 1 ssh-ed25519", "open 1", "sign 1 ssh-ed25519",
        "finished",
      ]
    )
  }

  @Test("opens a key that hides its public half before it is offered")
  func hiddenKey() throws {
    let keys = try AuthenticationPlanner.keys(.rsa, locked: [0], hidden: [0])
    var planner = AuthenticationPlanner.make(keys: keys)
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .keyOpened(try AuthenticationPlanner.publicKey(1, .rsa)),
      .keyAccepted,
      .succeeded
    )
    #expect(
      steps == [
        "none", "open 0", "offer 0 rsa-sha2-512",
        "sign 0 rsa-sha2-512", "finished",
      ]
    )
  }

  @Test(
    "goes on with the next key when one is not opened, for any reason",
    arguments: [
      SkippedKey.Reason.passphraseDeclined, .unusable(.wrongPassphrase), .secret(.declined),
    ]
  )
  func notOpened(reason: SkippedKey.Reason) throws {
    let keys = try AuthenticationPlanner.keys(.ed25519, .ecdsaP256, locked: [0])
    var planner = AuthenticationPlanner.make(keys: keys)
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .keyAccepted,
      .keyNotOpened(reason)
    )
    #expect(steps.last == "offer 1 ecdsa-sha2-nistp256")
    #expect(planner.skipped.map(\.reason) == [reason])
  }

  @Test("a key that the server takes and nobody opens is told as the reason, not as refused")
  func unopened() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519, locked: [0])
    )
    _ = planner.play(.begin, .refused("publickey"), .keyAccepted)
    let step = planner.next(after: .keyNotOpened(.secret(.failed(.damaged(path: "/s", .header)))))
    #expect(step.cause == .keyUnusable(path: "/k0", reason: "the secret store is damaged"))
  }

  @Test("a silent attempt opens what the secret store opens, and ends where that is locked")
  func silentStore() throws {
    var keys = try AuthenticationPlanner.keys(.ed25519, locked: [0])
    keys[0].opensFromStore = true
    var planner = AuthenticationPlanner.make(interactive: false, keys: keys)
    let steps = planner.play(.begin, .refused("publickey"), .keyAccepted)
    #expect(steps == ["none", "offer 0 ssh-ed25519", "open 0"])
    #expect(
      planner.next(after: .keyNotOpened(.secret(.locked))).cause
        == .interactionRequired("secret store")
    )
  }

  @Test("refuses a file whose private half is another key")
  func otherPrivateHalf() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519, locked: [0])
    )
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .keyAccepted,
      .keyOpened(try AuthenticationPlanner.publicKey(9, .ed25519))
    )
    #expect(steps.last?.hasPrefix("failed") == true)
    #expect(planner.skipped.map(\.label).count == 1)
  }

  @Test("goes on when the agent refuses to sign")
  func signingFails() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519, .ecdsaP256)
    )
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .keyAccepted,
      .signingFailed(.agentRefused),
      .succeeded
    )
    #expect(steps[2...] == ["sign 0 ssh-ed25519", "offer 1 ecdsa-sha2-nistp256", "finished"])
    #expect(planner.skipped.map(\.reason) == [.signingFailed(.agentRefused)])
  }

  @Test("passes over types that the engine cannot use, without a try at the server")
  func unsupportedTypes() throws {
    let token = AuthenticationKey(
      id: 0,
      place: .agent(comment: "token"),
      publicKey: try SSHPublicKey(
        blob: {
          var writer = WireWriter()
          writer.string("sk-ssh-ed25519@openssh.com")
          writer.string([UInt8](repeating: 1, count: 32))
          writer.string("ssh:")
          return writer.bytes
        }()
      ),
      isLocked: false
    )
    var planner = AuthenticationPlanner.make(keys: [token])
    #expect(planner.play(.begin, .refused("publickey")).last?.hasPrefix("failed") == true)
    #expect(planner.skipped.map(\.reason) == [.unsupportedType("sk-ssh-ed25519@openssh.com")])
    #expect(planner.tried.isEmpty)
  }
}
