import TermindTestSupport

extension TmuxTerminal {
  /// The words that connect to a server with its user key.
  static func words(_ server: OpenSSHServer, key: String? = nil) -> [String] {
    ["ssh", "-i", key ?? server.userKey, "-p", "\(server.port)", "\(OpenSSHServer.user)@127.0.0.1"]
  }

  /// Starts `termind ssh` with a server, trusts its key, and waits for the connection.
  static func connected(
    _ home: TerminalHome,
    to server: OpenSSHServer
  ) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal(home, words(server))
    try await terminal.trust()
    try await terminal.waitForConnection()
    return terminal
  }

  /// Trusts the host key that is asked about, and remembers it.
  func trust() async throws {
    try await wait(for: "SHA256:")
    try await press("Tab", "Enter")
  }

  /// Waits until a remote pane is up.
  func waitForConnection() async throws { try await wait(for: "● up") }

  /// Starts what has ended in the only pane again.
  ///
  /// Keys right after an end are still taken for the program's, so the key is pressed until it counts.
  func startAgain(_ home: TerminalHome) async throws {
    let clock = ContinuousClock()
    for _ in 0..<40 {
      try await press("r")
      // A second press could come when the new program is there already, and would be typed into it.
      let next = clock.now + .seconds(1)
      while clock.now < next {
        if try await home.panes().first?.state != "ended" { return }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    throw TestFailure("it did not start again")
  }
}
