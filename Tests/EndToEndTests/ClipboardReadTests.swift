import TermindTestSupport
import Testing

@Suite("Programs that ask for the clipboard", .serialized) struct ClipboardReadTests {
  private static let ask = #"""
    stty -echo -icanon min 1
    printf '\033]52;c;%s\007\033]52;c;?\033\\' "$1"
    reply=
    while [ "${reply%\\}" = "$reply" ]; do reply=$reply$(dd bs=1 count=1 2>/dev/null); done
    stty sane
    echo "reply[$(printf %s "$reply" | tr -d '\033')]"
    """#

  @Test("a host says what its programs may do with the clipboard, also while they run")
  func ofHost() async throws {
    let home = try TerminalHome()
    let server = try await OpenSSHServer()
    try server.folder.write("home/.bash_profile", "PS1='\(TerminalHome.prompt) '\n")
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
    try await home.run(
      "host",
      "add",
      "web",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey,
      "--clipboard",
      "off"
    )
    let script = try home.script("ask", Self.ask)
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    try await terminal.wait(for: TerminalHome.prompt)
    try await terminal.type("\(script) aGVsbG8=\n")
    try await terminal.wait(for: "web may not write the clipboard")
    try await terminal.wait(for: "reply[]52;c;\\]")
    await #expect(throws: TestFailure.self) { try await terminal.clipboard() }
    try await home.run("host", "edit", "web", "--clipboard", "read")
    try await terminal.type("clear; \(script) d29ybGQ=\n")
    try await terminal.wait(for: "reply[]52;c;d29ybGQ=\\]")
    #expect(try await terminal.clipboard() == "world")
    try await home.run("host", "edit", "web", "--clipboard", "write")
    try await terminal.type("clear; \(script) YWdhaW4=\n")
    try await terminal.wait(for: "reply[]52;c;\\]")
    #expect(try await terminal.clipboard() == "again")
  }

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
      Self.ask
    )
    try await terminal.type("\(script) aGVsbG8=\n")
    try await terminal.wait(for: "reply[]52;c;\(answer)\\]")
    // What is copied goes to the outer terminal either way.
    #expect(try await terminal.clipboard() == "hello")
  }
}
