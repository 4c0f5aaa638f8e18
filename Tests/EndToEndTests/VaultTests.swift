import Glibc
import TermindTestSupport
import Testing

@Suite("The Vault in a real terminal", .serialized) struct VaultTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func vault(columns: Int = 80, rows: Int = 24) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal(home, columns: columns, rows: rows)
    try await terminal.wait(for: "Termind")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "A saved host keeps")
    return terminal
  }

  private func make(_ name: String, _ address: String, in terminal: TmuxTerminal) async throws {
    try await terminal.press("n")
    try await terminal.wait(for: "New host")
    try await terminal.type(name)
    try await terminal.press("Tab")
    try await terminal.type(address)
    try await terminal.press("C-s")
    try await terminal.wait(without: "ctrl+s save")
    try await terminal.wait(for: address)
  }

  @Test("a host is made, found, changed, copied, deleted and brought back by keys alone")
  func hostByKeys() async throws {
    let terminal = try await vault()
    try await make("web1", "192.0.2.1", in: terminal)
    try await make("db1", "192.0.2.2", in: terminal)
    try await terminal.press("/")
    try await terminal.type("we")
    try await terminal.wait("one match") { rows in
      rows.contains { $0.contains("1 of 2") } && !rows.contains { $0.contains("192.0.2.2") }
    }
    try await terminal.press("Enter", "e", "Tab", "Tab")
    try await terminal.type("99999")
    try await terminal.wait(for: "A number from 1 to 65535 is needed.")
    try await terminal.press("C-s")
    try await terminal.wait(for: "Not saved")
    try await terminal.press("BSpace", "C-s")
    try await terminal.wait(for: "web1")
    try await terminal.wait(for: "192.0.2.1:9999")
    try await terminal.press("c")
    try await terminal.wait(for: "web1 2")
    try await terminal.press("C-s")
    try await terminal.wait(for: "Hosts 3")
    try await terminal.wait(for: "2 of 3")
    try await terminal.press("d")
    try await terminal.wait(for: "Delete web1 2?")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "Hosts 2")
    try await terminal.press("u")
    try await terminal.wait(for: "Hosts 3")
    // A second window reads the same vault.
    let second = try await TmuxTerminal(home, columns: 80, rows: 24)
    try await second.leader("g", "v")
    try await second.wait(for: "Hosts 3")
    try await terminal.press("u", "u")
    try await second.wait(for: "Hosts 2")
  }

  @Test("a changed form is not left without a question, and goes on where it was")
  func leaving() async throws {
    let terminal = try await vault()
    try await terminal.press("n")
    try await terminal.wait(for: "New host")
    try await terminal.press("Escape")
    try await terminal.wait(for: "No hosts yet")
    try await terminal.press("n")
    try await terminal.type("half")
    try await terminal.press("Escape")
    try await terminal.wait(for: "Leave without saving?")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Leave without saving?")
    try await terminal.type("way")
    try await terminal.wait(for: "halfway")
    try await terminal.press("Escape")
    try await terminal.wait(for: "Leave without saving?")
    try await terminal.press("Right", "Right", "Enter")
    try await terminal.wait(for: "No hosts yet")
  }

  @Test("everything can be done by the mouse")
  func mouse() async throws {
    let terminal = try await vault(columns: 160, rows: 40)
    try await make("web1", "192.0.2.1", in: terminal)
    try await make("web2", "192.0.2.2", in: terminal)
    // A click chooses, the record stands beside the list.
    func click(_ text: String) async throws {
      let place = try #require(try await terminal.wait(for: text).place(of: text))
      try await terminal.mouse(
        .press(row: place.row, column: place.column + 1),
        .release(row: place.row, column: place.column + 1)
      )
    }
    try await click("192.0.2.1")
    try await terminal.wait("the record beside the list") { rows in
      rows.contains { $0.contains("┬─ web1") }
    }
    try await click("e edit")
    try await terminal.wait(for: "ctrl+s save")
    try await click("no jump host")
    try await terminal.wait(for: "Add a jump host")
    try await terminal.press("Enter")
    try await terminal.wait(for: "web2 › web1 (2 hops)")
    try await click("ctrl+s save")
    try await terminal.wait(without: "ctrl+s save")
    try await click("Snippets")
    try await terminal.wait(for: "No snippets yet")
    try await click("n new")
    try await terminal.wait(for: "New snippet")
    try await click("esc leave")
    try await click("Hosts 2")
    try await click("192.0.2.2")
    try await terminal.wait("the other record") { rows in
      rows.contains { $0.contains("┬─ web2") }
    }
    try await click("d delete")
    try await terminal.wait(for: "1 host is reached through it")
    try await click("Delete  ")
    try await terminal.wait(for: "Hosts 1")
    try await terminal.wait(for: "A jump host of")
  }

  @Test("an import shows what it would do, saves what is chosen, and is taken back as a whole")
  func importing() async throws {
    mkdir(home.folder.file(".ssh"), 0o700)
    try home.folder.write(
      ".ssh/config",
      """
      Host bastion
        HostName bastion.example.org
        User ada
      Host web1 web2
        User www
        ProxyJump bastion
        LocalForward 8080 localhost:80
      """,
      mode: 0o600
    )
    let terminal = try await vault()
    try await terminal.press("i")
    try await terminal.wait(for: "Import hosts")
    try await terminal.press("Enter")
    try await terminal.wait(for: "3 of 3 hosts")
    try await terminal.press("v")
    try await terminal.wait(for: "bastion.example.org")
    try await terminal.press("Escape", "Down", "Space")
    try await terminal.wait(for: "2 of 3 hosts")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Hosts 2")
    try await terminal.press("u")
    try await terminal.wait(for: "No hosts yet")
  }

  @Test("a password sets the secret store up, and is asked for nothing more until it is locked")
  func secrets() async throws {
    let terminal = try await vault()
    try await terminal.press("2")
    try await terminal.wait(for: "No identities yet")
    try await terminal.press("n")
    try await terminal.wait(for: "New identity")
    try await terminal.press("Tab")
    try await terminal.type("deploy")
    try await terminal.press("Tab")
    try await terminal.type("hunter2")
    try await terminal.press("C-s")
    try await terminal.wait(for: "Set up the secrets")
    try await terminal.type("open sesame")
    try await terminal.press("Enter")
    try await terminal.type("open sesam")
    try await terminal.press("Enter")
    try await terminal.wait(for: "The two are not the same.")
    try await terminal.type("open sesame")
    try await terminal.press("Enter")
    try await terminal.type("open sesame")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Identities 1")
    try await terminal.wait(for: "⚿ deploy")
    try await terminal.press("L")
    try await terminal.wait(for: "Change the passphrase")
    try await terminal.press("Enter")
    try await terminal.wait(for: "is locked")
    try await terminal.press("L")
    try await terminal.wait(for: "until it is locked, or the server ends")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Unlock the secrets")
    try await terminal.type("wrong")
    try await terminal.press("Enter")
    try await terminal.wait(for: "does not open it")
    try await terminal.type("open sesame")
    try await terminal.press("Enter")
    try await terminal.wait(for: "is unlocked")
    // A key is made straight away now.
    try await terminal.press("3", "n")
    try await terminal.wait(for: "A new key of which kind?")
    try await terminal.press("Enter")
    try await terminal.wait(for: "New Ed25519 key")
    try await terminal.type("laptop")
    try await terminal.press("Enter", "Enter", "Enter", "Enter")
    try await terminal.wait(for: "Keys 1")
    try await terminal.wait(for: "laptop")
    for name in ["termind.sqlite", "secrets.sealed"] {
      let bytes = try TemporaryFolder.read(home.folder.file("home/data/\(name)"))
      #expect(!bytes.contains("hunter2"))
      #expect(!bytes.contains("OPENSSH"))
    }
  }
}
