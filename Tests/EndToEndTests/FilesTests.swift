import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("Panes of files in a real terminal", .serialized) struct FilesTests {
  let home: TerminalHome
  let folder: TemporaryFolder

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  /// A server whose SFTP begins in the folder of the test.
  private func server() async throws -> OpenSSHServer {
    let server = try await OpenSSHServer(["ForceCommand internal-sftp -d \(folder.path)"])
    try home.install(key: server.userKey)
    return server
  }

  private func terminal(
    _ server: OpenSSHServer,
    columns: Int = 100,
    rows: Int = 24
  ) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: columns,
      rows: rows
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    return terminal
  }

  private func make(_ directories: String...) {
    for name in directories { mkdir(folder.file(name), 0o755) }
  }

  private func exists(_ name: String) -> Bool {
    var status = stat()
    return lstat(folder.file(name), &status) == 0
  }

  private func waitFor(_ what: String, _ condition: () -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while !condition() {
      guard clock.now < deadline else { throw TestFailure("\(what) did not come") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test("lists, goes in and up again, shows hidden names and filters")
  func browses() async throws {
    make("assets", "assets/deep", "zebra")
    try folder.write("index.html", String(repeating: "x", count: 8_294))
    try folder.write(".secret", "")
    try folder.write("assets/inside.txt", "")
    let server = try await server()
    let terminal = try await terminal(server)
    let rows = try await terminal.wait(for: "index.html")
    #expect(rows.contains("assets/") && rows.contains("8.1 K") && rows.contains("3 entries"))
    #expect(rows.contains("1 hidden") && !rows.contains(".secret"))
    let pane = try #require(try await home.panes().first)
    #expect(pane.kind == "sftp" && pane.state == "up" && pane.directory == folder.path)
    try await terminal.press(".")
    try await terminal.wait(for: ".secret")
    try await terminal.press(".", "j", "j", "Enter")
    // The second directory is an empty one; its parent's row leads back onto its name.
    // A half-drawn screen has both: the list that is waited for next must not be the one before.
    try await terminal.wait("the empty directory alone") {
      $0.contains("Empty directory") && !$0.contains("index.html")
    }
    try await terminal.press("BSpace")
    try await terminal.wait("the list again") {
      $0.contains("index.html") && !$0.contains("Empty directory")
    }
    try await terminal.press("k", "Enter")
    try await terminal.wait(for: "inside.txt")
    try await terminal.press("h")
    try await terminal.wait(for: "index.html")
    try await terminal.press("/")
    try await terminal.type("ZEB")
    try await terminal.wait("the filtered list") {
      $0.contains("zebra/") && !$0.contains("index.html")
    }
    try await terminal.press("Enter")
    try await terminal.wait(for: "1 of 4")
    try await terminal.press("Escape")
    try await terminal.wait(for: "index.html")
    // Back and forward through what was seen.
    try await terminal.press("[")
    try await terminal.wait(for: "inside.txt")
    try await terminal.press("]")
    try await terminal.wait(for: "index.html")
    withExtendedLifetime(server) {}
  }

  @Test(
    "makes, renames, takes back, changes permissions, and deletes a tree without following links"
  )
  func changes() async throws {
    make("tree", "tree/sub", "outside")
    try folder.write("outside/kept", "kept")
    try folder.write("tree/sub/file", "")
    symlink(folder.file("outside"), folder.file("tree/link"))
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.wait(for: "outside/")
    try await terminal.press("n")
    try await terminal.wait(for: "New directory")
    try await terminal.type("made here\n")
    try await waitFor("the directory") { exists("made here") }
    try await terminal.wait(for: "made here/")
    // The cursor is on what was made.
    try await terminal.press("R")
    try await terminal.wait(for: "Rename")
    try await terminal.press("C-u")
    try await terminal.type("renamed\n")
    try await waitFor("the new name") { exists("renamed") && !exists("made here") }
    try await terminal.wait(for: "renamed/")
    try await terminal.press("m")
    try await terminal.wait(for: "Permissions of")
    try await terminal.press("C-u")
    try await terminal.type("nonsense\n")
    try await terminal.wait(for: "Type a mode")
    try await terminal.press("C-u")
    try await terminal.type("700\n")
    try await terminal.wait(for: "drwx------")
    try await terminal.press("u")
    try await waitFor("the old name") { exists("made here") }
    try await terminal.wait(for: "made here/")
    try await terminal.press("u")
    try await waitFor("the end of what was made") { !exists("made here") }
    try await terminal.wait(without: "made here/")
    // The tree: counted, asked, gone; what its link leads to is untouched.
    try await terminal.press("f")
    try await terminal.type("tree")
    try await terminal.press("Enter", "D")
    let question = try await terminal.wait(for: "Delete tree?")
    #expect(question.contains("2 files in 2 directories"))
    try await terminal.press("Enter")
    try await terminal.wait(without: "Delete tree?")
    #expect(exists("tree/sub/file"))
    try await terminal.press("D")
    try await terminal.wait(for: "Delete tree?")
    try await terminal.press("Tab", "Enter")
    try await waitFor("the end of the tree") { !exists("tree") }
    #expect(try TemporaryFolder.read(folder.file("outside/kept")) == "kept")
    try await terminal.wait(without: "tree/")
    withExtendedLifetime(server) {}
  }

  @Test("draws hostile names as they are to be read, and uses them exactly")
  func hostileNames() async throws {
    let names = ["esc\u{1B}[2J", "line\nbreak", "bad\r", "-rf", "tab\there", "blank ", "日本語"]
    for name in names { try folder.write(name, "") }
    let invalid = Array(folder.path.utf8CString.dropLast()) + [0x2F, 0x66, -1, 0x67, 0]
    close(open(invalid, O_CREAT | O_WRONLY, 0o600))
    let server = try await server()
    let terminal = try await terminal(server)
    let rows = try await terminal.wait(for: "-rf")
    for part in ["esc", "line", "bad", "-rf", "tab", "日本語", "8 entries"] {
      #expect(rows.contains(part), "\(part)")
    }
    #expect(!rows.contains("line\n"))
    // Every entry has one row, and the frame is whole.
    #expect(rows.filter { $0.contains("-rw-------") }.count == 8)
    // Renamed and deleted by their bytes.
    try await terminal.press("f")
    try await terminal.type("line")
    try await terminal.press("Enter", "R")
    try await terminal.wait(for: "Rename")
    try await terminal.type("mended\n")
    try await waitFor("the mended name") { exists("mended") && !exists("line\nbreak") }
    try await terminal.wait(for: "mended")
    try await terminal.press("C-a")
    try await terminal.wait(for: "8 marked")
    try await terminal.press("D")
    try await terminal.wait(for: "Delete 8 entries?")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "Empty directory")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    withExtendedLifetime(server) {}
  }

  @Test(
    "after a lost connection it is there again by itself, in the same directory on the same name"
  )
  func recovers() async throws {
    make("assets")
    for number in 0..<40 { try folder.write("assets/file-\(number)", "") }
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.wait(for: "assets/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "file-0")
    try await terminal.press("f")
    try await terminal.type("file-27")
    try await terminal.wait(for: "Jump to file-27")
    try await terminal.press("Enter")
    // Keys that come once the connection is lost are not for its files.
    try await terminal.wait(without: "Jump to")
    try await terminal.wait(for: "file-27")
    try server.signalSessions(SIGKILL)
    // The first silent attempt comes a second later; it logs in by itself.
    try await waitFor("another login") {
      server.log.components(separatedBy: "Accepted publickey").count == 3
    }
    // What was there stays in sight meanwhile.
    #expect(try await terminal.screen().contains("file-27"))
    try await terminal.waitForConnection()
    let pane = try #require(try await home.panes().first)
    #expect(pane.directory == folder.file("assets"))
    // The cursor is still on the name: it is what gets viewed.
    try folder.write("assets/file-27", "this very file\n")
    try await terminal.press("v")
    try await terminal.wait(for: "this very file")
    try await terminal.press("q")
    try await terminal.wait(for: "40 entries")
    withExtendedLifetime(server) {}
  }

  @Test("a directory of 20,000 entries shows its first rows soon, and all of them in the end")
  func large() async throws {
    make("large")
    for number in 0..<20_000 {
      close(open(folder.file("large/entry-\(number)"), O_CREAT | O_WRONLY, 0o600))
    }
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.wait(for: "large/")
    try await terminal.press("j", "Enter")
    try await terminal.wait("some rows") { rows in rows.contains { $0.contains(" entry-") } }
    try await terminal.wait(for: "20,000 entries")
    try await terminal.press("G")
    try await terminal.wait(for: "entry-19999")
    try await terminal.press("/")
    try await terminal.type("entry-1234")
    try await terminal.wait(for: "entry-12345")
    try await terminal.press("Enter")
    try await terminal.wait(for: "11 of 20,000")
    withExtendedLifetime(server) {}
  }

  @Test("marks what the filter shows, however quickly it is typed")
  func filtersBeforeMarking() async throws {
    make("large")
    for number in 0..<30_000 {
      close(open(folder.file("large/entry-\(number)"), O_CREAT | O_WRONLY, 0o600))
    }
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.wait(for: "large/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "30,000 entries")
    try await terminal.press("/", "4", "9", "9", "9", "Enter", "C-a", "D")
    // 4999, 14999 and 24999; nothing that the filter hides.
    try await terminal.wait(for: "Delete 3 entries?")
    try await terminal.press("Escape")
    try await terminal.wait(without: "Delete 3 entries?")
    withExtendedLifetime(server) {}
  }

  @Test("goes to typed paths with completion, and says when there is none")
  func paths() async throws {
    make("one", "one/two words", "one/two words/three")
    try folder.write("one/two words/three/end", "")
    let server = try await server()
    let terminal = try await terminal(server)
    try await terminal.wait(for: "one/")
    try await terminal.press("g")
    try await terminal.type("one/tw")
    try await terminal.press("Tab")
    try await terminal.wait(for: "one/two words/")
    try await terminal.press("Tab")
    try await terminal.wait(for: "one/two words/three/")
    try await terminal.press("Enter")
    try await terminal.wait(for: "end")
    #expect(try await home.panes().first?.directory == folder.file("one/two words/three"))
    try await terminal.press("g")
    try await terminal.type("/nowhere/at/all\n")
    try await terminal.wait(for: "there is no such file or directory")
    try await terminal.press("C-u")
    try await terminal.type("~\n")
    try await terminal.wait(for: "one/")
    withExtendedLifetime(server) {}
  }

  @Test(
    "makes files and links, marks by patterns, finds names below, remembers places, copies a path"
  )
  func smallThings() async throws {
    make("deep", "deep/er", "deep/er/still")
    for name in ["a.log", "b.log", "c.txt"] { try folder.write(name, name) }
    try folder.write("deep/er/still/needle.txt", "")
    let server = try await server()
    let terminal = try await terminal(server, columns: 140, rows: 30)
    try await terminal.wait(for: "c.txt")
    try await terminal.press("N")
    try await terminal.wait(for: "New file")
    try await terminal.type("empty one\n")
    try await waitFor("the file") { exists("empty one") }
    // The cursor is on what was made, and so is the link.
    try await terminal.wait(for: "empty one")
    try await terminal.press("L")
    try await terminal.wait(for: "Link to empty one")
    try await terminal.type("to it\n")
    try await terminal.wait(for: "to it → empty one")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("to it")) == "empty one"
    )
    try await terminal.press("+")
    try await terminal.type("*.log\n")
    try await terminal.wait(for: "2 marked")
    try await terminal.press("-")
    try await terminal.type("a*\n")
    try await terminal.wait(for: "1 marked")
    try await terminal.press("Y")
    try await terminal.wait(for: "the path")
    try await terminal.press("Escape")
    try await terminal.wait(without: "1 marked")
    try await terminal.press("F")
    try await terminal.type("needle\n")
    try await terminal.wait(for: "1 name with needle")
    try await terminal.wait(for: "deep/er/still/needle.txt")
    try await terminal.press("Enter")
    _ = try await home.poll("the directory", { try await $0.panes() }) {
      $0.first?.directory == folder.file("deep/er/still")
    }
    try await terminal.press("b")
    try await terminal.wait(for: "Bookmark this directory")
    try await terminal.press("Up", "Enter")
    try await terminal.press("~")
    try await terminal.wait(for: "c.txt")
    try await terminal.press("b")
    try await terminal.wait(for: "★")
    try await terminal.type("still\n")
    _ = try await home.poll("the bookmark", { try await $0.panes() }) {
      $0.first?.directory == folder.file("deep/er/still")
    }
    withExtendedLifetime(server) {}
  }

  @Test("carries files to another pane of the host by key, and takes that back")
  func carries() async throws {
    make("from", "to", "from/dir")
    try folder.write("from/a.txt", "")
    try folder.write("from/b.txt", "")
    let server = try await server()
    let terminal = try await terminal(server, columns: 140)
    try await terminal.wait(for: "from/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "a.txt")
    try await terminal.press("*", "x")
    try await terminal.wait(for: "moving 3 from")
    // Onto itself is refused, and nothing is lost.
    try await terminal.press("p")
    try await terminal.wait(for: "in this directory already")
    // One at a time: Escape and a key together would be that key with Alt.
    try await terminal.press("Escape")
    try await terminal.wait(without: "in this directory already")
    try await terminal.press("Escape")
    try await terminal.wait(without: "3 marked")
    try await terminal.press("BSpace")
    try await terminal.wait(for: " to/")
    // Into itself as well.
    try await terminal.press("x", "Enter")
    try await terminal.wait(for: "moving 1 from")
    try await terminal.wait(for: "a.txt")
    try await terminal.press("p")
    try await terminal.wait(for: "cannot go into itself")
    try await terminal.press("*", "x", "g")
    try await terminal.type("../to\n")
    try await terminal.wait(for: "Empty directory")
    try await terminal.press("p")
    try await waitFor("the moved files") {
      exists("to/a.txt") && exists("to/b.txt") && exists("to/dir")
    }
    try await terminal.wait(for: "a.txt")
    try await terminal.press("u")
    try await waitFor("the files where they were") { exists("from/a.txt") && exists("from/dir") }
    try await terminal.wait(for: "Empty directory")
    withExtendedLifetime(server) {}
  }

  @Test("a move within one host asks about taken names, and merges directories")
  func movesOntoTaken() async throws {
    make("from", "to", "from/dir", "to/dir", "from/dir/sub")
    try folder.write("from/a.txt", "new\n")
    try folder.write("from/dir/sub/one", "one\n")
    try folder.write("to/a.txt", "old\n")
    try folder.write("to/dir/two", "two\n")
    try folder.write("from/free", "free\n")
    let server = try await server()
    let terminal = try await terminal(server, columns: 140)
    try await terminal.wait(for: "from/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "a.txt")
    try await terminal.press("C-a", "x")
    try await terminal.wait(for: "moving 3 from")
    try await terminal.press("g")
    try await terminal.type("../to\n")
    try await terminal.wait(for: "2 entries")
    try await terminal.press("p")
    let question = try await terminal.wait(for: "There already:")
    #expect(question.contains("Overwrite") && question.contains("Keep both"))
    #expect(try TemporaryFolder.read(folder.file("to/a.txt")) == "old\n" && exists("from/free"))
    try await terminal.press("Right", "Right", "Right", "Right", "Right", "Enter")
    try await waitFor("the moved files") {
      (try? TemporaryFolder.read(folder.file("to/a.txt"))) == "new\n" && exists("to/free")
        && exists("to/dir/sub/one") && !exists("from/dir") && !exists("from/a.txt")
    }
    #expect(exists("to/dir/two") && !exists("from/free"))
    withExtendedLifetime(server) {}
  }

  @Test("copies marked files and trees to this machine, and asks where names are taken")
  func copies() async throws {
    make("tree", "tree/empty")
    try folder.write("tree/inside", "inside\n")
    try folder.write("a file.txt", "from the server\n")
    let server = try await server()
    let terminal = try await terminal(server, columns: 140)
    try await terminal.wait(for: "a file.txt")
    try await terminal.leader("F")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.kind) == ["sftp", "files"] && $0.last?.directory != nil
    }
    try await terminal.leader("h")
    try await terminal.press("*", "y")
    try await terminal.wait(for: "holding 2 from")
    try await terminal.leader("l")
    try await terminal.wait(for: "drop here")
    try await terminal.press("p")
    try await terminal.wait(for: "copied to")
    #expect(try TemporaryFolder.read(home.folder.file("a file.txt")) == "from the server\n")
    #expect(try TemporaryFolder.read(home.folder.file("tree/inside")) == "inside\n")
    var status = stat()
    #expect(stat(home.folder.file("tree/empty"), &status) == 0)
    // Once more: the names are taken now, and what is there stays unless it is said.
    try home.folder.write("a file.txt", "of this machine\n")
    try await terminal.leader("h")
    try await terminal.press("F5")
    try await terminal.wait(for: "There already")
    try await terminal.press("s")
    try await terminal.wait(for: "left out")
    #expect(try TemporaryFolder.read(home.folder.file("a file.txt")) == "of this machine\n")
    withExtendedLifetime(server) {}
  }

  @Test("shows the files of this machine, with a shell beside them and back")
  func local() async throws {
    make("site")
    try folder.write("site/notes.md", "# Notes of this machine\n")
    let terminal = try await TmuxTerminal.withShell(home, columns: 140)
    try await terminal.type("cd \(folder.path)/site\n")
    try await terminal.type("echo in-$((6*7))\n")
    try await terminal.wait(for: "in-42")
    try await terminal.leader("S")
    try await terminal.wait(for: "notes.md")
    let panes = try await home.panes()
    #expect(panes.map(\.kind) == ["shell", "files"])
    #expect(panes.last?.directory == folder.file("site"))
    try await terminal.press("j", "v")
    try await terminal.wait(for: "# Notes of this machine")
    try await terminal.press("q")
    try await terminal.wait(for: "1 entry")
    try await terminal.leader("S")
    _ = try await home.poll("a third pane", { try await $0.panes() }) { $0.count == 3 }
    try await terminal.type("pwd | sed s/^/here:/\n")
    try await terminal.wait(for: "here:/tmp")
  }

  @Test("opens the files of a remote terminal's host, and a terminal in their directory")
  func besideTerminal() async throws {
    make("work")
    try folder.write("work/file here", "")
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.type("cd \(folder.path)/work; printf '\\033]7;file://x%s\\007' \"$PWD\"\n")
    try await terminal.type("echo told-$((6*7))\n")
    try await terminal.wait(for: "told-42")
    try await terminal.leader("S")
    try await terminal.wait(for: "file here")
    #expect(try await home.panes().map(\.kind) == ["ssh", "sftp"])
    try await terminal.press("t")
    _ = try await home.poll("a third pane", { try await $0.panes() }) {
      $0.count == 3 && $0.last?.state == "up"
    }
    try await terminal.type("ls -d file*\n")
    let third = try #require(try await home.panes().last?.id)
    try await home.wait(third, for: "file here")
    withExtendedLifetime(server) {}
  }

  @Test("drops files on a terminal, at the directory of its shell")
  func dropsOnTerminal() async throws {
    make("from", "into")
    try folder.write("from/file", "carried\n")
    let terminal = try await TmuxTerminal.withShell(home, columns: 120)
    try await terminal.type("cd \(folder.path)/from\n")
    try await terminal.type("echo in-$((6*7))\n")
    try await terminal.wait(for: "in-42")
    try await terminal.leader("S")
    try await terminal.wait(for: "1 entry")
    try await terminal.press("j", "y")
    try await terminal.wait(for: "holding 1 from")
    try await terminal.leader("h")
    try await terminal.type("cd ../into; echo in-$((7*7))\n")
    try await terminal.wait(for: "in-49")
    // Where it would land is said while it is held.
    try await terminal.wait(for: "holding 1 (8 B) for \(folder.file("into"))")
    try await terminal.leader("P")
    try await waitFor("the dropped file") { exists("into/file") }
    #expect(try TemporaryFolder.read(folder.file("into/file")) == "carried\n")
    try await terminal.wait(for: "copied to")
  }

  @Test("files as root: the command is asked what it asks, and the pane is marked")
  func asRoot() async throws {
    make("open")
    try folder.write("open/secret", "of root\n")
    // Stands for sudo: a lecture, a prompt without an end, three tries, and the environment says who runs the rest.
    let command = try home.script(
      "become",
      """
      echo 'With great power comes a prompt.' >&2
      for try in 1 2 3; do
        printf '[become] password for %s: ' "$USER" >&2
        read -r answer || exit 1
        echo >&2
        if [ "$answer" = 'open sesame' ]; then echo root >> \(folder.file("became")); exec "$@"; fi
        echo 'Sorry, try again.' >&2
      done
      echo 'become: 3 incorrect password attempts' >&2
      exit 1
      """
    )
    try home.write(configuration: "root-command = \(command)\n")
    let server = try await OpenSSHServer(["Subsystem sftp internal-sftp -d \(folder.path)"])
    try home.install(key: server.userKey)
    let terminal = try await terminal(server, columns: 140, rows: 30)
    try await terminal.wait(for: "open/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "secret")
    try await terminal.press("#")
    let question = try await terminal.wait(for: "[become] password for")
    #expect(question.contains("With great power comes a prompt."))
    try await terminal.type("wrong\n")
    try await terminal.wait(for: "Sorry, try again.")
    try await terminal.type("open sesame\n")
    try await terminal.wait(for: "SFTP as root")
    let panes = try await home.poll("both panes", { try await $0.panes() }) {
      $0.count == 2 && $0.allSatisfy { $0.state == "up" && $0.directory == folder.file("open") }
    }
    #expect(panes.map(\.kind) == ["sftp", "sftp"])
    let rows = try await terminal.screen()
    #expect(rows.contains("root@") && !rows.contains("open sesame"))
    // The answer is in no program's words or variables, and in no log.
    let ends = ["cmdline", "environ"]
    for number in try FileManager.default.contentsOfDirectory(atPath: "/proc")
    where Int32(number) != nil {
      for end in ends {
        // A process may have ended meanwhile.
        let text = try? TemporaryFolder.read("/proc/\(number)/\(end)")
        #expect(text?.contains("open sesame") != true, "\(number)")
      }
    }
    let log = try TemporaryFolder.read(home.folder.file("home/state/termind.log"))
    #expect(!log.contains("open sesame"))
    // A copy into it asks nobody again, and neither does another pane.
    try folder.write("carried", "carried\n")
    try await terminal.leader("h")
    try await terminal.press("BSpace")
    try await terminal.wait(for: "carried")
    try await terminal.press("f")
    try await terminal.type("carried\n")
    try await terminal.press("F5")
    try await waitFor("the copy") { exists("open/carried") }
    try await terminal.press("#")
    _ = try await home.poll("a third pane", { try await $0.panes() }) {
      $0.count == 3 && $0.allSatisfy { $0.state == "up" }
    }
    #expect(try TemporaryFolder.read(folder.file("became")) == "root\n")
    // Nobody is asked in silence: a lost connection waits for a key.
    try server.signalSessions(SIGKILL)
    try await terminal.wait(for: "needs you")
    withExtendedLifetime(server) {}
  }

  @Test(
    "files as root with sudo itself, which asks for the account's password",
    .enabled(
      if: getuid() == 0 && access("/usr/bin/sudo", X_OK) == 0,
      "an account that sudo knows needs root, and Debian's sudo"
    )
  )
  func sudo() async throws {
    // Nobody but root may look into the folder of the test.
    try folder.write("of root", "secret\n")
    let server = try await OpenSSHServer(
      ["Subsystem sftp internal-sftp"],
      asOrdinaryUser: true,
      sudoPassword: "open sesame"
    )
    try home.install(key: server.userKey)
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.ordinaryUser)@127.0.0.1:\(server.port)"],
      columns: 140,
      rows: 30
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.press("#")
    let question = try await terminal.wait(for: "[sudo] password for ordinary")
    #expect(!question.contains("not root"))
    try await terminal.type("wrong\n")
    try await terminal.wait(for: "Sorry, try again.")
    try await terminal.type("open sesame\n")
    try await terminal.wait(for: "SFTP as root")
    _ = try await home.poll("both panes", { try await $0.panes() }) {
      $0.count == 2 && $0.allSatisfy { $0.state == "up" && $0.directory != nil }
    }
    // The pane of root has the focus: it goes where the account may not.
    try await terminal.press("g")
    try await terminal.wait(for: "Go to")
    try await terminal.press("C-u")
    try await terminal.type("\(folder.path)\n")
    try await terminal.wait(for: "of root")
    try await terminal.press("n")
    try await terminal.wait(for: "New directory")
    try await terminal.type("made by root\n")
    try await waitFor("the directory") { exists("made by root") }
    var status = stat()
    #expect(stat(folder.file("made by root"), &status) == 0 && status.st_uid == 0)
    #expect(try await !terminal.screen().contains("open sesame"))
    withExtendedLifetime(server) {}
  }

  @Test("whoever does not become root is told in the command's words")
  func notRoot() async throws {
    let command = try home.script(
      "become",
      "echo 'ordinary is not in the sudoers file.' >&2; exit 1"
    )
    try home.write(configuration: "root-command = \(command)\n")
    let server = try await OpenSSHServer(["Subsystem sftp internal-sftp -d \(folder.path)"])
    try home.install(key: server.userKey)
    let terminal = try await terminal(server, columns: 140)
    try await terminal.wait(for: "Empty directory")
    try await terminal.press("#")
    try await terminal.wait(for: "not root")
    #expect(try await terminal.screen().contains("ordinary is not in the"))
    withExtendedLifetime(server) {}
  }

  @Test("says that an account has no SFTP, and tries again on a key")
  func noSFTP() async throws {
    let server = try await OpenSSHServer(["ForceCommand /bin/false"])
    try home.install(key: server.userKey)
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"]
    )
    try await terminal.trust()
    try await terminal.wait(for: "no SFTP")
    try await terminal.wait(for: "Press r")
    #expect(try await home.panes().first?.state == "ended")
    withExtendedLifetime(server) {}
  }

  @Test("works in a pane of 20 columns, and by ctl")
  func small() async throws {
    make("assets")
    try folder.write("a-file-with-a-long-name.txt", "")
    let server = try await server()
    let terminal = try await terminal(server, columns: 100)
    try await terminal.wait(for: "assets/")
    try await terminal.resize(columns: 20, rows: 8)
    try await terminal.wait("the small list") { rows in
      rows.contains("assets/") && rows.contains("a-file")
    }
    try await home.verb("send-keys", "j", "enter")
    try await home.wait(for: "Empty directory")
    try await home.verb("send-keys", "h")
    try await home.wait(for: "a-file")
    withExtendedLifetime(server) {}
  }
}
