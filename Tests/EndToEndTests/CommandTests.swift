import Foundation
import TermindTestSupport
import Testing

@Suite("Other commands of the program", .serialized) struct CommandTests {
  @Test("run opens a window whose first pane runs the command here")
  func run() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(
      home,
      ["run", "--", "sh", "-c", "echo ran-$((6*7)); exit 4"]
    )
    let rows = try await terminal.wait(for: "exited 4")
    #expect(rows.contains("ran-42"))
    #expect(try await home.panes().map(\.kind) == ["command"])
    try await terminal.wait(for: "The sh has ended with status 4")
    // One key runs it again, once it cannot be one that was typed for the program.
    _ = try await home.poll("its output twice") { _ in
      try await terminal.press("r")
      return try await terminal.screen()
    } until: { rows in
      rows.filter { $0.contains("ran-42") }.count > 1
    }
  }

  @Test("a command that does not exist is named in the pane")
  func runMissing() async throws {
    let terminal = try await TmuxTerminal(try TerminalHome(), ["run", "no-such-program"])
    let rows = try await terminal.wait(for: "no-such-program")
    #expect(rows.contains("Press r") || rows.contains("r again"))
  }

  @Test("the demonstration connects two hosts beside a local shell")
  func demonstration() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["--demo"])
    _ = try await home.poll("three live panes", { try? await $0.panes() }) {
      $0?.map(\.state) == ["up", "up", "up"]
    }
    #expect(try await home.panes().map(\.kind).sorted() == ["shell", "ssh", "ssh"])
    try await terminal.type("echo demo-$((6*7))\n")
    try await terminal.wait(for: "demo-42")
    try await terminal.press("C-Space", "S")
    try await terminal.wait(for: "SFTP")
    _ = try await home.poll("the files of a host", { try? await $0.panes() }) {
      $0?.map(\.state) == ["up", "up", "up", "up"]
    }
    let server = home.folder.file("home/state/sshd_config")
    #expect(try Self.isRunning(with: server))
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    _ = try await home.poll("the end of its server", { _ in try Self.isRunning(with: server) }) {
      !$0
    }
  }

  /// Whether a process names a file among its words, or in the title that it wrote over them.
  private static func isRunning(with argument: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { name in
      guard Int32(name) != nil else { return false }
      // A process that has ended meanwhile has no words any more.
      let words = try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8)
      return words?.contains(argument) ?? false
    }
  }

  @Test("doctor tells what the terminal can do and where the data lies")
  func doctor() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["doctor"], rows: 60)
    let rows = try await terminal.wait(for: "[exit 0]")
    for part in ["libssh2", "libvterm", "SQLite", "keyboard", "colours", home.folder.path] {
      #expect(rows.contains(part), "\(part)")
    }
    let text = try await home.run("doctor", "--json")
    #expect(text.hasPrefix("{") || text.hasPrefix("["))
  }

  @Test("words that it does not know are refused with status 2")
  func usage() async throws {
    let terminal = try await TmuxTerminal(try TerminalHome(), ["--no-such-option"])
    let rows = try await terminal.wait(for: "[exit 2]")
    #expect(rows.contains("--no-such-option"))
  }
}
