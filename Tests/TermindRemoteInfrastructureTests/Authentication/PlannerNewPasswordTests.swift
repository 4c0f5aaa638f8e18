import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("New passwords in authentication") struct PlannerNewPasswordTests {
  private func planner(password: String? = "old") -> AuthenticationPlanner {
    AuthenticationPlanner(
      policy: AuthenticationPolicy(isInteractive: true),
      password: password.map { SecretBytes($0.utf8) }
    )
  }

  private static let question = "[\"New password: \", \"Once more: \"]"

  @Test("an expired password is sent again with the new one that was typed twice")
  func change() {
    var planner = planner()
    let words = planner.play(
      .begin,
      .refused("password"),
      .passwordExpired,
      .newPasswordWanted(instruction: "Expired"),
      .typed("a", "b"),
      .typed("", ""),
      .typed("new", "new"),
      .newPasswordWanted(instruction: "Too short"),
      .typed("newer", "newer"),
      .succeeded
    )
    #expect(
      words == [
        "none", "password old", "change old", "ask new - \(Self.question) #0",
        "ask new different \(Self.question) #0", "ask new empty \(Self.question) #0",
        "respond [\"new\"]", "ask new refused \(Self.question) #1", "respond [\"newer\"]",
        "finished",
      ]
    )
    #expect(planner.tried == ["password"])
  }

  @Test("a change that was made and is not enough goes on with the next method")
  func partial() {
    var planner = planner()
    let words = planner.play(
      .begin,
      .refused("password"),
      .passwordExpired,
      .newPasswordWanted(instruction: ""),
      .typed("new", "new"),
      .partial("keyboard-interactive")
    )
    #expect(words.last == "interactive")
  }

  @Test("a refused change asks for the password again, as often as for any")
  func refused() {
    var planner = planner(password: nil)
    _ = planner.play(.begin, .refused("password"))
    for _ in 0..<3 {
      _ = planner.play(
        .typed("old"),
        .passwordExpired,
        .newPasswordWanted(instruction: ""),
        .typed("new", "new")
      )
      _ = planner.play(.refused("password"))
    }
    #expect(
      planner.play(.begin).first
        == "failed \(ConnectionFailureCause.authenticationFailed(tried: ["password"], offered: ["password"]))"
    )
  }

  @Test("giving up on a new password cancels the attempt")
  func declined() {
    var planner = planner()
    let words = planner.play(
      .begin,
      .refused("password"),
      .passwordExpired,
      .newPasswordWanted(instruction: ""),
      .declined
    )
    #expect(words.last == "failed cancelled")
  }

  @Test("a server that never takes a new password is left in the end")
  func endless() {
    var planner = planner()
    _ = planner.play(.begin, .refused("password"), .passwordExpired)
    var words = ""
    for _ in 0..<100 {
      words = planner.play(.newPasswordWanted(instruction: "No")).joined()
      guard words.hasPrefix("ask") else { break }
      _ = planner.play(.typed("new", "new"))
    }
    #expect(words.hasPrefix("failed disconnected"))
  }
}
