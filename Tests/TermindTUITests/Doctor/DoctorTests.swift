import FoundationEssentials
import Glibc
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
    #expect(terminal.text.contains("'sidebar' is wide, narrow or hidden"))
    #expect(try Data(contentsOf: URL(filePath: home.paths.store)) == bytes)
  }
}
