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

  private func connected(
    delay: Int = Self.delay
  ) async throws -> (TmuxTerminal, SlowLink) {
    try home.write(configuration: "local-echo = on\nshell-integration = on\n")
    let link = try await SlowLink(to: server.port, delay: delay, rate: 1_000_000)
    let terminal = try await TmuxTerminal(
      home,
      ["ssh", "-i", server.userKey, "-p", "\(link.port)", "\(OpenSSHServer.user)@127.0.0.1"]
    )
    try await terminal.trust()
    try await terminal.wait(for: TerminalHome.prompt)
    return (terminal, link)
  }

  /// Whether something in a text with its styles turns underlining on; 4 within a colour is something else.
  private func isUnderlined(_ styled: String) -> Bool {
    styled.matches(of: /\u{1B}\[([0-9;:]*)m/).contains { match in
      var codes = match.1.split(separator: ";", omittingEmptySubsequences: false)[...]
      while let code = codes.popFirst() {
        if code == "4" || code.hasPrefix("4:") && code != "4:0" { return true }
        guard code == "38" || code == "48" || code == "58" else { continue }
        codes = codes.dropFirst(codes.first == "2" ? 4 : 2)
      }
      return false
    }
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

  @Test("Backspace takes letters back at once, and typing goes on behind it")
  func backspace() async throws {
    let (terminal, link) = try await connected()
    defer { _ = link.port }
    let start = ContinuousClock.now
    try await terminal.type("echa")
    try await terminal.press("BSpace")
    try await terminal.type("o")
    try await terminal.wait("the corrected word") { rows in
      rows.contains { $0.hasSuffix("\(TerminalHome.prompt) echo") }
    }
    #expect(start.duration(to: .now) < .milliseconds(2 * Self.delay))
    #expect(try await isUnderlined(terminal.styledScreen()))
    try await terminal.type(" after-$((1+1))\n")
    try await terminal.wait(for: "after-2")
  }

  /// Types letters at a person's pace into a program that is in front, and expects that none is ever shown as a guess.
  ///
  /// Everything that the outer terminal is sent meanwhile is looked at, so that no guess is too short to be seen.
  private func typesWithoutGhosts(
    _ text: String,
    _ terminal: TmuxTerminal,
    log: String,
    until isOver: ([String]) -> Bool
  ) async throws {
    let before = try TemporaryFolder.read(log).utf8.count
    for letter in text {
      try await terminal.type(String(letter))
      try await Task.sleep(for: .milliseconds(30))
    }
    try await terminal.wait("the end of \(text)", until: isOver)
    let sent = try TemporaryFolder.read(log).utf8.dropFirst(before)
    #expect(!isUnderlined(String(decoding: Array(sent), as: UTF8.self)), "\(text)")
  }

  @Test("100 ms each way, no ghost is shown in vim, in less, or at the question of a password")
  func fullScreenPrograms() async throws {
    try server.folder.write("home/lines", (1...200).map { "top-\($0)\n" }.joined())
    let asks = try server.folder.write(
      "home/ask",
      """
      #!/bin/sh
      # Somebody who has to give a password: another account than root.
      if [ "$(id -u)" = 0 ]; then set -- /usr/sbin/runuser -u nobody --; fi
      if command -v sudo >/dev/null; then exec "$@" sudo -k true; else exec "$@" su -c true; fi
      """,
      mode: 0o755
    )
    let (terminal, link) = try await connected(delay: 100)
    defer { _ = link.port }
    let log = try await terminal.record()
    // Guesses are shown here, so that what follows tells something.
    try await terminal.type("echo go-$((1+1))")
    _ = try await home.poll("a guess", { _ in try TemporaryFolder.read(log) }, until: isUnderlined)
    try await terminal.type("\n")
    try await terminal.wait(for: "go-2")

    try await terminal.type("vim -u NONE -N -n +startinsert\n")
    try await terminal.wait(for: "-- INSERT --")
    try await typesWithoutGhosts("written in vim", terminal, log: log) { rows in
      rows.contains { $0.contains("written in vim") }
    }
    try await terminal.press("Escape")
    try await terminal.wait(without: "-- INSERT --")
    try await terminal.type(":q!\n")
    try await terminal.wait(without: "written in vim")

    try await terminal.type("clear; less \(server.folder.file("home/lines"))\n")
    try await terminal.wait(for: "top-1")
    try await typesWithoutGhosts("jjjjjjjj", terminal, log: log) { rows in
      rows.contains { $0.contains("top-9") } && !rows.contains { $0.hasSuffix("top-8") }
    }
    try await terminal.type("q")
    try await terminal.wait(without: "top-12")

    try await terminal.type("clear; \(asks)\n")
    try await terminal.wait("the question") { $0.contains { $0.lowercased().contains("assword") } }
    let before = try TemporaryFolder.read(log).utf8.count
    for letter in "hidden" {
      try await terminal.type(String(letter))
      #expect(try await !terminal.screen().contains("hid"))
    }
    try await terminal.press("C-c")
    try await terminal.type("echo over-$((1+1))\n")
    try await terminal.wait(for: "over-2")
    let sent = try TemporaryFolder.read(log).utf8.dropFirst(before)
    #expect(!String(decoding: Array(sent), as: UTF8.self).contains("hidden"))
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
