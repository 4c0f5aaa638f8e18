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

  @Test("a store that another process holds is told as that, and Enter opens it once it is free")
  func locked() async throws {
    try await home.run("host", "add", "kept", "--address", "192.0.2.1")
    let holder = try TestProgram("/usr/bin/python3", ["-c", Self.holder, path])
    try await holder.wait(for: "held")
    let terminal = try await TmuxTerminal(home, columns: 80, rows: 24)
    try await expectTold(terminal, "Another process holds the store", "End it, then press")
    // The command line asks the same server, and is told the same.
    let listing = try TestProgram(home.program, ["host", "list"], environment: home.variables)
    #expect(try await listing.waitForExit() == 13)
    #expect(listing.text.contains("Another process holds the store"))
    #expect(listing.text.contains("End it, then try again."))
    holder.stop()
    try await terminal.press("Enter")
    try await terminal.wait(without: "Another process")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "192.0.2.1")
  }

  @Test(
    "a store that can only be read is told with its path and what to do, and keeps every byte",
    .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN"),
    arguments: ["the file can only be read", "its folder can only be read"]
  )
  func readOnly(words: String) async throws {
    try await home.run("host", "add", "kept", "--address", "192.0.2.1")
    let before = try bytes()
    var mount: ReadOnlyMount? = try await ReadOnlyMount(
      words.hasPrefix("its folder") ? home.folder.file("home/data") : path
    )
    let terminal = try await TmuxTerminal(home, columns: 80, rows: 24)
    try await expectTold(terminal, words, "Check the permissions")
    #expect(try bytes() == before)
    withExtendedLifetime(mount) {}
    mount = nil
    try await terminal.press("Enter")
    try await terminal.wait(without: "can only be read")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "192.0.2.1")
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
  }

  @Test(
    "on a full disk a save is refused in words, the form stays, and is saved once there is room",
    .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN")
  )
  func fullDisk() async throws {
    let data = home.folder.file("home/data")
    let disk = try await SmallDisk("size=1m,mode=700", over: data, in: home.folder)
    try await home.run("host", "add", "kept", "--address", "192.0.2.1")
    let terminal = try await TmuxTerminal(home, columns: 100, rows: 30)
    try await terminal.wait(for: "Termind")
    try await terminal.leader("g", "v")
    try await terminal.wait(for: "192.0.2.1")
    let filler = try disk.fill()
    try await terminal.press("n")
    try await terminal.wait(for: "New host")
    try await terminal.type("late")
    try await terminal.press("Tab")
    try await terminal.type("192.0.2.7")
    try await terminal.press("C-s")
    try await terminal.wait("the full disk") { rows in
      let text = rows.joined()
      return text.contains("no room left") && text.contains("Free some space")
    }
    try await terminal.wait(for: "late")
    unlink(filler)
    try await terminal.press("C-s")
    try await terminal.wait(for: "Hosts 2")
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    #expect(try await home.run("host", "list").contains("192.0.2.7"))
    withExtendedLifetime(disk) {}
  }

  /// Waits for the Welcome screen and then the Vault to tell why the store cannot be used, where it is, and what to do.
  private func expectTold(_ terminal: TmuxTerminal, _ words: String, _ remedy: String) async throws
  {
    for place in ["the Welcome screen", "the Vault"] {
      if place == "the Vault" { try await terminal.leader("g", "v") }
      try await terminal.wait("the reason in \(place)") { rows in
        // A sentence goes on in the next row, beside the sidebar.
        let own = rows.compactMap { $0.split(separator: "│").last }
        let text = own.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        return text.contains(words) && text.contains("termind.sqlite") && text.contains(remedy)
      }
    }
    try await terminal.leader("g", "w")
    try await terminal.wait(for: "connect to a host, or open a shell")
  }

  /// Holds a store as another program may do.
  private static let holder = """
    import sqlite3, sys, time
    store = sqlite3.connect(sys.argv[1], isolation_level=None)
    store.execute('PRAGMA locking_mode = EXCLUSIVE')
    store.execute('BEGIN EXCLUSIVE')
    print('held', flush=True)
    time.sleep(600)
    """
}
