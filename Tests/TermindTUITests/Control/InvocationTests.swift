import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Command line") struct InvocationTests {
  @Test(
    "the words of a window",
    arguments: [
      ([], Invocation.window(.newWindow)),
      (["attach"], .window(.attach(nil))),
      (["attach", "3"], .window(.attach(WindowID(rawValue: 3)))),
      (["run", "top", "-d", "1"], .window(.run(["top", "-d", "1"]))),
      (["run", "--", "-odd", "--json"], .window(.run(["-odd", "--json"]))),
      (["ssh", "-p", "22", "a@b"], .window(.ssh(["-p", "22", "a@b"]))),
      // Which of such words are saved hosts, only the server knows.
      (["ssh", "my host"], .window(.ssh(["my host"]))),
      (["--demo"], .window(.demo)),
      (["--version"], .version),
      (["ls", "--json"], .list(isJSON: true)),
      (["doctor"], .doctor(isJSON: false)),
    ] as [([String], Invocation)]
  )
  func words(arguments: [String], expected: Invocation) throws {
    #expect(try Invocation(arguments[...]) == expected)
  }

  private static let usage = "Write [user@]host, with -p PORT, -l USER, -i KEY or -J HOPS."

  @Test(
    "what is not known is refused by name",
    arguments: [
      (["--frob"], "unknown option '--frob'"),
      (["frob"], "unknown command 'frob'"),
      (["attach", "--x"], "attach has no option '--x'"),
      (["attach", "zero"], "attach needs the number of a window (see termind ls), not 'zero'"),
      (["attach", "1", "2"], "attach does not take '2'"),
      (["run"], "run needs a command"),
      (["run", "-x"], "run has no option '-x'; put -- before a command that begins so"),
      (["ssh"], "ssh needs a host"),
      (
        ["ssh", "-o", "A=b", "host"],
        "The option ‘-o’ is not known here. \(usage)"
      ),
      (["ssh", "-i"], "The option ‘-i’ needs a value behind it. \(usage)"),
      (["ssh", ""], "No host is named. \(usage)"),
      (
        ["ssh", "-p", "abc", "host"],
        "‘abc’ is no port. A port is a number from 1 to 65535."
      ),
      (
        ["ssh", "host", "cmd"],
        "The word ‘cmd’ stands behind the host. Name one host; a command for it cannot be given here."
      ),
      (
        ["ssh", "-J", "a,,b", "host"],
        "A jump host is missing in ‘a,,b’. Take a comma away, or name a host there."
      ),
      (["ls", "more"], "ls does not take 'more'"),
      (["--demo", "x"], "--demo does not take 'x'"),
      (["quit", "--now"], "quit has no option '--now'"),
    ] as [([String], String)]
  )
  func refused(arguments: [String], text: String) {
    #expect(throws: UsageError(text)) { try Invocation(arguments[...]) }
  }
}
