import TermindTestSupport
import Testing

/// What is typed on a line that is slow both ways.
@Suite("Local echo on a slow line", .serialized) struct LocalEchoTests {
  /// On the way in either direction; long, so that what is seen before it has passed twice cannot be an echo.
  private static let delay = 1_500
  let home: TerminalHome
  let server: OpenSSHServer

  init() async throws {
    home = try TerminalHome()
    server = try await OpenSSHServer()
    try server.folder.write("home/.bash_profile", "PS1='\(TerminalHome.prompt) '\n")
  }

  private func connected() async throws -> (TmuxTerminal, SlowLink) {
    try home.write(configuration: "local-echo = on\nshell-integration = on\n")
    let link = try await SlowLink(to: server.port, delay: Self.delay, rate: 1_000_000)
    let terminal = try await TmuxTerminal(
      home,
      ["ssh", "-i", server.userKey, "-p", "\(link.port)", "\(OpenSSHServer.user)@127.0.0.1"]
    )
    try await terminal.trust()
    try await terminal.wait(for: TerminalHome.prompt)
    return (terminal, link)
  }

  /// Whether anything is underlined in a capture with its styles; 4 within a colour is something else.
  private func isUnderlined(_ styled: String) -> Bool {
    styled.contains(/\u{1B}\[(?:[0-9];)*4(?::[0-9])?(?:;[0-9])*m/)
  }

  @Test("a letter at the prompt is shown, underlined, long before its echo can be there")
  func shown() async throws {
    let (terminal, link) = try await connected()
    defer { _ = link.port }
    let start = ContinuousClock.now
    try await terminal.type("e")
    try await terminal.wait(for: "\(TerminalHome.prompt) e")
    #expect(start.duration(to: .now) < .milliseconds(2 * Self.delay))
    #expect(try await isUnderlined(terminal.styledScreen()))
    try await terminal.type("cho done-$((1+1))")
    try await terminal.wait("the echo has come") { rows in
      rows.contains { $0.contains("\(TerminalHome.prompt) echo done-$((1+1))") }
    }
    _ = try await home.poll("nothing is underlined", { _ in try await terminal.styledScreen() }) {
      !isUnderlined($0)
    }
    try await terminal.press("Enter")
    try await terminal.wait(for: "done-2")
  }

  @Test("there is no ghost of what is typed blindly, or in less")
  func noGhosts() async throws {
    let (terminal, link) = try await connected()
    defer { _ = link.port }
    let command =
      "echo asking-$((1+1)); read -s word; echo got-${#word}; printf 'top-%s\\n' $(seq 300) | less"
    try await terminal.type(command + "\n")
    try await terminal.wait(for: "asking-2")
    for letter in "hidden" {
      try await terminal.type(String(letter))
      let rows = try await terminal.screen()
      #expect(rows.filter { $0.contains("│h") || $0.contains("hid") } == [])
    }
    try await terminal.press("Enter")
    try await terminal.wait(for: "top-1")
    try await terminal.type("zzz")
    // The lowest row has the hints of the window, one of which is a z.
    for _ in 0..<5 {
      #expect(try await terminal.screen().dropLast().filter { $0.contains("z") } == [])
    }
  }
}
