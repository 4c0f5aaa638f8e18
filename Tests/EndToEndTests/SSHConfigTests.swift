import Glibc
import TermindTestSupport
import Testing

@Suite("Names of ssh's configuration in a real terminal", .serialized) struct SSHConfigTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test("a name that only ~/.ssh/config knows connects as it says")
  func alias() async throws {
    let server = try await OpenSSHServer()
    mkdir(home.folder.file(".ssh"), 0o700)
    try home.folder.write(
      ".ssh/config",
      """
      Host lab
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile \(server.userKey)
        IdentitiesOnly yes
      Host broken
        ProxyJump a,,b
      """
    )
    let refused = try await TmuxTerminal(home, ["ssh", "lab"])
    // A line that cannot be read may be the one that matters; `ssh` refuses the file, too.
    let words = try await refused.wait(for: "config:8")
    #expect(words.contains("lab"))
    try await home.verb("quit", "--force")
    try home.folder.write(
      ".ssh/config",
      try TemporaryFolder.read(home.folder.file(".ssh/config")).replacing("a,,b", with: "a,b")
    )
    let terminal = try await TmuxTerminal(home, ["ssh", "lab"])
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.type("echo remote-$((6*7))\n")
    try await terminal.wait(for: "remote-42")
  }

  @Test(
    "a Match exec of the configuration runs when its host is connected to, and counts as it ends"
  )
  func matchExec() async throws {
    let server = try await OpenSSHServer()
    let switched = home.folder.file("switched")
    mkdir(home.folder.file(".ssh"), 0o700)
    // The home directory is not the account's own, where `ssh` looks by itself.
    try home.folder.write(
      ".ssh/config",
      """
      Match originalhost lab exec "test -f \(switched)"
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile \(server.userKey)
        IdentitiesOnly yes
      Host lab
        HostName lab.invalid
      """
    )
    let terminal = try await TmuxTerminal(home, ["ssh", "lab"])
    try await terminal.wait(for: "lab.invalid")
    try await terminal.wait(for: "not found")
    try home.folder.write("switched", "")
    try await terminal.press("Enter")
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.type("echo remote-$((6*7))\n")
    try await terminal.wait(for: "remote-42")
  }
}
