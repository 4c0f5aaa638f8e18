import TermindTestSupport
import Testing

/// A connection on which every byte is late.
@Suite("Slow links", .serialized) struct SlowLinkTests {
  @Test("a split dragged while output streams asks for few sizes, the last of them the right one")
  func dragOverSlowLink() async throws {
    let home = try TerminalHome()
    let server = try await OpenSSHServer(["LogLevel DEBUG1"])
    let link = try await SlowLink(to: server.port, delay: 120, rate: 200_000)
    let terminal = try await TmuxTerminal(
      home,
      ["ssh", "-i", server.userKey, "-p", "\(link.port)", "\(OpenSSHServer.user)@127.0.0.1"]
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.leader("|")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.state) == ["up", "up"]
    }
    let rows = try await terminal.wait("two panes") { $0[1].contains("┬") }
    let border = try #require(rows.columns(of: "┬", row: 1).first)
    try await home.enter(1, "while :; do echo streaming along; done")
    try await home.wait(1, for: "^streaming along")
    let before = requests(server)
    // There and back, as a hand does it; the reports come in bursts, faster than the link is.
    let start = ContinuousClock.now
    try await terminal.mouse(.press(row: 10, column: border))
    for burst in 0..<6 {
      let actions = (1...10).map { step in
        let place = burst * 10 + step
        return MouseAction.drag(row: 10, column: border - (place <= 40 ? place : 80 - place) / 2)
      }
      try await terminal.type(actions.map(\.bytes).joined())
    }
    try await terminal.mouse(
      .drag(row: 10, column: border - 17),
      .release(row: 10, column: border - 17)
    )
    try await terminal.wait("the border drawn once, where it was dropped") { rows in
      rows.columns(of: "┬", row: 1) == [border - 17]
    }
    let elapsed = start.duration(to: .now)
    try await terminal.leader("h")
    try await terminal.press("C-c")
    let size = try #require(try await home.panes().first)
    try await home.enter(1, "clear; stty size")
    try await home.wait(1, for: "^\(size.rows) \(size.columns)$")
    let asked = requests(server) - before
    // Each of 62 steps changes both panes; each asks at once, then twenty times a second.
    let most = 2 * (Int(elapsed / .milliseconds(50)) + 2)
    #expect((2...most).contains(asked), "\(asked) changes of the size in \(elapsed)")
    // Nothing of the border's old places is left.
    let screen = try await terminal.screen()
    let frame = try #require(screen.columns(of: "│", row: 6).first)
    #expect(
      screen[3..<28].allSatisfy { row in
        row.enumerated().filter { $0.element == "│" }.map(\.offset) == [frame, border - 17]
      }
    )
    withExtendedLifetime(link) {}
  }

  /// How many changes of the size the server was asked for.
  private func requests(_ server: OpenSSHServer) -> Int {
    server.log.split(whereSeparator: \.isNewline).filter { $0.contains("req window-change") }.count
  }
}
