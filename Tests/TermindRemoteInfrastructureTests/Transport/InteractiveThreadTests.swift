import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Every order that the thread is given is answered, in whatever order the stop comes.
@Suite("The thread that waits for the person", .timeLimit(.minutes(3)))
struct InteractiveThreadTests {
  /// Asks twice, and says whether it was answered both times.
  private func start() throws -> InteractiveThread {
    let session = try #require(SSH2SessionHandle(mailbox: SessionMailbox()))
    return try InteractiveThread(session: session) { session in
      let challenge = InteractiveChallenge(title: "", instruction: "", prompts: [("Code: ", false)])
      let answers = (0..<2).compactMap { _ in session.mailbox.answerRound?(challenge).first }
      return answers.count == 2 ? .done : .failed(code: -1, text: "")
    }
  }

  private func name(_ event: InteractiveThread.Event) -> String {
    switch event {
    case .asked: "asked"
    case .returned(.done): "done"
    case .returned: "failed"
    case .stopped: "stopped"
    }
  }

  /// What the thread does until it returns or has stopped; it is stopped before the event of that number.
  private func events(stopBefore place: Int) async throws -> [String] {
    let thread = try start()
    defer { thread.stop() }
    return try await withDeadline("the thread", seconds: 20) {
      var names: [String] = []
      for number in 0..<4 {
        if number == place { thread.stop() }
        let event = number == 0 ? await thread.call() : await thread.answer([SecretBytes("1".utf8)])
        names.append(name(event))
        if case .asked = event { continue }
        break
      }
      return names
    }
  }

  @Test("a call that is answered twice returns") func whole() async throws {
    #expect(try await events(stopBefore: 9) == ["asked", "asked", "done"])
  }

  @Test("an order that comes after the stop is answered at once") func stopped() async throws {
    #expect(try await events(stopBefore: 0) == ["stopped"])
    // Either the call fails for want of answers, or the thread is gone already.
    for place in 1...2 {
      let names = try await events(stopBefore: place)
      #expect(names.dropLast() == Array(repeating: "asked", count: place)[...])
      #expect(["failed", "stopped"].contains(names.last), "\(names)")
    }
  }

  @Test("a stop beside an order never loses it") func race() async throws {
    for number in 0..<200 {
      let thread = try start()
      let stopper = Task { thread.stop() }
      let last = try await withDeadline("the thread", seconds: 20) {
        var event = await thread.call()
        while case .asked = event { event = await thread.answer([SecretBytes("1".utf8)]) }
        return event
      }
      #expect(["done", "failed", "stopped"].contains(name(last)), "\(number)")
      await stopper.value
    }
  }
}
