import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("Odd surroundings", .serialized) struct SurroundingsTests {
  @Test(
    "a terminal in which nothing can be drawn is refused, with the reason",
    arguments: [("dumb", "'dumb' cannot place its cursor"), ("", "TERM is not set")]
  )
  func unaddressable(name: String, reason: String) async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, environment: ["TERM=\(name)"])
    let rows = try await terminal.wait(for: "[exit 1]")
    #expect(rows.contains(reason))
    #expect(try await home.windows().isEmpty)
  }

  @Test("tmux under another name draws whole borders")
  func tmuxAsXterm() async throws {
    let terminal = try await TmuxTerminal.withShell(
      try TerminalHome(),
      columns: 80,
      rows: 12,
      environment: ["TERM=xterm"]
    )
    let rows = try await terminal.wait("the whole border") { rows in
      rows.contains(String(repeating: "─", count: 60))
    }
    #expect(!rows.contains("-J jump"))
  }

  @Test("everything that is wrong in the configuration is in the log and with the doctor")
  func configurationErrors() async throws {
    let home = try TerminalHome()
    try home.write(
      configuration: "sidebar = big\nscrollback-lines = -5\nright-clik-paste = true\n"
    )
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "! config:1:")
    let log = try TemporaryFolder.read(home.folder.file("home") + "/state/termind.log")
    let doctor = try TestProgram(home.program, ["doctor"], environment: home.variables)
    #expect(try await doctor.waitForExit() == 1)
    for line in ["config/config:1: ", "config/config:2: ", "config/config:3: 'right-clik-paste'"] {
      #expect(log.contains(line))
      #expect(doctor.text.contains(line))
    }
  }

  @Test("a configuration that is no text is named, not passed over in silence")
  func binaryConfiguration() async throws {
    let home = try TerminalHome()
    try home.write(configuration: "")
    let file = home.folder.file("home") + "/config/config"
    try Data([0x66, 0xFF, 0xFE, 0x0A]).write(to: URL(filePath: file))
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "! config: it cannot be read as UTF-8 text")
  }

  @Test("a folder or a pipe in the configuration's place is named, and holds nothing up")
  func noConfiguration() async throws {
    for isPipe in [false, true] {
      let home = try TerminalHome()
      for name in ["home", "home/config"] { mkdir(home.folder.file(name), 0o700) }
      let file = home.folder.file("home") + "/config/config"
      #expect((isPipe ? mkfifo(file, 0o600) : mkdir(file, 0o700)) == 0)
      let terminal = try await TmuxTerminal(home)
      try await terminal.wait(for: "! config: it is not a plain file")
      let doctor = try TestProgram(home.program, ["doctor"], environment: home.variables)
      #expect(try await doctor.waitForExit() == 1)
      #expect(doctor.text.contains("it is not a plain file"))
    }
  }

  @Test("a server that ended leaves the store in one file")
  func storeClosed() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "connect to a host")
    try await home.run("host", "add", "web", "--address", "192.0.2.1")
    let store = home.folder.file("home") + "/data/termind.sqlite"
    #expect(FileManager.default.fileExists(atPath: store + "-wal"))
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    // The window is given back before the store is closed, and the process goes after that.
    _ = try await home.poll(
      "the store in one file",
      { _ in FileManager.default.fileExists(atPath: store + "-wal") }
    ) { !$0 }
    #expect(try await home.run("host", "list").contains("192.0.2.1"))
  }

  @Test("of the chords, only Ctrl-d closes a pane whose program has ended")
  func chordsInEndedPane() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["run", "--", "sh", "-c", "echo last-$((2+3))"])
    try await terminal.wait(for: "has ended")
    try await terminal.press("M-d", "M-r")
    // Keys are taken in order: what was pressed before the new workspace has had its effect.
    try await terminal.leader("c")
    try await terminal.wait(for: TerminalHome.prompt)
    #expect(try await home.panes().map(\.state) == ["ended", "up"])
    try await terminal.leader("1")
    try await terminal.wait(for: "has ended")
    // Keys of the first half second after an end are taken for the program's; only time ends that.
    try await Task.sleep(for: .milliseconds(700))
    try await terminal.press("C-d")
    _ = try await home.poll("one pane", { try await $0.panes() }) { $0.map(\.state) == ["up"] }
  }
}
