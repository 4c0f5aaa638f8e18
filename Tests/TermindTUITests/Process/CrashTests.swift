import Glibc
import TermindDomain
import TermindInfrastructure
import TermindTerminal
import TermindTestSupport
import Testing

@testable import TermindTUI

/// What a crash leaves of the terminal's modes, the keyboard protocol first of all.
@Suite("Terminals after a crash", .timeLimit(.minutes(10))) struct CrashTests {
  /// The modes that a window turns on, with DECAWM (7) and DECTCEM (25), which it turns off.
  private static let numbers = [
    1, 7, 25, 69, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2027, 2031, 2048,
  ]

  private func settings(_ terminal: ModernTerminal) -> [Int?] {
    Self.numbers.map { terminal.setting(ofMode: $0) }
  }

  /// A terminal in which a shell has pushed flags of its own and a window has been shown since.
  private func taken(
    _ home: TestHome,
    _ arguments: [String] = []
  ) async throws -> (terminal: ModernTerminal, process: SpawnedProcess, before: [Int?]) {
    let terminal = try ModernTerminal()
    terminal.feed("\u{1B}[>5u\u{1B}]2;shell\u{7}before\r\n")
    let before = settings(terminal)
    let process = try terminal.outer.start(arguments, home: home.path)
    try await terminal.wait("the modes of a window") { modes in
      modes.isAlternateScreen && modes.kittyKeyboardFlags & 1 != 0 && modes.bracketedPaste
        && modes.focusReports && modes.mouseTracking != .off && modes.colorSchemeReports
        && modes.inBandSizeReports
    }
    return (terminal, process, before)
  }

  private func expectGivenBack(_ terminal: ModernTerminal, _ before: [Int?]) async throws {
    try await terminal.wait("the main screen") { !$0.isAlternateScreen }
    try await waitUntil("the line settings of before") { terminal.outer.isRestored }
    // The shell's own flags, neither ours nor none.
    #expect(terminal.modes.kittyKeyboardFlags == 5)
    let after = settings(terminal)
    for (number, pair) in zip(Self.numbers, zip(before, after)) {
      #expect(pair.0 == pair.1, "mode \(number)")
    }
    #expect(terminal.isCursorVisible)
    #expect(terminal.modes.modifyOtherKeys == 0)
    #expect(terminal.rows.first == "before")
  }

  @Test("the client gives everything back when the server is killed")
  func server() async throws {
    let home = try TestHome()
    let (terminal, process, before) = try await taken(home)
    home.killServer()
    #expect(try await terminal.outer.end(of: process) == .exited(status: 1))
    #expect(await terminal.outer.shows("the server ended unexpectedly"))
    try await expectGivenBack(terminal, before)
  }

  @Test("the server gives everything back when the client is killed")
  func client() async throws {
    let home = try TestHome()
    let (terminal, process, before) = try await taken(home)
    kill(process.number, SIGKILL)
    _ = try await terminal.outer.end(of: process)
    try await expectGivenBack(terminal, before)
  }

  @Test("also with more flags on, which a program in a pane asked for")
  func programFlags() async throws {
    let home = try TestHome()
    let (terminal, process, before) = try await taken(
      home,
      ["run", "--", "sh", "-c", "printf '\\033[>31u\\033[?1003h'; cat"]
    )
    try await terminal.wait("the program's flags") { modes in
      modes.kittyKeyboardFlags & 24 == 24 && modes.mouseTracking == .motion
    }
    home.killServer()
    #expect(try await terminal.outer.end(of: process) == .exited(status: 1))
    try await expectGivenBack(terminal, before)
  }

  @Test(
    "client and server killed together leave modes, which attaching and leaving again takes away"
  )
  func both() async throws {
    let home = try TestHome()
    let (terminal, process, before) = try await taken(home)
    let server = try #require(home.serverProcess)
    // Neither can do anything for the terminal any more.
    kill(process.number, SIGSTOP)
    kill(server, SIGKILL)
    kill(process.number, SIGKILL)
    _ = try await terminal.outer.end(of: process)
    #expect(terminal.modes.isAlternateScreen && !terminal.outer.isRestored)
    // Until it is gone, its socket would take the next client along.
    try await waitUntil("the end of the server") {
      (try? FileLock(path: home.paths.serverLock, note: "test")) != nil
    }
    let again = try terminal.outer.start(home: home.path)
    try await waitUntil("the next server") { home.serverProcess.map { $0 != server } ?? false }
    try await terminal.wait("the modes of a window") { $0.isAlternateScreen && $0.bracketedPaste }
    kill(again.number, SIGTERM)
    #expect(try await terminal.outer.end(of: again) == .exited(status: 128 + Int(SIGTERM)))
    try await terminal.wait("the main screen") { !$0.isAlternateScreen }
    let left = settings(terminal)
    for (number, pair) in zip(Self.numbers, zip(before, left)) {
      #expect(pair.0 == pair.1, "mode \(number)")
    }
    #expect(terminal.isCursorVisible)
  }
}
