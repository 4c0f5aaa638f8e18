import Glibc
import TermindTestSupport
import Testing

@Suite("Shells that tell of their commands, in a pane", .serialized) struct ShellIntegrationTests {
  let home: TerminalHome

  init() throws {
    home = try TerminalHome()
    for name in [".profile", ".bash_profile"] {
      try home.folder.write(name, "PS1='\(TerminalHome.prompt) '\n")
    }
  }

  private func bash() async throws -> TmuxTerminal {
    try await TmuxTerminal.withShell(home, environment: ["SHELL=/bin/bash"])
  }

  @Test("failures and times are marked, prompts are jumped to, outputs are copied and selected")
  func marks() async throws {
    let terminal = try await bash()
    try await terminal.type("(exit 3)\n")
    try await terminal.wait(for: "✗ 3")
    // The numbers of copy mode stand there alone, and not over half of a mark.
    try await terminal.leader("[")
    try await terminal.type("#")
    try await terminal.wait("a number in place of the mark") { rows in
      rows.contains { $0.contains(/\(exit 3\) +\d+$/) }
    }
    try await terminal.press("q")
    try await terminal.wait(for: "✗ 3")
    try await terminal.type("for n in $(seq 1 60); do echo row-$n; done; printf 'last'\n")
    try await terminal.wait(for: "lastready>")
    try await terminal.leader("y", "o")
    let copied = try await home.poll("the clipboard", { _ in try? await terminal.clipboard() }) {
      $0?.hasPrefix("row-1\n") == true
    }
    #expect(copied?.hasSuffix("row-60\nlast") == true)
    try await terminal.leader("y", "p")
    try await terminal.wait("the prompt of the loop at the top") { $0[2].contains("seq 1 60") }
    try await terminal.press("p")
    try await terminal.wait("the prompt before") {
      $0[2].contains("(exit 3)") && $0[2].contains("✗ 3")
    }
    try await terminal.press("n")
    try await terminal.wait("back") { $0[2].contains("seq 1 60") }
    try await terminal.press("Escape")
    try await terminal.leader("y", "O")
    try await terminal.leader("y", "y")
    _ = try await home.poll("the selection", { _ in try? await terminal.clipboard() }) {
      $0?.hasSuffix("row-60\nlast") == true
    }
  }

  @Test("a command that took long and ends out of view is told of")
  func notification() async throws {
    try home.write(configuration: "notify-after = 1\n")
    let terminal = try await bash()
    let log = try await terminal.record()
    try await terminal.type("sleep 1.2; (exit 4)\n")
    try await terminal.leader("c")
    _ = try await home.poll("two workspaces", { try await $0.workspaces() }) { $0.count == 2 }
    try await terminal.wait(for: "sleep 1.2; (exit 4) failed with 4 after 1.")
    #expect(try TemporaryFolder.read(log).contains("\u{1B}]9;"))
  }

  @Test(
    "the shell of a host is given it where that is wanted, and a split starts in its directory"
  )
  func remote() async throws {
    let server = try await OpenSSHServer()
    mkdir(server.folder.file("home/we ird"), 0o700)
    try home.write(configuration: "shell-integration = on\n")
    let terminal = try await TmuxTerminal.connected(home, to: server)
    // The home that the server names is not the directory that it starts the shell in.
    try await terminal.type("cd ~/'we ird'; (exit 7)\n")
    try await terminal.wait(for: "✗ 7")
    try await terminal.leader("-")
    _ = try await home.poll("the second pane", { try await $0.panes() }) {
      $0.filter { $0.state == "up" }.count == 2
    }
    try await terminal.type("echo \"at [$PWD]\"\n")
    try await terminal.wait(for: "at [\(server.folder.file("home/we ird"))]")
    try await terminal.type("history\n")
    let rows = try await terminal.wait(for: "2  history")
    #expect(!rows.contains("__termind"))
  }

  @Test("a host that is not said to want it gets its plain shell")
  func plain() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    try await terminal.type("(exit 7); echo \"[$0] $-\"\n")
    try await terminal.wait(for: "[-bash]")
    #expect(try await !terminal.screen().contains("✗"))
  }

  @Test("commands are remembered, found again, and inserted without being run")
  func history() async throws {
    let terminal = try await bash()
    try await terminal.type("echo one-$((1+1))\n")
    try await terminal.wait(for: "one-2")
    try await terminal.type(" echo hidden-word\n")
    try await terminal.type("(exit 9)\n")
    try await terminal.wait(for: "✗ 9")
    try await terminal.leader("y", "h")
    let list = try await terminal.wait(for: "Commands: this machine")
    #expect(list.contains { $0.contains("(exit 9)") && $0.contains("✗ 9") && $0.contains("now") })
    try await terminal.type("hidden-word")
    try await terminal.wait("no command is found") { $0.contains { $0.contains("0/2") } }
    try await terminal.press("C-u")
    try await terminal.type("one")
    try await terminal.wait("one command is left") { $0.contains { $0.contains("1/") } }
    try await terminal.press("Enter")
    let rows = try await terminal.wait("the command at the prompt") { rows in
      rows.filter { $0.contains("ready> echo one-$((1+1))") }.count == 2
    }
    #expect(rows.filter { $0.contains("one-2") }.count == 1)
    try await terminal.press("Enter")
    try await terminal.wait("it runs now") { rows in
      rows.filter { $0.contains("one-2") }.count == 2
    }
    try await terminal.leader("y", "h")
    try await terminal.wait(for: "Commands: this machine")
    try await terminal.press("DC")
    try await terminal.wait(for: "Forget these commands?")
    try await terminal.press("Tab", "Enter")
    try await terminal.wait(for: "They are forgotten.")
    try await terminal.leader("y", "h")
    try await terminal.wait(for: "No command is known of here")
  }

  @Test("the last output goes into the editor, with its colours into less, and into a file")
  func texts() async throws {
    let editor = try home.script("editor", "echo \"editing [$(cat \"$1\")]\"; read line")
    let terminal = try await TmuxTerminal.withShell(
      home,
      columns: 160,
      environment: ["SHELL=/bin/bash", "EDITOR=\(editor)"]
    )
    try await terminal.type("printf '\\033[31mred\\033[m\\nlast\\n'\n")
    try await terminal.wait("the output") {
      $0.contains { $0.contains("last") && !$0.contains("printf") }
    }
    try await terminal.leader("y", "e")
    try await terminal.wait(for: "editing [red")
    try await terminal.wait(for: "output of ")
    try await terminal.press("Enter")
    // A pane that was opened for one program goes with it.
    _ = try await home.poll("the shell alone", { try await $0.panes() }) { $0.count == 1 }
    try await terminal.leader("y", "g")
    _ = try await home.poll("less", { try await $0.panes() }) { $0.count == 2 }
    try await terminal.wait(for: "(END)")
    // What ends within a second was no pager, and stays to be read.
    try await Task.sleep(for: .seconds(1))
    try await terminal.press("q")
    _ = try await home.poll("the shell alone", { try await $0.panes() }) { $0.count == 1 }
    try await terminal.leader("y", "s")
    try await terminal.wait(for: "Save the last output")
    try await terminal.press("C-u")
    try await terminal.type("~/saved.txt")
    try await terminal.press("Enter")
    try await terminal.wait(for: "saved.txt has the text")
    #expect(try TemporaryFolder.read(home.folder.file("saved.txt")) == "red\nlast\n")
  }

  @Test("an account that runs no commands is left alone, without a word of the attempt")
  func dispatcher() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "dispatch",
      "#!/bin/sh\n[ -z \"$SSH_ORIGINAL_COMMAND\" ] && exec /bin/sh\necho denied; exit 126\n",
      mode: 0o755
    )
    let server = try await OpenSSHServer(["ForceCommand \(script)"])
    try home.write(configuration: "shell-integration = on\n")
    let terminal = try await TmuxTerminal.connected(home, to: server)
    // The plain shell is there once it has its prompt.
    try await home.wait(for: "^[#$]")
    try await terminal.type("echo shell-$((40+2))\n")
    let rows = try await terminal.wait(for: "shell-42")
    #expect(!rows.contains("denied") && !rows.contains("runs no command"))
    #expect(try await home.panes().first?.notes ?? [] == [])
  }

  @Test("an account for files only says so as it does without Termind")
  func filesOnly() async throws {
    let server = try await OpenSSHServer(["ForceCommand internal-sftp"])
    try home.write(configuration: "shell-integration = on\n")
    let terminal = try await TmuxTerminal(home, TmuxTerminal.words(server))
    try await terminal.trust()
    try await terminal.wait(for: "exited 1")
    let rows = try await terminal.wait(for: "allows sftp connections only")
    #expect(rows.filter { $0.contains("sftp connections only") }.count == 1)
  }
}
