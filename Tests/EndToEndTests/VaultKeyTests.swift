import Glibc
import TermindTestSupport
import Testing

@Suite("Keys and trust of the Vault in a real terminal", .serialized) struct VaultKeyTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func vault(_ section: String, environment: [String] = []) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal(home, columns: 160, rows: 30, environment: environment)
    try await terminal.wait(for: "Termind")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "History")
    try await terminal.press(section)
    return terminal
  }

  /// Types into the field in front, instead of what stands there, and goes on.
  private func fill(_ terminal: TmuxTerminal, _ text: String) async throws {
    try await terminal.press("C-u")
    try await terminal.type("\(text)\n")
  }

  @Test(
    "a key file is imported with its passphrase, gets another one and a certificate, and its public half a file"
  )
  func keyFile() async throws {
    let key = home.folder.file("laptop")
    let folder = try TemporaryFolder()
    try await OpenSSHServer.makeKey(key, type: "ed25519", passphrase: "first")
    for name in ["authority", "other"] {
      try await OpenSSHServer.makeKey(folder.file(name), type: "ed25519")
    }
    let line = try TemporaryFolder.read("\(key).pub")
    // Not beside the key, where it would come along.
    try folder.write("mine.pub", line)
    for name in ["mine", "other"] {
      try await TestProgram.run(
        "/usr/bin/ssh-keygen",
        [
          "-q", "-s", folder.file("authority"), "-I", "\(name)@work", "-n", "ada,ops",
          folder.file("\(name).pub"),
        ]
      )
    }
    let terminal = try await vault("3")
    try await terminal.wait(for: "No keys yet")
    try await terminal.press("i")
    try await terminal.wait(for: "Set up the secrets")
    try await terminal.type("open sesame\nopen sesame\n")
    try await terminal.wait(for: "Import a key")
    try await fill(terminal, key)
    try await terminal.type("laptop\nwrong\n")
    try await terminal.wait(for: "does not open the key")
    try await terminal.type("\n\nfirst\n")
    try await terminal.wait(for: "Keys 1")
    try await terminal.wait(for: "in the secret store")
    // The old passphrase opens it no more once there is another one.
    try await terminal.press("P")
    try await terminal.wait(for: "Passphrase of laptop")
    try await terminal.type("first\nsecond\nsecond\n")
    try await terminal.wait(for: "The passphrase of laptop is changed.")
    try await terminal.press("P")
    try await terminal.wait(for: "Passphrase of laptop")
    try await terminal.type("first\nthird\nthird\n")
    try await terminal.wait(for: "does not open the key")
    try await terminal.type("second\n\n\n")
    try await terminal.wait(without: "Passphrase so far")
    // The public half goes to a new file, and never over one that is there.
    let target = home.folder.file("out.pub")
    try await terminal.press("x")
    try await terminal.wait(for: "Export the public key of laptop")
    try await fill(terminal, target)
    try await terminal.wait(for: "Wrote the public key")
    let written = try TemporaryFolder.read(target)
    #expect(written.split(separator: " ").prefix(2) == line.split(separator: " ").prefix(2))
    try await terminal.press("x")
    try await terminal.wait(for: "Export the public key of laptop")
    try await fill(terminal, target)
    try await terminal.wait(for: "nothing is overwritten")
    #expect(try TemporaryFolder.read(target) == written)
    // Only a certificate of this very key is stored with it.
    try await terminal.press("C")
    try await terminal.wait(for: "Certificate for laptop")
    try await fill(terminal, folder.file("other-cert.pub"))
    try await terminal.wait(for: "is for another key")
    try await terminal.press("C")
    try await terminal.wait(for: "Certificate for laptop")
    try await fill(terminal, folder.file("mine-cert.pub"))
    try await terminal.wait(for: "The certificate is stored with laptop.")
    let rows = try await terminal.wait(for: "mine@work")
    #expect(rows.contains("for ada, ops"))
    try await terminal.press("y")
    try await terminal.wait(for: "Copied laptop to the clipboard.")
    #expect(try await terminal.clipboard().hasPrefix(line.split(separator: " ")[0] + " "))
  }

  @Test("keys and security keys of the agent are listed, and one is kept without its private half")
  func agentKeys() async throws {
    let folder = try TemporaryFolder()
    let token = try await SecurityKey(in: folder)
    try await OpenSSHServer.makeKey(folder.file("plain"), type: "ed25519")
    let socket = folder.file("agent")
    let agent = try TestProgram(
      "/usr/bin/ssh-agent",
      ["-D", "-a", socket, "-P", "\(folder.path)/*"]
    )
    defer { agent.stop() }
    try await agent.wait(for: "SSH_AUTH_SOCK")
    let variables = ["SSH_AUTH_SOCK": socket, "PATH": "/usr/bin:/bin"]
    for words in [["-q", folder.file("plain")], ["-q", "-S", token.provider, token.file]] {
      try await TestProgram.run("/usr/bin/ssh-add", words, environment: variables)
    }
    let terminal = try await vault("3", environment: ["SSH_AUTH_SOCK=\(socket)"])
    try await terminal.press("n")
    try await terminal.wait(for: "A new key of which kind?")
    try await terminal.type("agent")
    try await terminal.press("Enter")
    try await terminal.wait("both keys of the agent") { rows in
      rows.contains("Keys of the agent") && rows.contains("Ed25519 SHA256:")
        && rows.contains("Ed25519 security key SHA256:")
    }
    try await terminal.type("security")
    try await terminal.press("Enter")
    try await terminal.wait(for: "The key stays in the agent")
    try await terminal.wait(for: "held by the agent")
    #expect(try await home.run("key", "list").contains("sk-ssh-ed25519"))
  }

  @Test("host keys are imported, found also by a hashed name, exported, deleted and brought back")
  func knownHosts() async throws {
    let folder = try TemporaryFolder()
    var lines: [String] = []
    for name in ["alpha", "beta"] {
      try await OpenSSHServer.makeKey(folder.file(name), type: "ed25519")
      let key = try TemporaryFolder.read(folder.file("\(name).pub")).split(separator: " ")
      lines.append("\(name).example \(key[0]) \(key[1])\n")
    }
    try folder.write("hashed", lines[1])
    try await TestProgram.run("/usr/bin/ssh-keygen", ["-q", "-H", "-f", folder.file("hashed")])
    let hashed = try TemporaryFolder.read(folder.file("hashed"))
    #expect(!hashed.contains("beta"))
    try folder.write("hosts", lines[0] + hashed)
    let terminal = try await vault("4")
    try await terminal.wait(for: "No host keys yet")
    for round in 0..<2 {
      try await terminal.press("i")
      try await terminal.wait(for: "Import host keys")
      try await fill(terminal, folder.file("hosts"))
      guard round == 0 else { break }
      let rows = try await terminal.wait(for: "Trust the keys of")
      #expect(rows.contains("2 known hosts would be trusted from now on."))
      try await terminal.press("Right", "Enter")
      try await terminal.wait(for: "Known Hosts 2")
    }
    try await terminal.wait(for: "2 are known already")
    // A hashed name is found by typing all of it.
    try await terminal.press("/")
    try await terminal.type("beta.example")
    try await terminal.wait("the hashed one alone") { rows in
      rows.contains("1 of 2") && !rows.contains("alpha.example")
    }
    try await terminal.press("Enter", "d")
    try await terminal.wait(for: "You will be asked again at the next connection.")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "Known Hosts 1")
    try await terminal.press("u")
    try await terminal.wait(for: "Known Hosts 2")
    try await terminal.press("Escape")
    try await terminal.wait(for: "alpha.example")
    try await terminal.press("x")
    try await terminal.wait(for: "Export 2 known hosts")
    try await fill(terminal, folder.file("out"))
    try await terminal.wait(for: "Wrote 2 known hosts")
    for (name, line) in [("alpha.example", lines[0]), ("beta.example", lines[1])] {
      let found = try await TestProgram.run(
        "/usr/bin/ssh-keygen",
        ["-F", name, "-f", folder.file("out")]
      )
      #expect(found.contains(line.split(separator: " ")[2].dropLast()), "\(found)")
    }
  }

  /// What happened to the sealed file of the secrets.
  enum Loss: String, CaseIterable { case content, header, gone }

  @Test(
    "a record goes although its secret cannot be reached, which is told, and what is there is left alone",
    arguments: Loss.allCases
  )
  func unreachableSecrets(loss: Loss) async throws {
    try home.folder.write("password", "hunter2\n")
    try home.folder.write("passphrase", "open sesame\n")
    for name in ["deploy", "keeper"] {
      let command =
        "exec \(home.program) identity add --name \(name) --user \(name) --password-fd 3 --unlock-fd 4"
        + " 3< \(home.folder.file("password")) 4< \(home.folder.file("passphrase"))"
      try await TestProgram.run("/bin/sh", ["-c", command], environment: home.variables)
    }
    let file = home.folder.file("home/data/secrets.sealed")
    var damaged = try Self.bytes(file)
    switch loss {
    case .content: damaged[damaged.count - 1] ^= 1
    case .header: damaged[0] ^= 1
    case .gone: unlink(file)
    }
    if loss != .gone { try Self.write(damaged, file) }
    let terminal = try await vault("2")
    try await terminal.wait(for: "Identities 2")
    try await terminal.press("d")
    try await terminal.wait(for: "Delete deploy?")
    try await terminal.press("Tab", "Enter")
    try await expectLeft(loss, terminal)
    try await terminal.wait(for: "Identities 1")
    // The same for a password that is only to be forgotten.
    try await terminal.press("Enter", "Tab", "Tab", "Tab")
    try await terminal.wait(for: "Forget the password")
    try await terminal.press("Enter")
    try await terminal.wait(for: "forgotten when saved")
    try await terminal.press("C-s")
    try await expectLeft(loss, terminal)
    let list = try await home.run("identity", "show", "keeper", "--json")
    #expect(list.contains("\"password\":false"))
    if loss == .gone {
      #expect(access(file, F_OK) != 0)
    } else {
      #expect(try Self.bytes(file) == damaged)
    }
  }

  /// Waits until it is told that a secret stays behind; where there is none any more, nothing is asked.
  private func expectLeft(_ loss: Loss, _ terminal: TmuxTerminal) async throws {
    switch loss {
    case .content:
      try await terminal.wait(for: "Unlock the secrets")
      try await terminal.type("open sesame\n")
      try await terminal.wait(for: "broken: the sealed secrets were altered")
      try await terminal.press("Escape")
      try await terminal.wait(for: "stays behind in the secret store")
    case .header:
      try await terminal.wait(for: "stays behind in the secret store")
    case .gone:
      #expect(try await !terminal.screen().contains("the secrets"))
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw TestFailure("open \(path): \(errno)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    guard let file = fopen(path, "r+b") else { throw TestFailure("open \(path): \(errno)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw TestFailure("write \(path): \(errno)")
    }
  }
}
