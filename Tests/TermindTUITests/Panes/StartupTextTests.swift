import TermindDomain
import Testing

@testable import TermindTUI

@Suite("What a host runs first") @MainActor struct StartupTextTests {
  private func snippet(_ text: String) -> SnippetRecord { SnippetRecord(name: "s", text: text) }

  @Test("standard values are filled in, and only the ends of the last line are left out")
  func filled() {
    #expect(StartupText(snippet("a {{x=1}}\nb\n\n"), wasUsed: false) == .text("a 1\nb"))
    #expect(StartupText(snippet("\n"), wasUsed: false) == .nothing)
  }

  @Test("a place without a value is asked for, and what is filled in is sent as it is")
  func asks() {
    let open = snippet("{{a}} {{b=1}} {{a}}\n")
    #expect(StartupText(open, wasUsed: false) == .asks(open))
    #expect(StartupText(filled: open.filled(inOrder: ["x", "y"])) == .text("x y x"))
    #expect(StartupText(filled: snippet("{{a}}").filled(inOrder: [""])) == .nothing)
  }

  @Test("a typed key and a snippet that is gone are reasons in words")
  func refused() {
    func reason(_ text: StartupText) -> String? {
      if case .refused(let reason) = text { reason } else { nil }
    }
    #expect(reason(StartupText(snippet("{{a}}"), wasUsed: true))?.contains("typed before") == true)
    #expect(reason(StartupText(snippet("x"), wasUsed: true))?.contains("typed before") == true)
    #expect(reason(StartupText(nil, wasUsed: false))?.contains("deleted") == true)
  }

  @Test("a line editor that is ready, a quiet shell, and the end of patience each run it once")
  func ready() async {
    func count(_ quiet: Duration, _ patience: Duration, _ steps: (RunFirst) -> Void) async -> Int {
      var runs = 0
      await withCheckedContinuation { continuation in
        var waiting: CheckedContinuation<Void, Never>? = continuation
        let first = RunFirst(patience: patience, quiet: quiet) {
          runs += 1
          waiting?.resume()
          waiting = nil
        }
        steps(first)
        first.printed(isReady: true)
        first.printed(isReady: true)
      }
      return runs
    }
    #expect(await count(.seconds(60), .seconds(60)) { $0.printed(isReady: false) } == 1)
    var runs = 0
    let quiet = await withCheckedContinuation { (done: CheckedContinuation<RunFirst, Never>) in
      var made: RunFirst?
      let first = RunFirst(patience: .seconds(60), quiet: .milliseconds(1)) {
        runs += 1
        if let made { done.resume(returning: made) }
      }
      made = first
      first.printed(isReady: false)
    }
    quiet.printed(isReady: true)
    #expect(runs == 1)
    let stopped = RunFirst { runs += 1 }
    stopped.stop()
    stopped.printed(isReady: true)
    #expect(runs == 1)
  }
}
