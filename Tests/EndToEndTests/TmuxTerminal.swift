import Foundation
import TermindTestSupport

/// A terminal of tmux's own making, in which the built `termind` runs as a person would run it.
///
/// tmux is an independent reader of what we write. Each terminal has a tmux server of its own, which
/// ends with the object.
final class TmuxTerminal: Sendable {
  private let socket: String
  private let folder: TemporaryFolder
  let home: TerminalHome

  /// Starts a program in a terminal of a given size.
  init(
    _ home: TerminalHome,
    _ arguments: [String] = [],
    columns: Int = 80,
    rows: Int = 24,
    environment: [String] = []
  ) async throws {
    self.home = home
    folder = try TemporaryFolder()
    socket = folder.file("tmux.sock")
    let variables = home.environment + environment
    let words = ["env"] + variables + [home.program] + arguments
    let command = words.map(Self.quoted).joined(separator: " ")
    try await tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "\(command); echo \"[exit $?]\"; exec cat",
    ])
    try await tmux(["set-option", "-g", "status", "off"])
    // With the status line gone the terminal has all its rows.
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  deinit {
    // Its own server; nothing else can be behind this socket.
    _ = try? TestProgram("/usr/bin/tmux", ["-S", socket, "kill-server"])
  }

  /// Presses keys by tmux's names; single words are typed literally when no key has that name.
  func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

  /// Types text as it is.
  func type(_ text: String) async throws { try await tmux(["send-keys", "-l", text]) }

  /// Gives the terminal another size.
  func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Kills the terminal, as a closed window of a desktop does.
  func kill() async throws { try await tmux(["kill-server"]) }

  /// What the terminal shows, row by row.
  func screen() async throws -> [String] {
    try await tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The number of the process that tmux runs in the terminal.
  func shellProcess() async throws -> Int32 {
    let text = try await tmux(["display-message", "-p", "#{pane_pid}"])
    guard let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw TestFailure("tmux told no process: \(text)")
    }
    return number
  }

  /// Waits until the screen meets a condition; throws with the screen when that takes too long.
  @discardableResult
  func wait(
    seconds: Double = 20,
    _ what: String,
    until condition: ([String]) -> Bool
  ) async throws -> [String] {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    while true {
      let rows = try await screen()
      if condition(rows) { return rows }
      guard clock.now < deadline else {
        throw TestFailure("\(what) did not come:\n\(rows.joined(separator: "\n"))")
      }
      // tmux tells nobody that its screen changed, so it has to be asked.
      try await Task.sleep(for: .milliseconds(25))
    }
  }

  /// Waits until a row contains a text.
  @discardableResult
  func wait(for text: String, seconds: Double = 20) async throws -> [String] {
    try await wait(seconds: seconds, "'\(text)'") { rows in rows.contains { $0.contains(text) } }
  }

  @discardableResult
  private func tmux(_ arguments: [String]) async throws -> String {
    try await TestProgram.run("/usr/bin/tmux", ["-S", socket] + arguments)
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
