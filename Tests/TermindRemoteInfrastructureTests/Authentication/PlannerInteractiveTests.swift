import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Keyboard-interactive") struct PlannerInteractiveTests {
  @Test("a saved password answers a masked password prompt in round one, the code is asked for")
  func passwordThenCode() {
    var planner = AuthenticationPlanner.make(password: "saved")
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .round(("Password: ", false)),
      .round(("Password: ", false)),
      .typed("other"),
      .succeeded
    )
    #expect(
      steps == [
        "none", "interactive", "respond [\"saved\"]", "ask round [\"Password: \"] #0",
        "respond [\"other\"]", "finished",
      ]
    )
  }

  @Test(
    "a saved password never answers a code, an echoed prompt, or a change of password",
    arguments: [
      ("Verification code: ", false), ("One-time password (OATH) for `me': ", false),
      ("Password: ", true), ("Enter PASSCODE: ", false), ("New password: ", false),
      ("(current) UNIX password: ", false), ("Password + token: ", false), ("PIN: ", false),
      ("Answer: ", false), ("", false), ("Duo two-factor password: ", false),
      ("Response: ", false), ("Einmalpasswort: ", false),
    ]
  )
  func otherPrompts(text: String, echoes: Bool) {
    var planner = AuthenticationPlanner.make(password: "saved")
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .round((text, echoes))
    )
    #expect(steps.last == "ask round [\(String(reflecting: text))] #0")
  }

  @Test(
    "a password prompt is known in several languages",
    arguments: [
      "Password: ", "Passwort: ", "me@host's password:", "me@code-server's password: ",
      "(me@vscode-box) Password: ",
      "Mot de passe : ", "密码：",
    ]
  )
  func languages(text: String) {
    #expect(PasswordPrompt.accepts(CredentialPrompt(text: text, echoes: false)))
  }

  @Test("password and code in one round: the person is asked for the code only")
  func bothInOneRound() {
    var planner = AuthenticationPlanner.make(password: "saved")
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .round(("Password: ", false), ("Code: ", true)),
      .typed("42"),
      .succeeded
    )
    #expect(
      steps == [
        "none", "interactive", "ask round [\"Code: \"] #0", "respond [\"saved\", \"42\"]",
        "finished",
      ]
    )
  }

  @Test("a saved password that was refused is not used again")
  func spentPassword() {
    var planner = AuthenticationPlanner.make(password: "saved")
    let steps = planner.play(
      .begin,
      .refused("password", "keyboard-interactive"),
      .refused("password", "keyboard-interactive"),
      .round(("Password: ", false))
    )
    #expect(
      steps == ["none", "password saved", "interactive", "ask round [\"Password: \"] #0"]
    )
  }

  @Test("after a password's partial success a prompt is the person's")
  func passwordThenInteractive() {
    var planner = AuthenticationPlanner.make(password: "saved")
    let steps = planner.play(
      .begin,
      .refused("password"),
      .partial("keyboard-interactive"),
      .round(("Password: ", false))
    )
    #expect(
      steps == ["none", "password saved", "interactive", "ask round [\"Password: \"] #0"]
    )
  }

  @Test("a code in the first exchange leaves the saved password to the password method only")
  func codeFirst() throws {
    var planner = AuthenticationPlanner.make(
      keys: try AuthenticationPlanner.keys(.ed25519),
      password: "saved"
    )
    let both: AuthenticationEvent = .refused("keyboard-interactive", "publickey")
    let steps = planner.play(
      .begin,
      both,
      .round(("Code: ", false)),
      .typed("1"),
      both,
      both,
      .round(("Password: ", false))
    )
    #expect(
      steps == [
        "none", "interactive", "ask round [\"Code: \"] #0", "respond [\"1\"]",
        "offer 0 ssh-ed25519", "interactive", "ask round [\"Password: \"] #1",
      ]
    )
  }

  @Test("instruction, title and echo flags reach the question as the server sent them")
  func question() {
    var planner = AuthenticationPlanner.make()
    _ = planner.play(.begin, .refused("keyboard-interactive"))
    let step = planner.next(
      after: .round(
        InteractiveRound(
          title: "Two steps",
          instruction: "1. Push\n2. Call",
          prompts: [CredentialPrompt(text: "Choose (1-2): ", echoes: true)]
        )
      )
    )
    guard case .ask(let question) = step else {
      Issue.record("no question")
      return
    }
    #expect(question.kind == .keyboardInteractive)
    #expect(question.title == "Two steps")
    #expect(question.instruction == "1. Push\n2. Call")
    #expect(question.prompts == [CredentialPrompt(text: "Choose (1-2): ", echoes: true)])
  }

  @Test("a round without prompts is answered; its text is shown")
  func emptyRounds() {
    var planner = AuthenticationPlanner.make()
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .round(),
      .round(instruction: "A push was sent"),
      .answered([]),
      .succeeded
    )
    #expect(
      steps == ["none", "interactive", "respond []", "ask round [] #0", "respond []", "finished"]
    )
  }

  @Test("rounds without end are cut off")
  func endlessRounds() {
    var planner = AuthenticationPlanner.make()
    var last = planner.play(.begin, .refused("keyboard-interactive")).last
    for _ in 0..<40 { last = planner.play(.round()).last }
    #expect(last?.hasPrefix("failed disconnected") == true)
  }

  @Test("a wrong number of answers is a fault, not sent")
  func answerCount() {
    var planner = AuthenticationPlanner.make()
    let steps = planner.play(
      .begin,
      .refused("keyboard-interactive"),
      .round(("a", true), ("b", true)),
      .typed("1")
    )
    #expect(steps.last?.hasPrefix("failed internalError") == true)
  }
}
