import TermindTestSupport
import Testing

@Suite("What is typed behind a paste", .serialized) struct PasteOrderTests {
  @Test("keys stay behind a pasted path that is looked at first")
  func order() async throws {
    let home = try TerminalHome()
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.type("cat -u\n")
    try await home.wait(for: "cat -u")
    for round in 1...5 {
      let path = "/no/such/file-\(round)"
      try await terminal.type("before ")
      try await terminal.paste(path)
      try await terminal.type(" behind\n")
      try await home.wait(for: "^before \(path) behind$")
    }
  }
}
