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
