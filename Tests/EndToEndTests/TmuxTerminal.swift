import Foundation
import Glibc
import TermindTestSupport

/// A terminal of tmux's own making, in which the built `termind` runs as a person would run it.
///
/// tmux is an independent reader of what we write. Each terminal has a tmux server of its own, which
/// ends with the object.
final class TmuxTerminal: Sendable {
  private let socket: String
  private let folder: TemporaryFolder
  private let server: pid_t
  let home: TerminalHome

  /// Starts `termind` with arguments in a terminal of a given size; what it exits with is shown after.
  convenience init(
    _ home: TerminalHome,
    _ arguments: [String] = [],
    columns: Int = 100,
    rows: Int = 30,
    environment: [String] = []
  ) async throws {
    let words = ["env"] + home.environment + environment + [home.program] + arguments
    let command = words.map(Self.quoted).joined(separator: " ")
    try await self.init(
      home,
      command: "\(command); echo \"[exit $?]\"; exec cat",
      columns: columns,
      rows: rows
    )
  }

  /// Starts a command of the shell in a terminal of a given size.
  init(_ home: TerminalHome, command: String, columns: Int, rows: Int) async throws {
    self.home = home
    folder = try TemporaryFolder()
    socket = folder.file("tmux.sock")
    let started = try await TestProgram.run(
      "/usr/bin/tmux",
      [
        "-u", "-S", socket, "-f", "/dev/null", "start-server", ";",
        "set-option", "-g", "status", "off", ";", "set-option", "-g", "set-clipboard", "on", ";",
        "set-option", "-sg", "escape-time", "0", ";",
        "new-session", "-d", "-c", home.folder.path, "-x", "\(columns)", "-y", "\(rows)", command,
        ";",
        "display-message", "-p", "#{pid}",
      ]
    )
    guard let server = pid_t(started.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw TestFailure("tmux told no process: \(started)")
    }
    self.server = server
  }

  deinit {
    // Its own server; with it go the terminal and what runs in it.
    Glibc.kill(server, SIGTERM)
  }

  /// Starts `termind` and opens a local shell from its Welcome screen.
  static func withShell(
    _ home: TerminalHome,
    columns: Int = 100,
    rows: Int = 30,
    environment: [String] = []
  ) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal(
      home,
      columns: columns,
      rows: rows,
      environment: environment
    )
    try await terminal.wait(for: "Termind")
    try await terminal.press("C-t")
    try await terminal.wait(for: TerminalHome.prompt)
    return terminal
  }

  // MARK: What a person does

  /// Presses keys by tmux's names; single words are typed literally when no key has that name.
  func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

  /// Presses the leader and then keys.
  func leader(_ keys: String...) async throws { try await tmux(["send-keys", "C-Space"] + keys) }

  /// Types text as it is, with Enter for each line's end; also the bytes of a key that tmux does not know.
  func type(_ text: String) async throws {
    try await tmux(["send-keys", "-l", "--", text.replacingOccurrences(of: "\n", with: "\r")])
  }

  /// Types text, and more of it after a person's pause, in one errand to tmux.
  func type(_ text: String, then more: String, after seconds: Double) async throws {
    func keys(_ text: String) -> [String] {
      ["send-keys", "-l", "--", text.replacingOccurrences(of: "\n", with: "\r")]
    }
    try await tmux(keys(text) + [";", "run-shell", "sleep \(seconds)", ";"] + keys(more))
  }

  /// Pastes as the terminal does, framed when the program asked for that.
  func paste(_ text: String) async throws {
    try await tmux(["set-buffer", text, ";", "paste-buffer", "-p", "-r"])
  }

  /// Pastes what is in a file.
  func pasteFile(_ path: String) async throws {
    try await tmux(["load-buffer", path, ";", "paste-buffer", "-p", "-r"])
  }

  /// Sends reports of the mouse; rows and columns are those of the terminal, zero-based.
  func mouse(_ actions: MouseAction...) async throws {
    try await type(actions.map(\.bytes).joined())
  }

  /// Gives the terminal another size.
  func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Kills the terminal, as a closed window of a desktop does.
  func kill() async throws { try await tmux(["kill-server"]) }

  // MARK: What is seen

  /// What the terminal shows, row by row.
  func screen() async throws -> [String] {
    try await tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// The same with the styles, as the sequences that tmux would send.
  func styledScreen() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]) }

  /// A value of tmux's about the terminal, such as `pane_tty` or `mouse_any_flag`.
  func value(_ name: String) async throws -> String {
    try await tmux(["display-message", "-p", "#{\(name)}"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The text that a program last put into the clipboard.
  func clipboard() async throws -> String { try await tmux(["show-buffer"]) }

  /// Writes every byte that the terminal receives from now on into a file, and gives its path.
  func record() async throws -> String {
    let path = folder.file("output")
    try await tmux(["pipe-pane", "-o", "exec cat >> \(path)"])
    return path
  }

  /// The terminal's line settings as `stty` prints them.
  func modes() async throws -> String {
    try await TestProgram.run("/usr/bin/stty", ["-F", try await value("pane_tty"), "-a"])
  }

  /// The number of the client's process, which runs below the shell of the terminal.
  func clientProcess() async throws -> pid_t {
    let shell = try await value("pane_pid")
    let path = "/proc/\(shell)/task/\(shell)/children"
    guard
      let number = try TemporaryFolder.read(path).split(separator: " ").first.flatMap({ pid_t($0) })
    else { throw TestFailure("the shell \(shell) has no child") }
    return number
  }

  /// Waits until the screen meets a condition; throws with the screen when that takes too long.
  @discardableResult
  func wait(
    seconds: Double = 60,
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
      try await Task.sleep(for: .milliseconds(30))
    }
  }

  /// Waits until a row contains a text.
  @discardableResult
  func wait(for text: String, seconds: Double = 60) async throws -> [String] {
    try await wait(seconds: seconds, "'\(text)'") { $0.contains(text) }
  }

  /// Waits until no row contains a text.
  @discardableResult
  func wait(without text: String) async throws -> [String] {
    try await wait("the end of '\(text)'") { !$0.contains(text) }
  }

  @discardableResult
  private func tmux(_ arguments: [String]) async throws -> String {
    try await TestProgram.run("/usr/bin/tmux", ["-u", "-S", socket] + arguments)
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

/// Something that a mouse does, as the bytes of xterm's SGR reports.
enum MouseAction {
  case press(row: Int, column: Int, shift: Bool = false)
  case drag(row: Int, column: Int)
  case release(row: Int, column: Int)
  case move(row: Int, column: Int)
  case wheelUp(row: Int, column: Int)
  case wheelDown(row: Int, column: Int)

  var bytes: String {
    switch self {
    case .press(let row, let column, let shift):
      "\u{1B}[<\(shift ? 4 : 0);\(column + 1);\(row + 1)M"
    case .drag(let row, let column): "\u{1B}[<32;\(column + 1);\(row + 1)M"
    case .release(let row, let column): "\u{1B}[<0;\(column + 1);\(row + 1)m"
    case .move(let row, let column): "\u{1B}[<35;\(column + 1);\(row + 1)M"
    case .wheelUp(let row, let column): "\u{1B}[<64;\(column + 1);\(row + 1)M"
    case .wheelDown(let row, let column): "\u{1B}[<65;\(column + 1);\(row + 1)M"
    }
  }
}

extension [String] {
  /// Whether a row contains a text.
  func contains(_ text: String) -> Bool { contains { $0.contains(text) } }

  /// The columns at which a row has a character.
  func columns(of character: Character, row: Int) -> [Int] {
    guard indices.contains(row) else { return [] }
    return self[row].enumerated().filter { $0.element == character }.map(\.offset)
  }

  /// Where a text begins.
  func place(of text: String) -> (row: Int, column: Int)? {
    for (row, line) in enumerated() {
      if let found = line.range(of: text) {
        return (row, line.distance(from: line.startIndex, to: found.lowerBound))
      }
    }
    return nil
  }
}
