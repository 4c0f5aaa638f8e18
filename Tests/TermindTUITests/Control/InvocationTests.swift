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
      (["--demo"], .window(.demo)),
      (["--version"], .version),
      (["ls", "--json"], .list(isJSON: true)),
      (["doctor"], .doctor(isJSON: false)),
    ] as [([String], Invocation)]
  )
  func words(arguments: [String], expected: Invocation) throws {
    #expect(try Invocation(arguments[...]) == expected)
  }

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
      (["ls", "more"], "ls does not take 'more'"),
      (["--demo", "x"], "--demo does not take 'x'"),
      (["quit", "--now"], "quit has no option '--now'"),
    ] as [([String], String)]
  )
  func refused(arguments: [String], text: String) {
    #expect(throws: UsageError(text)) { try Invocation(arguments[...]) }
  }
}
