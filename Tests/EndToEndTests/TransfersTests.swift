import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("Transfers in a real terminal", .serialized) struct TransfersTests {
  let home: TerminalHome
  let folder: TemporaryFolder

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  private static let big = String(repeating: "0123456789abcdef", count: 200_000)
  /// Takes minutes at the limits of the tests, however slow the machine is.
  private static let huge = String(repeating: "0123456789abcdef", count: 4_000_000)

  private func server() async throws -> OpenSSHServer {
    let server = try await OpenSSHServer(["ForceCommand internal-sftp -d \(folder.path)"])
    try home.install(key: server.userKey)
    return server
  }

  /// A pane of the server's files at the left and one of this machine's at the right, which has the focus.
  private func twoPanes(_ server: OpenSSHServer, columns: Int = 140) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: columns,
      rows: 30
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.leader("F")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.kind) == ["sftp", "files"] && $0.last?.directory != nil
    }
    return terminal
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func isThere(_ name: String) -> Bool { exists(home.folder.file(name)) }

  private var partials: [String] {
    home.folder.names(".").filter { $0.contains(".termind-") && $0.hasSuffix(".part") }
  }

  /// Starts the download of what is marked in the pane at the left.
  private func download(_ terminal: TmuxTerminal, _ first: String) async throws {
    try await terminal.leader("h")
    try await terminal.wait(for: first)
    try await terminal.press("*", "F5")
  }

  @Test("a transfer is paused, goes on, and stays in the sheet until it is cleared")
  func pauses() async throws {
    try home.write(configuration: "transfer-bandwidth = 300K\n")
    try folder.write("big", Self.huge)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "big")
    try await terminal.leader("t")
    try await terminal.wait(for: "Transfers · 30 files at once")
    try await terminal.wait("bytes that arrive") { $0.contains("/s") && $0.contains("copying") }
    try await terminal.press("Space")
    try await terminal.wait(for: "paused")
    try await terminal.press("Enter")
    try await terminal.wait("the row of the file") { $0.contains("‖ big") }
    #expect(partials.count == 1 && !isThere("big"))
    // Closing the panes and the sheet stops nothing, and does not let it go on either.
    try await terminal.press("Escape")
    try await terminal.wait(without: "Transfers ·")
    try await terminal.wait("the summary") { $0.contains("‖ 1") }
    try await terminal.leader("t")
    try await terminal.wait(for: "Transfers ·")
    // No limit from here on.
    try await terminal.press("b")
    try await terminal.wait(for: "Limits of transfers")
    try await terminal.press("Tab", "Tab", "C-u")
    try await terminal.type("none\n")
    try await terminal.wait(without: "Limits of transfers")
    try await terminal.press("Space")
    try await terminal.wait(for: "100%")
    try await terminal.wait(for: "1 of 1 file")
    #expect(try TemporaryFolder.read(home.folder.file("big")) == Self.huge)
    #expect(partials.isEmpty)
    try await terminal.press("c")
    try await terminal.wait(for: "No transfers.")
    try await terminal.press("q")
    try await terminal.wait(without: "No transfers.")
    withExtendedLifetime(server) {}
  }

  @Test("a cancelled transfer leaves nothing behind")
  func cancels() async throws {
    try home.write(configuration: "transfer-bandwidth = 200K\n")
    try folder.write("big", Self.huge)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "big")
    try await terminal.leader("t")
    try await terminal.wait("bytes that arrive") { $0.contains("/s") && $0.contains("copying") }
    try await terminal.press("x")
    try await terminal.wait(for: "What is under way is removed.")
    // Enter out of habit goes on with it.
    try await terminal.press("Enter")
    try await terminal.wait(without: "What is under way is removed.")
    #expect(partials.count == 1)
    try await terminal.press("x")
    try await terminal.wait(for: "What is under way is removed.")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "cancelled")
    #expect(partials.isEmpty && !isThere("big"))
    withExtendedLifetime(server) {}
  }

  @Test("what failed is listed with its reason, and tried again")
  func retries() async throws {
    try folder.write("one", "first\n")
    try folder.write("two", "second\n")
    mkdir(home.folder.file("two"), 0o700)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "one")
    // A directory stands where the file should go.
    try await terminal.wait(for: "There already: two")
    try await terminal.press("Right", "Right", "Right", "Right", "Right", "Enter")
    try await terminal.wait(for: "1 not copied")
    #expect(isThere("one"))
    try await terminal.leader("t")
    try await terminal.wait(for: "done, 1 failed")
    try await terminal.press("Enter", "Down")
    try await terminal.wait(for: "is there already")
    rmdir(home.folder.file("two"))
    try await terminal.press("r")
    try await terminal.wait(for: "2 of 2 files")
    #expect(try TemporaryFolder.read(home.folder.file("two")) == "second\n")
    withExtendedLifetime(server) {}
  }

  @Test("the end of the server names its transfers and pauses them; the next one goes on with them")
  func quits() async throws {
    try home.write(configuration: "transfer-bandwidth = 2M\n")
    try folder.write("big", Self.huge)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "big")
    // What, where, and how much room, before the first byte.
    try await terminal.wait(for: "Copying big (")
    try await terminal.wait("bytes that arrive") { $0.contains("/s") }
    // The first place that can be proved lies at 8 MB.
    let partial = try await arriving(9_000_000)
    try await terminal.leader("Q")
    let question = try await terminal.wait(for: "Quit Termind?")
    #expect(question.contains("1 transfer paused until the next start"))
    #expect(question.contains("big of "))
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "[exit 0]")
    // The terminal is given back at once; the server ends after it.
    try await waitFor("the record of the transfer") { record.contains("milestones") }
    #expect(partials == [partial] && !isThere("big"))
    // No limit from here on.
    try home.write(configuration: "")
    let next = try await TmuxTerminal(home, columns: 140, rows: 30)
    try await next.wait(for: "1 transfer of the last time waits")
    // It can be left as it is: nobody is asked.
    try await next.leader("t")
    try await next.wait("the batch that waits") {
      $0.contains("paused") && $0.contains("big of ")
    }
    try await next.press("Space")
    try await next.wait(for: "1 of 1 file")
    try await next.wait(for: "done")
    #expect(try TemporaryFolder.read(home.folder.file("big")) == Self.huge)
    #expect(partials.isEmpty)
    try await waitFor("the end of the record") {
      !exists(home.folder.file("home/state/transfers.json"))
    }
    withExtendedLifetime(server) {}
  }

  @Test("what waits since the last time can be given up, and leaves nothing behind")
  func givesUp() async throws {
    try home.write(configuration: "transfer-bandwidth = 2M\n")
    try folder.write("big", Self.huge)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "big")
    _ = try await arriving(9_000_000)
    try await home.verb("quit", "--force")
    try await terminal.wait(for: "[exit 0]")
    try await waitFor("the record of the transfer") { record.contains("milestones") }
    #expect(partials.count == 1)
    let next = try await TmuxTerminal(home, columns: 140, rows: 30)
    try await next.wait(for: "1 transfer of the last time waits")
    try await next.leader("t")
    try await next.wait(for: "big of ")
    try await next.press("x")
    try await next.wait(for: "What is under way is removed.")
    try await next.press("Tab", "Enter")
    try await next.wait(for: "cancelled")
    #expect(partials.isEmpty && !isThere("big"))
    try await waitFor("the end of the record") {
      !exists(home.folder.file("home/state/transfers.json"))
    }
    withExtendedLifetime(server) {}
  }

  @Test("after a kill of the server the next one knows the transfer, and ends it without a rest")
  func killed() async throws {
    try home.write(configuration: "transfer-bandwidth = 2M\n")
    try folder.write("big", Self.huge)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "big")
    _ = try await arriving(1_000_000)
    try await waitFor("the record") {
      record.contains("wasCutOff") && !record.contains("\"begun\":[]")
    }
    kill(try home.serverProcess(), SIGKILL)
    // The terminal is given back by what the client says last.
    try await terminal.wait(for: "[exit")
    #expect(partials.count == 1 && !isThere("big"))
    try home.write(configuration: "")
    let next = try await TmuxTerminal(home, columns: 140, rows: 30)
    try await next.wait(for: "1 transfer of the last time waits")
    try await next.leader("t")
    try await next.wait("the batch that waits") {
      $0.contains("paused") && $0.contains("→ local:")
    }
    try await next.press("Space")
    try await next.wait(for: "1 of 1 file")
    try await next.wait(for: "done")
    #expect(try TemporaryFolder.read(home.folder.file("big")) == Self.huge)
    #expect(partials.isEmpty)
    try await waitFor("the end of the record") { record.isEmpty }
    withExtendedLifetime(server) {}
  }

  @Test("copies of commands stand in the sheet, and are paused and cancelled there")
  func commands() async throws {
    try home.write(configuration: "transfer-bandwidth = 2M\n")
    try folder.write("far", Self.huge)
    mkdir(home.folder.file("got"), 0o700)
    let server = try await server()
    let terminal = try await twoPanes(server)
    func copy() throws -> TestProgram {
      let host = "[\(OpenSSHServer.user)@127.0.0.1:\(server.port)]"
      return try TestProgram(
        home.program,
        ["get", "--json", "\(host):far", home.folder.file("got")],
        environment: home.variables
      )
    }
    func half() -> String? { home.folder.names("got").first { $0.hasSuffix(".part") } }
    let first = try copy()
    try await terminal.leader("t")
    try await terminal.wait("the copy of the command") {
      $0.contains("far of ") && $0.contains("copying") && $0.contains("/s")
    }
    try await waitFor("the first bytes") { half() != nil }
    try await terminal.press("Space")
    try await terminal.wait(for: "paused")
    try await first.wait(for: "Paused from the transfers of a window")
    try await terminal.press("Enter")
    try await terminal.wait("the row of its file") { $0.contains("‖ ") }
    // Nobody loses it by closing the window's question: the count is the command's.
    try await terminal.press("Escape")
    try await terminal.wait(without: "Transfers ·")
    try await terminal.leader("Q")
    let question = try await terminal.wait(for: "Quit Termind?")
    #expect(question.contains("1 termind command stopped") && !question.contains("1 transfer"))
    try await terminal.press("Escape")
    try await terminal.wait(without: "Quit Termind?")
    try await terminal.leader("t")
    try await terminal.wait(for: "Transfers ·")
    try await terminal.press("Space")
    try await first.wait(for: "It goes on.")
    try await terminal.wait(for: "copying")
    try await terminal.press("x")
    try await terminal.wait(for: "What is under way is removed.")
    try await terminal.press("Tab", "Enter")
    #expect(try await first.waitForExit() == 1)
    #expect(first.text.contains("cancelled in a window"))
    try await terminal.wait(for: "cancelled")
    #expect(home.folder.names("got").isEmpty)
    // No limit from here on, also for what was asked for before.
    let second = try copy()
    try await terminal.wait(for: "copying")
    try await terminal.press("b")
    try await terminal.wait(for: "Limits of transfers")
    try await terminal.press("Tab", "Tab", "C-u")
    try await terminal.type("none\n")
    #expect(try await second.waitForExit() == 0)
    try await terminal.wait(for: "1 of 1 file")
    try await terminal.wait(for: "done")
    #expect(try TemporaryFolder.read(home.folder.file("got/far")) == Self.huge)
    withExtendedLifetime(server) {}
  }

  /// What is written down of transfers that are not over.
  private var record: String {
    (try? TemporaryFolder.read(home.folder.file("home/state/transfers.json"))) ?? ""
  }

  /// Waits until so many bytes of the only file are there; its temporary name.
  private func arriving(_ count: Int) async throws -> String {
    try await waitFor("the first bytes") {
      var status = stat()
      guard let name = partials.first, stat(home.folder.file(name), &status) == 0 else {
        return false
      }
      return status.st_size > count
    }
    return try #require(partials.first)
  }

  @Test("a lost connection is brought back, and the copy goes on by itself")
  func recovers() async throws {
    try home.write(configuration: "transfer-bandwidth = 4M\n")
    try folder.write("big", Self.huge)
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "big")
    try await terminal.leader("t")
    try await terminal.wait("bytes that arrive") { $0.contains("/s") && $0.contains("copying") }
    try server.signalSessions(SIGKILL)
    try await terminal.wait(for: "100%")
    try await terminal.wait(for: "1 of 1 file")
    #expect(try TemporaryFolder.read(home.folder.file("big")) == Self.huge)
    #expect(partials.isEmpty)
    withExtendedLifetime(server) {}
  }

  @Test("the mouse drags files to the other pane")
  func drags() async throws {
    try folder.write("dragged", "by the mouse\n")
    let server = try await server()
    let terminal = try await twoPanes(server)
    let rows = try await terminal.wait(for: "dragged")
    let start = try #require(rows.place(of: "dragged"))
    let goal = (row: start.row + 5, column: 120)
    try await terminal.mouse(.press(row: start.row, column: start.column + 1))
    try await terminal.mouse(.drag(row: goal.row, column: goal.column))
    try await terminal.wait(for: "Let go to copy dragged")
    try await terminal.mouse(.release(row: goal.row, column: goal.column))
    try await terminal.wait(for: "copied to")
    #expect(try TemporaryFolder.read(home.folder.file("dragged")) == "by the mouse\n")
    withExtendedLifetime(server) {}
  }

  @Test("taken names are decided one by one")
  func oneByOne() async throws {
    for name in ["a", "b", "c"] {
      try folder.write(name, "of the server\n")
      try home.folder.write(name, "of this machine\n")
    }
    let server = try await server()
    let terminal = try await twoPanes(server)
    try await download(terminal, "3 entries")
    try await terminal.wait(for: "There already: a, b, c")
    try await terminal.press("o")
    try await terminal.wait(for: "a is there already (1 of 3)")
    try await terminal.press("s")
    try await terminal.wait(for: "b is there already (2 of 3)")
    try await terminal.press("k")
    try await terminal.wait(for: "c is there already (3 of 3)")
    try await terminal.press("r")
    try await terminal.wait(for: "Another name for c")
    try await terminal.press("C-u")
    try await terminal.type("d\n")
    try await terminal.wait(for: "copied to")
    let kept = ["a", "b", "c"].map { try? TemporaryFolder.read(home.folder.file($0)) }
    #expect(kept == Array(repeating: "of this machine\n", count: 3))
    #expect(!isThere("a (2)"))
    for name in ["b (2)", "d"] {
      #expect(try TemporaryFolder.read(home.folder.file(name)) == "of the server\n")
    }
    withExtendedLifetime(server) {}
  }

  @Test("files go to a terminal's host by Quick Open, and pasted paths are uploaded when wanted")
  func drops() async throws {
    try folder.write("far", "carried\n")
    try home.folder.write("near file", "from here\n")
    let server = try await OpenSSHServer([])
    try home.install(key: server.userKey)
    let address = "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"
    let terminal = try await TmuxTerminal(home, ["ssh", address], columns: 140, rows: 30)
    try await terminal.trust()
    try await terminal.waitForConnection()
    // A paste that names a file of this machine.
    try await terminal.paste("'\(home.folder.file("near file"))' ")
    try await terminal.wait(for: "Upload near file?")
    try await terminal.press("u")
    try await terminal.wait(for: "In which directory?")
    // A directory that is not there is asked for again, with what was typed.
    try await terminal.type("\(folder.path)/not/there\n")
    try await terminal.wait(for: "there is no such file or directory")
    try await terminal.wait(for: "not/there")
    for _ in 0..<"/not/there".count { try await terminal.press("BSpace") }
    try await terminal.press("Enter")
    try await terminal.wait(for: "copied to")
    #expect(try TemporaryFolder.read(folder.file("near file")) == "from here\n")
    // The same paste as text.
    try await terminal.type("echo ")
    try await terminal.paste("'\(home.folder.file("near file"))'")
    try await terminal.wait(for: "Upload near file?")
    try await terminal.press("p")
    try await terminal.wait("the pasted text") { $0.contains("echo '/") }
    try await terminal.press("C-c")
    // A download of what is named at the cursor.
    try await terminal.type("\(folder.file("far"))")
    try await terminal.leader("D")
    try await terminal.wait(for: "Download from")
    try await terminal.press("C-u")
    try await terminal.type("\(folder.file("far"))\n")
    try await terminal.press("C-u")
    try await terminal.type("\(home.folder.path)\n")
    try await waitFor("the download") { isThere("far") }
    try await terminal.wait(for: "copied to")
    // From a pane of local files to the host by Quick Open.
    try await terminal.press("C-u")
    try await terminal.leader("F")
    // The shell shows the name as well: the pane of files has to be there.
    _ = try await home.poll("the files", { try await $0.panes() }) {
      $0.map(\.kind) == ["ssh", "files"] && $0.last?.directory != nil
    }
    try await terminal.press("f")
    try await terminal.type("near")
    try await terminal.wait(for: "Jump to near")
    try await terminal.press("Enter", "y")
    try await terminal.wait(for: "holding 1 from")
    try await terminal.leader("p")
    try await terminal.wait(for: "^d drop")
    try await terminal.type("@\(address)")
    try await terminal.wait(for: "Connect to")
    try await terminal.press("C-d")
    try await terminal.wait(for: "In which directory?")
    mkdir(folder.file("into"), 0o700)
    try await terminal.type("\(folder.file("into"))\n")
    try await waitFor("the dropped file") { exists(folder.file("into/near file")) }
    withExtendedLifetime(server) {}
  }

  private func waitFor(_ what: String, _ condition: () -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while !condition() {
      guard clock.now < deadline else { throw TestFailure("\(what) did not come") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
