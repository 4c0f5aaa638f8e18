import TermindTestSupport
import Testing

@Suite("Programs that ask for the clipboard", .serialized) struct ClipboardReadTests {
  @Test(
    "are told what was last copied where the setting allows it, and nothing otherwise",
    arguments: [
      ("clipboard-read = allow", "aGVsbG8="), ("clipboard-read = deny", ""),
      ("sidebar = hidden", ""),
    ]
  )
  func reads(setting: String, answer: String) async throws {
    let home = try TerminalHome()
    try home.write(configuration: setting + "\n")
    let terminal = try await TmuxTerminal.withShell(home)
    let script = try home.script(
      "ask",
      #"""
      stty -echo -icanon min 1
      printf '\033]52;c;aGVsbG8=\007\033]52;c;?\033\\'
      reply=
      while [ "${reply%\\}" = "$reply" ]; do reply=$reply$(dd bs=1 count=1 2>/dev/null); done
      stty sane
      echo "reply[$(printf %s "$reply" | tr -d '\033')]"
      """#
    )
    try await terminal.type("\(script)\n")
    try await terminal.wait(for: "reply[]52;c;\(answer)\\]")
    // What is copied goes to the outer terminal either way.
    #expect(try await terminal.clipboard() == "hello")
  }
}
