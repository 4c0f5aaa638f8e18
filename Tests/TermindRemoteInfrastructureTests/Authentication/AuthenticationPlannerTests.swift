import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Authentication order") struct AuthenticationPlannerTests {
  @Test("a server that wants nothing lets in after none")
  func none() {
    var planner = AuthenticationPlanner.make()
    #expect(planner.play(.begin, .succeeded, .begin) == ["none", "finished", "finished"])
  }

  @Test("only a username: none, then what the server offers")
  func usernameOnly() {
    var planner = AuthenticationPlanner.make()
    let steps = planner.play(
      .begin,
      .refused("publickey", "password"),
      .typed("a"),
      .refused("publickey", "password"),
      .typed("b"),
      .succeeded
    )
    #expect(
      steps == [
        "none", "ask password [\"Password: \"] #0", "password a",
        "ask password [\"Password: \"] #1", "password b", "finished",
      ]
    )
  }

  @Test("an explicit password goes first, then the keys, then the person")
  func explicitPassword() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519),
      password: "saved"
    )
    let steps = planner.play(
      .begin,
      .refused("publickey", "password"),
      .refused("publickey", "password"),
      .refused("publickey", "password"),
      .typed("typed"),
      .succeeded
    )
    #expect(
      steps == [
        "none", "password saved", "offer 0 ssh-ed25519", "ask password [\"Password: \"] #0",
        "password typed", "finished",
      ]
    )
  }

  @Test("keys come before keyboard-interactive, and that before a password")
  func order() throws {
    var planner = AuthenticationPlanner.make(keys: try AuthenticationPlanner.keys(.ed25519))
    let all: AuthenticationEvent = .refused("password", "keyboard-interactive", "publickey")
    let steps = planner.play(.begin, all, all, .round(("Code: ", false)), .typed("1"), .succeeded)
    #expect(
      steps == [
        "none", "offer 0 ssh-ed25519", "interactive", "ask round [\"Code: \"] #0",
        "respond [\"1\"]", "finished",
      ]
    )
  }

  @Test("keyboard-interactive that fails without a question gives way to the password")
  func deadInteractive() {
    var planner = AuthenticationPlanner.make()
    let both: AuthenticationEvent = .refused("keyboard-interactive", "password")
    let steps = planner.play(.begin, both, both, .typed("x"), .succeeded)
    #expect(
      steps == [
        "none", "interactive", "ask password [\"Password: \"] #0", "password x", "finished",
      ]
    )
  }

  @Test("the person's tries are limited, over both methods together")
  func personTries() {
    var planner = AuthenticationPlanner.make()
    let both: AuthenticationEvent = .refused("keyboard-interactive", "password")
    var steps = planner.play(.begin, both)
    for _ in 0..<3 { steps += planner.play(.round(("Password: ", false)), .typed("x"), both) }
    #expect(steps.filter { $0 == "interactive" }.count == 3)
    let expected = ConnectionFailureCause.authenticationFailed(
      tried: ["keyboard-interactive"],
      offered: ["keyboard-interactive", "password"]
    )
    #expect(steps.last == "failed \(expected)")
  }

  @Test("what was tried and what is offered stand in the error")
  func errorContent() throws {
    let keys = try AuthenticationPlanner.keys(.ed25519, .rsa)
    var planner = AuthenticationPlanner.make(keys: keys, password: "p")
    _ = planner.play(.begin, .refused("publickey", "password"), .refused("publickey"))
    _ = planner.next(after: .refused("publickey"))
    let last = planner.next(after: .refused("publickey", "hostbased"))
    #expect(
      last.cause
        == .authenticationFailed(
          tried: ["password", "publickey \(keys[0].label)", "publickey \(keys[1].label)"],
          offered: ["publickey", "hostbased"]
        )
    )
    #expect(keys[0].label.hasPrefix("ED25519 SHA256:"))
  }

  @Test("a named key that cannot be used is the error when nothing else could be tried")
  func unusableKey() {
    var planner = AuthenticationPlanner(
      policy: AuthenticationPolicy(isInteractive: true),
      skipped: [
        SkippedKey(label: "/home/me/key", reason: .unusable(.permissionsTooOpen(mode: 0o644)))
      ]
    )
    _ = planner.next(after: .begin)
    #expect(
      planner.next(after: .refused("publickey")).cause
        == .keyUnusable(path: "/home/me/key", reason: "permissions 0644 are too open")
    )
  }

  // Partial success.

  @Test("a key, then a code: partial success continues with the methods left")
  func partialSuccess() throws {
    var planner = AuthenticationPlanner.make(keys: try AuthenticationPlanner.keys(.ed25519))
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .keyAccepted,
      .partial("keyboard-interactive"),
      .round(("Verification code: ", false)),
      .typed("123"),
      .succeeded
    )
    #expect(
      steps == [
        "none", "offer 0 ssh-ed25519", "sign 0 ssh-ed25519", "interactive",
        "ask round [\"Verification code: \"] #0", "respond [\"123\"]", "finished",
      ]
    )
  }

  @Test("partial success is also seen from the methods alone, and two keys can be wanted")
  func partialWithoutFlag() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519, .ecdsaP256)
    )
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .partial("publickey"),
      .refused("password"),
      .typed("x"),
      .succeeded
    )
    #expect(
      steps == [
        "none", "offer 0 ssh-ed25519", "offer 1 ecdsa-sha2-nistp256",
        "ask password [\"Password: \"] #0", "password x", "finished",
      ]
    )
  }

  @Test("methods that the engine did not learn are taken as unchanged")
  func unknownMethods() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519, .ecdsaP256)
    )
    let steps = planner.play(
      .begin,
      .refused("publickey"),
      .refused(methods: nil, partial: false),
      .succeeded
    )
    #expect(steps.last == "finished")
    #expect(planner.offered == ["publickey"])
  }

  @Test("a server that reports partial success without end is not asked without end")
  func endlessPartialSuccess() {
    var planner = AuthenticationPlanner.make()
    var step = planner.play(.begin, .refused("keyboard-interactive")).last
    var turns = 0
    while step == "interactive", turns < 100 {
      turns += 1
      step = planner.play(.partial("keyboard-interactive")).last
    }
    #expect(turns < 20)
    #expect(step?.hasPrefix("failed authenticationFailed") == true)
  }

  // Silent attempts.

  @Test("a silent attempt uses ready keys and a saved password, and asks nothing")
  func silent() throws {
    var planner = AuthenticationPlanner.make(
      interactive: false,
      keys: try AuthenticationPlanner.keys(.ed25519, .rsa, .ecdsaP256, locked: [1])
    )
    let steps = planner.play(
      .begin,
      .refused("publickey", "password"),
      .refused("publickey", "password"),
      .refused("publickey", "password")
    )
    #expect(steps[1...2] == ["offer 0 ssh-ed25519", "offer 2 ecdsa-sha2-nistp256"])
    #expect(steps[3].hasPrefix("failed interactionRequired(\"passphrase of RSA"))
    #expect(planner.skipped.map(\.reason) == [.needsPassphrase])
  }

  @Test(
    "a silent attempt ends with what would need the person",
    arguments: [("password", "password"), ("keyboard-interactive", "keyboard-interactive")]
  )
  func silentEnds(method: String, need: String) {
    var planner = AuthenticationPlanner.make(interactive: false)
    _ = planner.next(after: .begin)
    #expect(planner.next(after: .refused(method)).cause == .interactionRequired(need))
  }

  @Test("a silent attempt answers a masked password prompt only, and no code")
  func silentInteractive() {
    var planner = AuthenticationPlanner.make(interactive: false, password: "saved")
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .round(("Password: ", false)),
      .round(),
      .round(("Verification code: ", false))
    )
    #expect(
      steps == [
        "none", "interactive", "respond [\"saved\"]", "respond []",
        "failed interactionRequired(\"keyboard-interactive\")",
      ]
    )
  }

  @Test("an event that does not fit ends the attempt instead of confusing it")
  func unexpectedEvents() {
    var planner = AuthenticationPlanner.make()
    #expect(planner.play(.succeeded)[0].hasPrefix("failed internalError"))
    var second = AuthenticationPlanner.make()
    let steps = second.play(.begin, .keyAccepted, .succeeded)
    #expect(steps[1].hasPrefix("failed internalError"))
    #expect(steps[2] == steps[1])
  }

  @Test("the person giving up on a password cancels")
  func givingUp() {
    var planner = AuthenticationPlanner.make()
    #expect(planner.play(.begin, .refused("password"), .declined).last == "failed cancelled")
  }

  @Test("random events always end, and never send a secret twice")
  func fuzz() throws {
    var generator = SeededGenerator(state: 5)
    let methods = ["publickey", "password", "keyboard-interactive", "hostbased"]
    for _ in 0..<2000 {
      var planner = AuthenticationPlanner.make(
        interactive: Bool.random(using: &generator),
        keys: try AuthenticationPlanner.keys(.ed25519, .rsa, .ecdsaP256, locked: [1], hidden: [1]),
        hasUnlistedKeys: Bool.random(using: &generator),
        password: Bool.random(using: &generator) ? "saved" : nil,
        hasSavedPassword: true
      )
      var step = planner.next(after: .begin)
      var secrets = 0
      var turns = 0
      loop: while turns < 500 {
        turns += 1
        switch step {
        case .finished, .failed: break loop
        case .sendPassword(let password): if password.count == 5 { secrets += 1 }
        case .respond(let answers): if answers.contains(where: { $0.count == 5 }) { secrets += 1 }
        default: break
        }
        step = try planner.next(after: Self.event(for: step, methods, &generator))
      }
      #expect(turns < 500)
      #expect(secrets <= 1)
    }
  }

  /// An event that a server or a person may answer a step with.
  private static func event(
    for step: AuthenticationStep,
    _ methods: [String],
    _ generator: inout SeededGenerator
  ) throws -> AuthenticationEvent {
    let refusal = AuthenticationEvent.refused(
      methods: methods.filter { _ in Bool.random(using: &generator) },
      partial: Int.random(in: 0..<8, using: &generator) == 0
    )
    let choice = Int.random(in: 0..<4, using: &generator)
    switch step {
    case .offerKey: return choice == 0 ? .keyAccepted : refusal
    case .sign: return choice == 0 ? .signingFailed(.agentRefused) : refusal
    case .open:
      return choice == 0
        ? .keyOpened(try AuthenticationPlanner.publicKey(2, .rsa))
        : .keyNotOpened(.unusable(.wrongPassphrase))
    case .listKeys:
      let more = try AuthenticationPlanner.keys(.ed25519, .rsa, .ecdsaP256, .ed25519)
      return .keysListed(choice == 0 ? Array(more.prefix(3)) : more)
    case .fetchPassword:
      return choice == 0 ? .passwordUnavailable(.locked) : .fetched("saved")
    case .ask(let question):
      if choice == 0 { return .declined }
      return .answered(question.prompts.map { _ in SecretBytes("xyz".utf8) })
    case .beginInteractive, .respond:
      if choice == 0 { return refusal }
      return choice == 1 ? .round() : .round(("Password: ", false), ("Code", true))
    default: return refusal
    }
  }
}
