import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("Files as root", .serialized) struct RootFilesTests {
  let home: TerminalHome
  let folder: TemporaryFolder

  /// The password that the account's `sudo` takes.
  private static let password = "open-sesame-8271"

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  /// A `sudo` that asks on its standard error, and reads from its standard input.
  private func sudo() throws -> String {
    try home.script(
      "sudo",
      """
      [ "$1" = -S ] && [ "$2" = -- ] || { echo "sudo: odd words: $*" >&2; exit 1; }
      shift 2
      echo "asked" >> '\(home.folder.file("asked"))'
      for attempt in 1 2 3; do
        printf '[sudo] password for someone: ' >&2
        IFS= read -r answer || exit 1
        if [ "$answer" = '\(Self.password)' ]; then
          TERMIND_ROOT=1; export TERMIND_ROOT
          exec "$@"
        fi
        echo 'Sorry, try again.' >&2
      done
      echo 'sudo: 3 incorrect password attempts' >&2
      exit 1
      """
    )
  }

  private func terminal(_ server: OpenSSHServer) async throws -> TmuxTerminal {
    try home.install(key: server.userKey)
    try home.write(configuration: "sftp-root-command = \(try sudo()) -S --\n")
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: 160,
      rows: 40
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    return terminal
  }

  private func server() async throws -> OpenSSHServer {
    // The account's own SFTP sees another directory, so that what root's shows can be told from it.
    try await OpenSSHServer(["Subsystem sftp internal-sftp -d \(folder.file("own"))"])
  }

  /// The words of every process, and their variables.
  private func processes() throws -> String {
    var text = ""
    for number in try FileManager.default.contentsOfDirectory(atPath: "/proc")
    where Int32(number) != nil {
      for part in ["cmdline", "environ"] {
        text += (try? TemporaryFolder.read("/proc/\(number)/\(part)")) ?? ""
      }
    }
    return text
  }

  @Test(
    "the password is asked as the server asks for it, again when it is wrong, and the pane is marked"
  )
  func becomesRoot() async throws {
    mkdir(folder.file("own"), 0o755)
    try folder.write("own/page", "before")
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.wait(for: "page")
    try await terminal.press("#")
    try await terminal.wait(for: "[sudo] password for someone:")
    try await terminal.type("wrong\n")
    try await terminal.wait(for: "Sorry, try again.")
    try await terminal.type("\(Self.password)\n")
    let name = "root@\(OpenSSHServer.user)@127.0.0.1"
    let rows = try await terminal.wait(for: name)
    #expect(rows.contains("SFTP as root"))
    _ = try await home.poll("both panes", { try await $0.panes() }) {
      $0.count == 2 && $0.allSatisfy { $0.directory == folder.file("own") }
    }
    // The password is nowhere but in the channel.
    #expect(try !processes().contains(Self.password))
    let log = try TemporaryFolder.read(home.folder.file("home/state/termind.log"))
    #expect(!log.contains(Self.password) && !log.contains("wrong"))
    // What is done goes through root's side; a second pane of it asks nobody.
    try await terminal.press("n")
    try await terminal.wait(for: "New directory")
    try await terminal.type("made\n")
    try await waitUntil("the directory", seconds: 30) { folder.names("own").contains("made") }
    try await terminal.leader("v")
    _ = try await home.poll("three panes", { try await $0.panes() }) {
      $0.count == 3 && $0.allSatisfy { $0.directory == folder.file("own") }
    }
    let asked = try TemporaryFolder.read(home.folder.file("asked"))
    #expect(asked == "asked\n")
    withExtendedLifetime(server) {}
  }

  @Test("three wrong passwords end it, with what the command said; nothing is root's then")
  func refused() async throws {
    mkdir(folder.file("own"), 0o755)
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.press("#")
    for attempt in 1...3 {
      try await terminal.wait(
        for: attempt == 1 ? "[sudo] password for someone:" : "Sorry, try again."
      )
      try await terminal.type("wrong\(attempt)\n")
      try await terminal.wait(without: "[sudo] password for someone:")
    }
    let rows = try await terminal.wait(for: "3 incorrect password attempts")
    #expect(rows.contains("not root"))
    withExtendedLifetime(server) {}
  }

  @Test("without a server it says what is needed")
  func withoutServer() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("#")
    try await terminal.wait(for: "Files as root need a pane of a server.")
  }
}
