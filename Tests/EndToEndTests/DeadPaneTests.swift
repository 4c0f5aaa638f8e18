import TermindTestSupport
import Testing

@Suite("What is typed where no program runs", .serialized) struct DeadPaneTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  @Test("a broadcast with the focus in a dead pane goes to the others")
  func broadcast() async throws {
    let terminal = try await TmuxTerminal.withShell(home)
    try await terminal.leader("|")
    _ = try await home.poll("the new pane", { try await $0.panes() }) { $0.count == 2 }
    let focus = try await home.focus()
    try await home.wait(focus, for: TerminalHome.prompt)
    try await terminal.leader("e", "w")
    try await terminal.wait(for: "broadcast to 2")
    try await home.enter(focus, "exit")
    _ = try await home.poll("the end", { try await $0.panes() }) { panes in
      panes.first { $0.id == focus }?.state == "ended"
    }
    // Neither the letter nor Enter starts the dead one again.
    try await terminal.type("echo rr-$((40+2))\n")
    try await home.wait(1, for: "^rr-42")
    try await terminal.paste("echo pasted-$((40+2))")
    try await terminal.press("Enter")
    try await home.wait(1, for: "^pasted-42")
    #expect(try await home.panes().first { $0.id == focus }?.state == "ended")
  }

  @Test(
    "keys right behind the end of a program are no commands, and a paste there is refused in words"
  )
  func typeAhead() async throws {
    let script = try home.script("once", "echo run >> \(home.folder.file("runs")); read line")
    let terminal = try await TmuxTerminal(home, ["run", script])
    try await terminal.wait(for: "once")
    try await terminal.type("line\n", then: "rr\n", after: 0.15)
    _ = try await home.poll("the end", { try await $0.panes() }) { $0.first?.state == "ended" }
    try await terminal.paste("lost")
    try await terminal.wait(for: "The paste was not sent")
    #expect(try TemporaryFolder.read(home.folder.file("runs")) == "run\n")
    try await terminal.startAgain(home)
    _ = try await home.poll(
      "the second run",
      { _ in
        try TemporaryFolder.read(home.folder.file("runs"))
      }
    ) { $0 == "run\nrun\n" }
  }
}
