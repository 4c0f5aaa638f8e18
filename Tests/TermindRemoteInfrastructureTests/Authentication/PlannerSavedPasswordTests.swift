import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("A saved password") struct PlannerSavedPasswordTests {
  @Test("is read only where the server takes passwords, and tried before any key")
  func order() throws {
    let keys = try AuthenticationPlanner.keys(.ed25519)
    var planner = AuthenticationPlanner.make(keys: keys, hasSavedPassword: true)
    let steps = planner.play(
      .begin,
      .refused("publickey", "password"),
      .fetched("saved"),
      .refused("publickey", "password"),
      .refused("publickey", "password")
    )
    #expect(
      steps == [
        "none", "fetch", "password saved", "offer 0 ssh-ed25519",
        "ask password [\"Password: \"] #0",
      ]
    )
    #expect(planner.unusedPassword == "the server did not accept it")
    var other = AuthenticationPlanner.make(keys: keys, hasSavedPassword: true)
    #expect(other.play(.begin, .refused("publickey")).last == "offer 0 ssh-ed25519")
  }

  @Test("is sent once, over method password and keyboard-interactive together")
  func once() {
    var planner = AuthenticationPlanner.make(hasSavedPassword: true)
    let steps = planner.play(
      .begin,
      .refused("password", "keyboard-interactive"),
      .fetched("saved"),
      .refused("password", "keyboard-interactive"),
      .round(("Password: ", false))
    )
    #expect(
      steps == [
        "none", "fetch", "password saved", "interactive", "ask round [\"Password: \"] #0",
      ]
    )
  }

  @Test(
    "answers no code, no second secret and no prompt that shows what is typed",
    arguments: [("Verification code: ", false), ("OTP: ", false), ("Password: ", true)]
  )
  func neverACode(text: String, echoes: Bool) {
    var planner = AuthenticationPlanner.make(hasSavedPassword: true)
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .fetched("saved"),
      .round((text, echoes))
    )
    #expect(steps.last == "ask round [\"\(text)\"] #0")
    // A password prompt of a later round is not the first one.
    #expect(planner.play(.typed("1"), .round(("Password: ", false))).last?.hasPrefix("ask") == true)
  }

  @Test("answers round one of keyboard-interactive and leaves the rest to the person")
  func roundOne() {
    var planner = AuthenticationPlanner.make(hasSavedPassword: true)
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .fetched("saved"),
      .round(("Password: ", false)),
      .round(("Code: ", false)),
      .typed("123"),
      .succeeded
    )
    #expect(
      steps[2...] == [
        "interactive", "respond [\"saved\"]", "ask round [\"Code: \"] #0", "respond [\"123\"]",
        "finished",
      ]
    )
    #expect(planner.unusedPassword == nil)
  }

  @Test("that was refused in keyboard-interactive is told, and the person is asked")
  func refusedRound() {
    var planner = AuthenticationPlanner.make(hasSavedPassword: true)
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .fetched("saved"),
      .round(("Password: ", false)),
      .refused("keyboard-interactive"),
      .round(("Password: ", false))
    )
    #expect(steps.last == "ask round [\"Password: \"] #1")
    #expect(planner.unusedPassword == "the server did not accept it")
  }

  @Test("that is accepted as the first of two factors is no refusal")
  func partial() {
    var planner = AuthenticationPlanner.make(hasSavedPassword: true)
    let steps = planner.play(
      .begin,
      .refused("password"),
      .fetched("saved"),
      .partial("keyboard-interactive"),
      .round(("Password: ", false))
    )
    // The second factor is asked for whatever the server calls it.
    #expect(steps.last?.hasPrefix("ask round") == true)
    #expect(planner.unusedPassword == nil)
  }

  @Test(
    "that cannot be read lets the person type it, and ends a silent attempt",
    arguments: [
      (SecretProblem.locked, "the secret store is locked" as String?), (.declined, nil),
      (.failed(.notFound(SecretItemID())), "it is not in the secret store any more"),
    ]
  )
  func unavailable(problem: SecretProblem, reason: String?) {
    var planner = AuthenticationPlanner.make(hasSavedPassword: true)
    let steps = planner.play(.begin, .refused("password"), .passwordUnavailable(problem))
    #expect(steps.last == "ask password [\"Password: \"] #0")
    #expect(planner.unusedPassword == reason)
    var silent = AuthenticationPlanner.make(interactive: false, hasSavedPassword: true)
    _ = silent.play(.begin, .refused("password"))
    let need = problem == .locked ? "secret store" : "password"
    #expect(silent.next(after: .passwordUnavailable(problem)).cause == .interactionRequired(need))
  }

  @Test("is not read where one was given for the attempt")
  func given() {
    var planner = AuthenticationPlanner.make(password: "typed", hasSavedPassword: true)
    let steps = planner.play(.begin, .refused("password"), .refused("password"))
    #expect(steps == ["none", "password typed", "ask password [\"Password: \"] #0"])
  }
}
