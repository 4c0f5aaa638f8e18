import TermindPresentation
import Testing

@Suite("Words about commands") struct CommandTextTests {
  @Test(
    "times are short",
    arguments: [
      (Duration.milliseconds(0), "0ms"), (.milliseconds(999), "999ms"),
      (.milliseconds(2_460), "2.4s"),
      (.seconds(200), "3m 20s"), (.seconds(3_900), "1h 5m"),
    ]
  )
  func times(duration: Duration, text: String) { #expect(CommandText.duration(duration) == text) }

  @Test(
    "continued lines are joined, and a row shows the first line",
    arguments: [
      ("ls", "ls"), ("ls \\\n  -l", "ls -l"), ("a\\\\\nb", "a\\\\ …"),
      ("for x\ndo y\ndone", "for x …"),
      ("end\\", "end\\"), ("a\\\nb", "ab"),
    ]
  )
  func rows(command: String, row: String) { #expect(CommandText.row(command) == row) }

  @Test("a notification says what, how and how long")
  func notification() {
    let text = CommandText.notification(
      name: "web1",
      command: "make all",
      status: 2,
      duration: .seconds(90)
    )
    #expect(text == "web1: make all failed with 2 after 1m 30s")
  }

  @Test("a mark tells failures, and times from a second on")
  func marks() {
    #expect(CommandText.mark(status: 0, duration: .milliseconds(900)) == ("", ""))
    #expect(CommandText.mark(status: 130, duration: .seconds(2)) == ("✗ 130", "2.0s"))
  }
}
