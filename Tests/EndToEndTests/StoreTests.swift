import FoundationEssentials
import Glibc
import TermindTestSupport
import Testing

@Suite("A store that cannot be used, in a real terminal", .serialized) struct StoreTests {
  let home: TerminalHome
  private var path: String { home.folder.file("home/data/termind.sqlite") }

  init() throws {
    home = try TerminalHome()
    for name in ["home", "home/data"] { mkdir(home.folder.file(name), 0o700) }
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  @Test(
    "a damaged store is told with its path and what to do, stays as it is, and Enter tries again"
  )
  func damaged() async throws {
    try Data("SQLite format 3\u{0}and then nothing that is one".utf8)
      .write(to: URL(filePath: path))
    let before = try bytes()
    let terminal = try await TmuxTerminal(home, columns: 100, rows: 30)
    try await terminal.wait("the reason with the path") { rows in
      let text = rows.joined()
      return text.contains("termind.sqlite") && text.contains("damaged: file is not a database")
        && text.contains("Put a copy")
    }
    try await terminal.leader("g", "v")
    try await terminal.wait("the reason in the Vault") { rows in
      rows.joined().contains("damaged")
    }
    #expect(try bytes() == before)
    // Once the file is out of the way, Enter makes a store.
    try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
    try await terminal.leader("g", "w")
    try await terminal.wait(for: "connect to a host, or open a shell")
    try await terminal.press("Enter")
    try await terminal.wait(without: "damaged")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "A saved host keeps")
    #expect(try Data(contentsOf: URL(filePath: path + ".aside")) == before)
  }

  @Test("a store of a newer version is named as that, and every byte stays")
  func newer() async throws {
    try await home.run("host", "add", "kept", "--address", "192.0.2.1")
    // The number of the schema stands at a fixed place of the file (sqlite.org/fileformat2.html).
    var store = try bytes()
    store[60] = 0
    store[61] = 0
    store[62] = 0
    store[63] = 99
    try store.write(to: URL(filePath: path))
    let terminal = try await TmuxTerminal(home, columns: 100, rows: 30)
    try await terminal.wait("the newer version") { rows in
      rows.joined().contains("newer") && rows.joined().contains("termind.sqlite")
    }
    #expect(try bytes() == store)
  }
}
