import FoundationEssentials
import Glibc
import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

/// The built `termind doctor` in real terminals.
@Suite("Doctor", .timeLimit(.minutes(3))) struct DoctorTests {
  @Test("takes the terminal's answers and restores it")
  func answers() async throws {
    let home = try TestHome()
    let terminal = try TestTerminal()
    let process = try terminal.start(["doctor"], home: home.path)
    #expect(await terminal.shows("\u{1B}[c"))
    terminal.type("\u{1B}[?1u\u{1B}P>|Probe 7\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?64;52c")
    #expect(await terminal.shows("Surroundings"))
    let end = try await terminal.end(of: process)
    #expect(terminal.isRestored)
    let text = terminal.text
    #expect(text.contains("Probe 7"))
    #expect(text.contains("kitty protocol"))
    #expect(text.contains("synchronized output    yes"))
    #expect(text.contains("clipboard (OSC 52)     yes"))
    #expect(text.contains("\(home.path)/data (not made yet)"))
    #expect(text.contains("not running"))
    #expect(end == .exited(status: 0))
  }

  @Test("each host's engine is named once, with the reason where it is not the usual one")
  @MainActor func engines() {
    func pane(_ number: Int, _ host: String?, _ engine: String?, _ reason: String?) -> ControlPane {
      ControlPane(
        id: PaneID(rawValue: UInt32(number)),
        workspace: WorkspaceID(rawValue: 1),
        window: WindowID(rawValue: 1),
        kind: "ssh",
        title: "t",
        state: .up,
        host: host,
        engine: engine,
        engineReason: reason,
        focused: false,
        rows: 24,
        columns: 80
      )
    }
    let findings = Doctor.connections([
      pane(1, "me@web", "libssh2 1.10.0", nil), pane(2, nil, nil, nil),
      pane(3, "me@hard", "OpenSSH 9.2p1", "libssh2 and the server have no cipher in common"),
      pane(4, "me@web", "libssh2 1.10.0", nil),
    ])
    #expect(
      findings == [
        .init("me@web", "libssh2 1.10.0"),
        .init("me@hard", "OpenSSH 9.2p1, since libssh2 and the server have no cipher in common"),
      ]
    )
  }

  @Test("a terminal that never answers costs a bounded time")
  func silence() async throws {
    let home = try TestHome()
    let terminal = try TestTerminal()
    let process = try terminal.start(["doctor"], home: home.path)
    #expect(await terminal.shows("none within the time"))
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    #expect(terminal.isRestored)
  }

  @Test("an unsafe directory is wrong, with its remedy, and the exit status says so")
  func unsafeDirectory() async throws {
    let home = try TestHome()
    #expect(mkdir(home.paths.runtime, 0o700) == 0)
    #expect(chmod(home.paths.runtime, 0o755) == 0)
    let terminal = try TestTerminal()
    let process = try terminal.start(["doctor", "--json"], home: home.path)
    await terminal.shows("\u{1B}[c")
    terminal.type("\u{1B}[?1c")
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("chmod 700 \(home.paths.runtime)"))
    // The line is long enough to come in pieces.
    #expect(await terminal.shows("}\r\n"))
    let line = try #require(terminal.text.split(separator: "\r\n").last?.drop { $0 != "{" })
    let report = try JSONDecoder().decode(DoctorReport.self, from: Data(line.utf8))
    #expect(report.verdict == .wrong)
  }

  @Test(
    "a store that cannot be opened and a line of the configuration that is wrong are wrong, and stay"
  )
  func damaged() async throws {
    let home = try TestHome()
    for path in [home.paths.config, home.paths.data] {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    let bytes = Data("SQLite format 3\u{0}and then nothing that is one".utf8)
    try bytes.write(to: URL(filePath: home.paths.store))
    try Data("sidebar = sideways\n".utf8).write(to: URL(filePath: home.paths.config + "/config"))
    let terminal = try TestTerminal()
    let process = try terminal.start(["doctor"], home: home.path)
    await terminal.shows("\u{1B}[c")
    terminal.type("\u{1B}[?1c")
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("What is marked with ! is wrong"))
    #expect(terminal.text.contains("! store file"))
    // Here no key can be pressed.
    #expect(terminal.text.contains("Put a copy from before in its place"))
    #expect(!terminal.text.contains("to try again."))
    #expect(terminal.text.contains("'sidebar' is wide, narrow or hidden"))
    #expect(try Data(contentsOf: URL(filePath: home.paths.store)) == bytes)
  }
}
