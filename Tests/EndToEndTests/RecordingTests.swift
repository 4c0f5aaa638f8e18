import Foundation
import TermindTestSupport
import Testing

@Suite("Recordings", .serialized) struct RecordingTests {
  private func files(_ home: TerminalHome) -> [String] {
    let folder = home.folder.file("home/state/recordings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }

  @Test("a session is written down by key, marked, and stopped by the same key")
  func text() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["run", "--", "sh"])
    try await terminal.press("C-Space", "y", "l")
    try await terminal.wait(for: "rec")
    try await terminal.type("echo \"writ\"ten-$((6*7))\n")
    try await terminal.wait(for: "written-42")
    try await terminal.press("C-Space", "y", "l")
    try await terminal.wait(for: "Written: ")
    let file = try #require(files(home).first)
    _ = try await home.poll("the text", { _ in try String(contentsOfFile: file, encoding: .utf8) })
    { $0.contains("written-42\n") }
    #expect(file.hasSuffix(".log"))
    try await terminal.wait("no mark") { rows in !rows.contains { $0.contains("●rec") } }
  }

  @Test("an asciicast is whole when the server is told to quit")
  func asciicast() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["run", "--", "sh"])
    try await terminal.press("C-Space", "y", "a")
    try await terminal.wait(for: "rec")
    try await terminal.type("echo cast-$((6*7))\n")
    try await terminal.wait(for: "cast-42")
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    let file = try #require(files(home).first { $0.hasSuffix(".cast") })
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let header = try #require(
      JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
    )
    #expect(header["version"] as? Int == 2)
    var output = ""
    for line in lines.dropFirst() {
      let event = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
      )
      #expect(event.count == 3)
      if event[1] as? String == "o" { output += event[2] as? String ?? "" }
    }
    #expect(output.contains("cast-42"))
  }

  @Test("a host that is said to be recorded is, from its first word on, and its key stops that")
  func ofHost() async throws {
    let home = try TerminalHome()
    let server = try await OpenSSHServer()
    try server.folder.write(
      "home/.bash_profile",
      "echo 'welcome first'; PS1='\(TerminalHome.prompt) '\n"
    )
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
    try await home.run(
      "host",
      "add",
      "web",
      "--address",
      "127.0.0.1",
      "--port",
      "\(server.port)",
      "--user",
      OpenSSHServer.user,
      "--key-file",
      server.userKey,
      "--recording",
      "text"
    )
    let terminal = try await TmuxTerminal(home, ["open", "web"])
    try await terminal.wait(for: TerminalHome.prompt)
    try await terminal.wait(for: "●rec")
    try await terminal.type("echo kept-$((6*7))\n")
    try await terminal.wait(for: "kept-42")
    try await terminal.press("C-Space", "y", "l")
    try await terminal.wait(for: "Written: ")
    let file = try #require(files(home).first)
    _ = try await home.poll("the text", { _ in try String(contentsOfFile: file, encoding: .utf8) })
    { $0.contains("welcome first\n") && $0.contains("kept-42\n") }
    #expect(file.contains("/web-") && file.hasSuffix(".log"))
    #expect(files(home).count == 1)
    try await home.run("host", "edit", "web", "--recording", "off")
    // A new shell of the same host is not recorded any more.
    try await terminal.leader("-")
    _ = try await home.poll("the second pane", { try await $0.panes() }) {
      $0.filter { $0.state == "up" }.count == 2
    }
    try await terminal.type("echo other-$((6*7))\n")
    try await terminal.wait(for: "other-42")
    #expect(files(home).count == 1)
    #expect(try await !terminal.screen().contains("●rec"))
  }

  /// The player that shows asciicasts; `TERMIND_ASCIINEMA` names one that lies elsewhere.
  private static let player: String? = {
    let named = ProcessInfo.processInfo.environment["TERMIND_ASCIINEMA"].map { [$0] } ?? []
    return (named + ["/usr/local/bin/asciinema", "/usr/bin/asciinema"])
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  @Test(
    "asciinema plays ours: the text, its colours and the size",
    .enabled(if: player != nil, "asciinema is not installed here")
  )
  func played() async throws {
    let home = try TerminalHome()
    let terminal = try await TmuxTerminal(home, ["run", "--", "sh"])
    try await terminal.press("C-Space", "y", "a")
    try await terminal.wait(for: "rec")
    try await terminal.type("printf '\\033[1;31mred-%s\\033[m 漢字 é\\n' $((6*7))\n")
    try await terminal.wait(for: "red-42")
    try await terminal.press("C-Space", "y", "a")
    try await terminal.wait(for: "Written: ")
    let file = try #require(files(home).first { $0.hasSuffix(".cast") })
    let player = try #require(Self.player)
    let shown = try await TmuxTerminal(
      home,
      command: "env LANG=C.UTF-8 '\(player)' play -i 0.01 '\(file)'; echo played=$?; exec cat",
      columns: 100,
      rows: 30
    )
    try await shown.wait(for: "played=0")
    #expect(try await shown.screen().contains { $0.contains("red-42 漢字 é") })
    #expect(try await shown.styledScreen().contains(/\u{1B}\[1m?;?(\u{1B}\[)?31mred-42/))
  }

  @Test(
    "a disk that is full ends the recording in sight, keeps whole lines, and the session goes on",
    .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root and CAP_SYS_ADMIN")
  )
  func fullDisk() async throws {
    let home = try TerminalHome()
    let disk = try await SmallDisk("size=64k,mode=700")
    try home.write(configuration: "recording-directory = \(disk.folder.path)\n")
    let terminal = try await TmuxTerminal(home, ["run", "--", "sh"])
    try await terminal.press("C-Space", "y", "l")
    try await terminal.wait(for: "●rec")
    try await terminal.type("seq 100000 130000; echo on-$((6*7))\n")
    try await terminal.wait(for: "The session goes on.")
    try await home.wait(for: "^on-42$")
    try await terminal.wait(without: "●rec")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).first
    )
    let text = try TemporaryFolder.read(disk.folder.file(name))
    #expect(text.hasSuffix("\n") && text.utf8.count > 30_000)
    let numbers = text.split(separator: "\n").compactMap { Int($0) }
    #expect(numbers == Array(100_000..<(100_000 + numbers.count)))
    try await terminal.type("echo still-$((6*7))\n")
    try await home.wait(for: "^still-42$")
  }

  @Test("a folder that cannot be written is named, and the session goes on")
  func refused() async throws {
    let home = try TerminalHome()
    let folder = home.folder.file("home/config")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    try "recording-directory = /dev/null/x\n"
      .write(toFile: "\(folder)/config", atomically: true, encoding: .utf8)
    let terminal = try await TmuxTerminal(home, ["run", "--", "sh"])
    try await terminal.press("C-Space", "y", "l")
    try await terminal.wait(for: "Nothing is recorded")
    try await terminal.type("echo on-$((6*7))\n")
    try await terminal.wait(for: "on-42")
  }
}
