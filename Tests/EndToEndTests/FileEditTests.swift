import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("Editing, renaming and comparing files of a server", .serialized) struct FileEditTests {
  let home: TerminalHome
  let folder: TemporaryFolder

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  /// A pane with the files of a server that begins in the folder of the test.
  private func terminal(
    _ server: OpenSSHServer,
    editor: String,
    pager: String = "cat",
    configuration: String = ""
  ) async throws -> TmuxTerminal {
    try home.install(key: server.userKey)
    if !configuration.isEmpty { try home.write(configuration: configuration) }
    let script = try home.script("editor", editor)
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: 140,
      rows: 30,
      environment: ["EDITOR=\(script)", "PAGER=\(pager)"]
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    return terminal
  }

  private func server() async throws -> OpenSSHServer {
    try await OpenSSHServer(["Subsystem sftp internal-sftp -d \(folder.path)"])
  }

  private func text(_ name: String) -> String? { try? TemporaryFolder.read(folder.file(name)) }

  private func waitFor(_ what: String, _ condition: () -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while !condition() {
      guard clock.now < deadline else { throw TestFailure("\(what) did not come") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Answers a question that has come by itself: for a while it takes no key that may have been typed for something else, and
  /// only time ends that.
  private func answer(_ terminal: TmuxTerminal, _ keys: String...) async throws {
    try await Task.sleep(for: .milliseconds(700))
    for key in keys { try await terminal.press(key) }
  }

  /// The directories of copies that are left.
  private var copies: [String] { home.folder.names("home/state/edits") }

  /// An editor that puts a new file in the place of the old one for each line that is typed, and ends with an empty line.
  private static let replacingEditor = """
    echo "editing $(cat "$1")"
    while read -r line && [ -n "$line" ]; do
      printf %s "$line" > "$1.new"
      mv "$1.new" "$1"
      echo "saved $line"
    done
    """

  @Test(
    "a save is seen, told, and goes to the server when it is told to, with the mode of the original"
  )
  func uploads() async throws {
    try folder.write("page", "before", mode: 0o640)
    let server = try await server()
    let terminal = try await terminal(server, editor: Self.replacingEditor)
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "editing before")
    try await terminal.type("after\n")
    try await terminal.wait(for: "was saved here")
    #expect(text("page") == "before")
    // Quitting would name it.
    let quit = try TestProgram(home.program, ["quit"], environment: home.variables)
    #expect(try await quit.waitForExit() == 5)
    #expect(quit.text.contains("1 edit not uploaded"))
    // What is typed on while the question comes answers nothing: not even the first letter of Upload.
    try await terminal.type("\n", then: "uu", after: 0.2)
    try await terminal.wait(for: "changed, not uploaded")
    // Keys right behind those for the editor are still taken for its own; only time ends that.
    try await Task.sleep(for: .milliseconds(700))
    #expect(try await terminal.screen().contains("changed, not uploaded"))
    #expect(text("page") == "before")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "Uploaded page")
    #expect(text("page") == "after")
    var status = stat()
    stat(folder.file("page"), &status)
    #expect(status.st_mode & 0o777 == 0o640)
    try await waitFor("the end of the copy") { copies.isEmpty }
    withExtendedLifetime(server) {}
  }

  @Test("a changed original is not overwritten: both are kept, or one is chosen after a look")
  func conflicts() async throws {
    try folder.write("page", "before\n", mode: 0o640)
    let server = try await server()
    let terminal = try await terminal(server, editor: Self.replacingEditor)
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "editing before")
    try folder.write("page", "theirs, and longer\n")
    try await terminal.type("mine\n")
    try await terminal.wait(for: "was saved here")
    try await terminal.type("\n")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Enter")
    try await terminal.wait(for: "changed here and on the server")
    #expect(text("page") == "theirs, and longer\n")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "-theirs, and longer")
    #expect(try await terminal.screen().contains("+mine"))
    try await terminal.leader("w")
    try await terminal.wait(without: "-theirs, and longer")
    try await terminal.press("E")
    try await terminal.wait(for: "Files edited here")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Keep both")
    try await terminal.press("Tab", "Tab", "Enter")
    try await waitFor("the other name") { text("page (2)") == "mine" }
    #expect(text("page") == "theirs, and longer\n")
    try await terminal.wait(for: "Uploaded beside it")
    var status = stat()
    stat(folder.file("page (2)"), &status)
    #expect(status.st_mode & 0o777 == 0o640)
    // That is all: the edit is over, and the key takes the server's file anew.
    try await waitFor("the end of the copy") { copies.isEmpty }
    try await terminal.press("e")
    try await terminal.wait(for: "editing theirs, and longer")
    try folder.write("page", "theirs again, and longer still\n")
    try await terminal.type("mine once more\n")
    try await terminal.wait(for: "was saved here")
    try await terminal.type("\n")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Enter")
    try await terminal.wait(for: "changed here and on the server")
    try await answer(terminal, "Escape")
    try await terminal.wait(without: "changed here and on the server")
    // The key asks before it shows the older copy.
    try await terminal.press("e")
    try await terminal.wait(for: "changed here and on the server")
    try await answer(terminal, "Tab", "Tab", "Tab", "Enter")
    try await waitFor("the new text") { text("page") == "mine once more" }
    withExtendedLifetime(server) {}
  }

  @Test("an original that was deleted meanwhile is said to be, and made anew when that is wished")
  func gone() async throws {
    try folder.write("page", "before\n")
    let server = try await server()
    let terminal = try await terminal(server, editor: Self.replacingEditor)
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "editing before")
    unlink(folder.file("page"))
    try await terminal.type("mine\n")
    try await terminal.wait(for: "was saved here")
    try await terminal.type("\n")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Enter")
    let rows = try await terminal.wait(for: "changed here, deleted on the server")
    #expect(rows.contains("Make it anew") && !rows.contains("Keep both"))
    #expect(text("page") == nil)
    try await answer(terminal, "Tab", "Enter")
    try await waitFor("the new file") { text("page") == "mine" }
    try await waitFor("the end of the copy") { copies.isEmpty }
    withExtendedLifetime(server) {}
  }

  @Test("after a look at the differences it is asked again")
  func differences() async throws {
    try folder.write("page", "before\n")
    let server = try await server()
    let pager = try home.script("pager", "cat; exec 0</dev/tty; read -r line")
    let terminal = try await terminal(server, editor: Self.replacingEditor, pager: pager)
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "editing before")
    try await terminal.type("mine\n")
    try await terminal.wait(for: "was saved here")
    try await terminal.type("\n")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Tab", "Enter")
    let rows = try await terminal.wait(for: "+mine")
    #expect(rows.contains("differences of page on"))
    // What ends within a second was no pager.
    try await Task.sleep(for: .seconds(1))
    try await terminal.type("\n")
    try await terminal.wait(for: "changed, not uploaded")
    #expect(try await home.panes().count == 1)
    withExtendedLifetime(server) {}
  }

  @Test("with edit-upload = auto every save goes to the server")
  func automatic() async throws {
    try folder.write("page", "before")
    let server = try await server()
    let terminal = try await terminal(
      server,
      editor: Self.replacingEditor,
      configuration: "edit-upload = auto\n"
    )
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "editing before")
    try await terminal.type("first\n")
    try await waitFor("the first save") { text("page") == "first" }
    try await terminal.type("second\n")
    try await waitFor("the second save") { text("page") == "second" }
    try await terminal.type("\n")
    try await waitFor("the end of the copy") { copies.isEmpty }
    withExtendedLifetime(server) {}
  }

  @Test("an automatic upload that fails does not keep the next save from the server")
  func automaticAgain() async throws {
    try folder.write("page", "before")
    // A server that can be told to give no more SFTP.
    let script = try home.script(
      "sftp",
      "[ -e '\(folder.file("closed"))' ] && exit 1; exec /usr/lib/openssh/sftp-server -d '\(folder.path)'"
    )
    let server = try await OpenSSHServer(["Subsystem sftp \(script)"])
    let terminal = try await terminal(
      server,
      editor: Self.replacingEditor,
      configuration: "edit-upload = auto\n"
    )
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "editing before")
    try folder.write("closed", "")
    try await terminal.type("first\n")
    try await terminal.wait(for: "no SFTP")
    #expect(text("page") == "before")
    unlink(folder.file("closed"))
    try await terminal.type("second\n")
    try await waitFor("the second save") { text("page") == "second" }
    withExtendedLifetime(server) {}
  }

  @Test("an editor that goes on by itself keeps its copy, and its saves are seen")
  func editorElsewhere() async throws {
    try folder.write("page", "before")
    let server = try await server()
    let terminal = try await terminal(
      server,
      editor: """
        trap '' HUP
        setsid sh -c 'until [ -e "$1" ]; do sleep 0.05; done; printf later > "$2"' sh \
          '\(folder.file("go"))' "$1" >/dev/null 2>&1 </dev/null &
        """
    )
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "goes on by itself")
    #expect(copies.count == 1)
    try folder.write("go", "")
    try await terminal.wait(for: "was saved here")
    try await terminal.press("E")
    try await terminal.wait(for: "Files edited here")
    try await terminal.press("Enter")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Enter")
    try await waitFor("the upload") { text("page") == "later" }
    // Only the person knows when it is over.
    #expect(copies.count == 1)
    try await terminal.wait(for: "Uploaded page")
    try await terminal.press("E")
    try await terminal.wait(for: "still open")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Keep the copy")
    try await terminal.press("Tab", "Tab", "Tab", "Enter")
    try await waitFor("the end of the copy") { copies.isEmpty }
    withExtendedLifetime(server) {}
  }

  @Test(
    "what was edited is there again after the server of Termind was killed; what else it left is not"
  )
  func restarts() async throws {
    for name in ["page", "other", "third"] { try folder.write(name, "before") }
    let server = try await server()
    var terminal = try await terminal(
      server,
      editor: "echo \"opened ${1##*/}\"\n" + Self.replacingEditor
    )
    try await terminal.wait(for: "third")
    for (count, (key, name)) in [("G", "third"), ("k", "page"), ("k", "other")].enumerated() {
      try await terminal.press(key, "e")
      // Each editor has a pane of its own beside those before it.
      try await terminal.wait("another editor") { rows in
        rows.reduce(0) { $0 + $1.ranges(of: "editing before").count } == count + 1
      }
      if name != "other" {
        try await terminal.type("mine of \(name)\n")
        try await terminal.wait(for: "saved mine of \(name)")
        try await terminal.wait(for: "was saved here")
      }
      try await terminal.leader("h")
    }
    #expect(copies.count == 3)
    kill(try home.serverProcess(), SIGKILL)
    try await terminal.wait(for: "[exit")
    mkdir(home.folder.file("home/state/edits/left"), 0o700)
    try home.folder.write("home/state/edits/left/file", "of a comparison")
    terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: 140,
      rows: 30,
      environment: ["EDITOR=true", "PAGER=cat"]
    )
    try await terminal.waitForConnection()
    try await terminal.wait(for: "2 edits of the last time")
    try await waitFor("the end of what is not needed") { copies.count == 2 }
    try await terminal.press("E")
    let list = try await terminal.wait(for: "Files edited here")
    #expect(list.contains("page on") && list.contains("third on") && !list.contains("other on"))
    try await terminal.type("page")
    try await terminal.press("Enter")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Enter")
    try await waitFor("the upload") { text("page") == "mine of page" }
    // The other one is kept beside: nothing takes it away.
    try await terminal.wait(for: "Uploaded page")
    try await terminal.press("E")
    try await terminal.wait(for: "third on")
    try await terminal.press("Enter")
    try await terminal.wait(for: "Keep the copy")
    try await terminal.press("Tab", "Tab", "Tab", "Tab", "Enter")
    try await terminal.wait(for: "The copy stays")
    #expect(copies.isEmpty)
    let kept = try #require(home.folder.names("home/state/kept").first)
    let copy = try TemporaryFolder.read(home.folder.file("home/state/kept/\(kept)/third"))
    #expect(copy == "mine of third" && text("third") == "before")
    withExtendedLifetime(server) {}
  }

  @Test("copies that nobody knows of are moved where nothing is taken away")
  func unknownCopies() async throws {
    for name in ["home", "home/state", "home/state/edits", "home/state/edits/old"] {
      mkdir(home.folder.file(name), 0o700)
    }
    try home.folder.write("home/state/edits/old/page", "not uploaded")
    try home.folder.write("home/state/edits.json", "{ damaged")
    let terminal = try await TmuxTerminal(home)
    try await terminal.wait(for: "What was edited before is in")
    let kept = try #require(home.folder.names("home/state/kept").first)
    #expect(
      try TemporaryFolder.read(home.folder.file("home/state/kept/\(kept)/page")) == "not uploaded"
    )
    #expect(copies.isEmpty)
  }

  @Test("an editor with arguments in quotes is read as a shell reads it")
  func quotedEditor() async throws {
    try folder.write("page", "before")
    let server = try await server()
    try home.install(key: server.userKey)
    let script = try home.script("with blank", "printf '%s' \"$1\" > \"$2\"")
    let terminal = try await TmuxTerminal(
      home,
      ["open", "--sftp", "\(OpenSSHServer.user)@127.0.0.1:\(server.port)"],
      columns: 140,
      rows: 30,
      environment: ["EDITOR='\(script)' '(two words)'"]
    )
    try await terminal.trust()
    try await terminal.waitForConnection()
    try await terminal.wait(for: "page")
    try await terminal.press("j", "e")
    try await terminal.wait(for: "changed, not uploaded")
    try await answer(terminal, "Tab", "Enter")
    try await waitFor("the upload") { text("page") == "(two words)" }
    withExtendedLifetime(server) {}
  }

  @Test("what was edited and not uploaded is there again after a restart")
  func restartsAfterQuit() async throws {
    try folder.write("page", "before")
    let server = try await server()
    let first = try await terminal(server, editor: Self.replacingEditor)
    try await first.wait(for: "page")
    try await first.press("j", "e")
    try await first.wait(for: "editing before")
    try await first.type("after\n")
    try await first.wait(for: "was saved here")
    try await home.verb("quit", "--force")
    try await first.wait(for: "[exit 0]")
    #expect(copies.count == 1 && text("page") == "before")
    let second = try await TmuxTerminal(home, columns: 140, rows: 30)
    try await second.wait("the last session") {
      $0.contains("The last session is back") || $0.contains("not on the server")
    }
    // Its editor is not started again on a copy that may be no edit any more.
    #expect(try await home.panes().map(\.kind) == ["sftp", "empty"])
    try await second.leader("h")
    try await second.press("r")
    try await second.waitForConnection()
    try await second.press("E")
    try await second.wait(for: "changed, not uploaded")
    try await second.press("Enter")
    try await second.wait(for: "Upload")
    try await second.press("Tab", "Enter")
    try await waitFor("the new text") { text("page") == "after" }
    try await waitFor("the end of the copy") { copies.isEmpty }
    // Nothing is left for a third start.
    try await waitFor("the end of the list") {
      (try? TemporaryFolder.read(home.folder.file("home/state/edits.json"))) == "[]"
    }
    withExtendedLifetime(server) {}
  }

  @Test("many names are changed in an editor, shown first, and taken back")
  func renames() async throws {
    for name in ["one", "two", "three"] { try folder.write(name, name) }
    let server = try await server()
    let terminal = try await terminal(
      server,
      editor:
        "sed -i -e 's/^one$/swap/' -e 's/^two$/one/' -e 's/^swap$/two/' -e 's/three/tres/' \"$1\""
    )
    try await terminal.wait(for: "three")
    try await terminal.press("B")
    let preview = try await terminal.wait(for: "Rename 3 entries?")
    #expect(preview.contains("three → tres") && preview.contains("one → two"))
    #expect(text("three") == "three")
    try await terminal.press("Tab", "Enter")
    try await waitFor("the new names") { text("tres") == "three" }
    try await terminal.wait(for: "Renamed 3")
    #expect(text("one") == "two" && text("two") == "one" && text("three") == nil)
    try await terminal.press("u")
    try await waitFor("the old names") { text("three") == "three" }
    #expect(text("one") == "one" && text("two") == "two")
    withExtendedLifetime(server) {}
  }

  @Test("shows digests, and the differences of two files")
  func compares() async throws {
    try folder.write("a", "same\nold\n")
    try folder.write("b", "same\nnew\n")
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "2 entries")
    try await terminal.press("C-a", "c")
    let digest = try await TestProgram.run("/usr/bin/sha256sum", [folder.file("a")]).prefix(64)
    try await terminal.wait(for: String(digest))
    try await terminal.press("q")
    try await terminal.press("=")
    try await terminal.wait(for: "+new")
    #expect(try await terminal.screen().contains("-old"))
    withExtendedLifetime(server) {}
  }

  @Test("a comparison that fails leaves no copies")
  func comparesInVain() async throws {
    try folder.write("a", "text")
    mkfifo(folder.file("b"), 0o600)
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "2 entries")
    try await terminal.press("C-a", "=")
    try await terminal.wait(for: "has no end")
    try await waitFor("the end of the copies") { copies.isEmpty }
    withExtendedLifetime(server) {}
  }

  @Test("a terminal opened from files starts in their directory, and nothing is typed into it")
  func terminalHere() async throws {
    mkdir(folder.file("it's here"), 0o755)
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "it's here")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "Empty directory")
    try await terminal.press("t")
    try await waitFor("the shell") {
      server.log.components(separatedBy: "Starting session").count > 1
    }
    try await terminal.type("pwd\n")
    try await terminal.wait(for: "\(folder.path)/it's here")
    #expect(!(try await terminal.screen().contains("cd --")))
    withExtendedLifetime(server) {}
  }

  @Test("two directories are compared, mirrored after a preview, and gone through in step")
  func directories() async throws {
    for name in ["one", "one/sub", "two", "two/sub", "two/extra"] {
      mkdir(folder.file(name), 0o755)
    }
    try folder.write("one/sub/new", "new")
    try folder.write("one/same", "same")
    try folder.write("two/same", "same")
    try folder.write("two/extra/gone", "")
    let times = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
    for name in ["one/same", "two/same"] { utimensat(AT_FDCWD, folder.file(name), times, 0) }
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "one/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "same")
    try await terminal.leader("F")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.kind) == ["sftp", "files"] && $0.last?.directory != nil
    }
    try await terminal.press("g")
    try await terminal.type("\(folder.path)/two\n")
    try await terminal.wait(for: "extra/")
    try await terminal.leader("h")
    try await terminal.press("W")
    let found = try await terminal.wait(for: "2 differences")
    #expect(found.contains("+ sub/new (only here)") && found.contains("− extra (only there)"))
    #expect(found.contains("1 file the same by size and time"))
    try await terminal.press("Tab", "Tab", "Tab", "Tab", "Enter")
    let preview = try await terminal.wait(for: "Mirror to local?")
    #expect(preview.contains("× extra") && !preview.contains("× same"))
    #expect(text("two/extra/gone") == "")
    try await terminal.press("Tab", "Enter")
    try await waitFor("the new file") { text("two/sub/new") == "new" }
    // What is only there goes last.
    try await waitFor("the end of what was only there") { text("two/extra/gone") == nil }
    try await terminal.wait(for: "copied to")
    try await terminal.press("W")
    try await terminal.wait(for: "0 differences")
    try await terminal.press("Escape")
    try await terminal.wait(without: "0 differences")
    try await terminal.press("w")
    try await terminal.wait(for: "in step")
    try await terminal.press("f")
    try await terminal.type("sub")
    try await terminal.press("Enter", "Enter")
    _ = try await home.poll("both below", { try await $0.panes() }) {
      $0.map(\.directory) == [folder.file("one/sub"), folder.file("two/sub")]
    }
    try await terminal.press("h")
    _ = try await home.poll("both above", { try await $0.panes() }) {
      $0.map(\.directory) == [folder.file("one"), folder.file("two")]
    }
    withExtendedLifetime(server) {}
  }

  @Test("a mirror acts on the directories that were compared, whatever is in front by then")
  func mirrorsWhatWasCompared() async throws {
    for name in ["one", "two", "three"] { mkdir(folder.file(name), 0o755) }
    try folder.write("one/new", "new")
    try folder.write("two/extra", "extra")
    try folder.write("three/extra", "of the other directory")
    let script = try home.script(
      "sftp",
      "echo $$ >> '\(home.folder.file("servers"))'; exec /usr/lib/openssh/sftp-server -d '\(folder.path)'"
    )
    let server = try await OpenSSHServer(["Subsystem sftp \(script)"])
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "one/")
    try await terminal.press("j", "Enter")
    try await terminal.wait(for: "new")
    try await terminal.leader("F")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.kind) == ["sftp", "files"] && $0.last?.directory != nil
    }
    try await terminal.press("g")
    try await terminal.type("\(folder.path)/two\n")
    try await terminal.wait(for: "extra")
    let numbers = try TemporaryFolder.read(home.folder.file("servers"))
    let number = try #require(numbers.split(separator: "\n").first.flatMap { Int32($0) })
    kill(number, SIGSTOP)
    try await terminal.leader("h")
    try await terminal.press("W")
    try await terminal.wait(for: "comparing")
    try await terminal.leader("l")
    try await terminal.press("g")
    try await terminal.type("\(folder.path)/three\n")
    _ = try await home.poll("the other directory", { try await $0.panes() }) {
      $0.last?.directory == folder.file("three")
    }
    kill(number, SIGCONT)
    try await terminal.wait(for: "2 differences")
    try await terminal.press("Tab", "Tab", "Tab", "Tab", "Enter")
    let preview = try await terminal.wait(for: "Mirror to local?")
    #expect(preview.contains("To: local:\(folder.path)/two"))
    try await terminal.press("Tab", "Enter")
    try await waitFor("the new file") { text("two/new") == "new" }
    try await waitFor("the end of the other") { text("two/extra") == nil }
    #expect(text("three/extra") == "of the other directory" && text("three/new") == nil)
    withExtendedLifetime(server) {}
  }

  @Test("a directory that holds the source is not mirrored onto")
  func mirrorsOntoHolder() async throws {
    for name in ["data", "data/src"] { mkdir(folder.file(name), 0o755) }
    try folder.write("data/src/only", "the only one")
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.press("g")
    try await terminal.type("\(folder.path)/data/src\n")
    try await terminal.wait(for: "only")
    try await terminal.leader("F")
    _ = try await home.poll("two panes", { try await $0.panes() }) {
      $0.map(\.kind) == ["sftp", "files"] && $0.last?.directory != nil
    }
    try await terminal.press("g")
    try await terminal.type("\(folder.path)/data\n")
    try await terminal.wait(for: "src/")
    try await terminal.leader("h")
    try await terminal.press("W")
    try await terminal.wait(for: "2 differences")
    try await terminal.press("Tab", "Tab", "Tab", "Tab", "Enter")
    try await terminal.wait(for: "Mirror to local?")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "it lies in the direct")
    #expect(text("data/src/only") == "the only one" && text("data/only") == nil)
    withExtendedLifetime(server) {}
  }

  @Test("only the part of the owner that was edited is changed, of each entry")
  func ownersOfSeveral() async throws {
    try #require(getuid() == 0, "only root may give files away")
    for (name, user, group) in [("a", uid_t(2_001), gid_t(3_001)), ("b", 2_002, 3_002)] {
      try folder.write(name, "")
      chown(folder.file(name), user, group)
    }
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "2 entries")
    try await terminal.press("C-a", "O")
    try await terminal.wait(for: "Owner of 2 entries")
    try await terminal.type("\t54321\n")
    func owner(_ name: String) -> [UInt32] {
      var status = stat()
      return stat(folder.file(name), &status) == 0 ? [status.st_uid, status.st_gid] : []
    }
    try await waitFor("the new group") {
      owner("a") == [2_001, 54_321] && owner("b") == [2_002, 54_321]
    }
    withExtendedLifetime(server) {}
  }

  @Test("the owner is changed by number")
  func owners() async throws {
    try #require(getuid() == 0, "only root may give files away")
    try folder.write("file", "")
    let server = try await server()
    let terminal = try await terminal(server, editor: "true")
    try await terminal.wait(for: "file")
    try await terminal.press("j", "O")
    try await terminal.wait(for: "Owner of file")
    try await terminal.press("C-u")
    try await terminal.type("12345\t")
    try await terminal.press("C-u")
    try await terminal.type("54321\n")
    try await waitFor("the new owner") {
      var status = stat()
      return stat(folder.file("file"), &status) == 0 && status.st_uid == 12_345
        && status.st_gid == 54_321
    }
    withExtendedLifetime(server) {}
  }
}
