import Glibc
import TermindTestSupport
import Testing

/// What copy mode keeps between keys, and where its texts go.
@Suite("Copy mode in a real terminal", .serialized) struct CopyModeTests {
  let home: TerminalHome

  init() throws { home = try TerminalHome() }

  private func started(_ environment: [String] = []) async throws -> TmuxTerminal {
    let terminal = try await TmuxTerminal.withShell(home, environment: environment)
    try await home.enter(1, "clear; for n in $(seq 1 9); do echo line-$n word; done; echo al''l")
    try await home.wait(1, for: "^all$")
    return terminal
  }

  private func clipboard(_ terminal: TmuxTerminal, _ text: String) async throws {
    _ = try await home.poll("the clipboard", { _ in try? await terminal.clipboard() }) {
      $0 == text
    }
  }

  @Test("copying adds, stays, and turns a selection round; a place is remembered")
  func keeping() async throws {
    let terminal = try await started()
    try await terminal.leader("[")
    try await terminal.wait("copy mode") { $0[1].contains("COPY") }
    // Up to the seventh line and its first word.
    try await terminal.type("4k0veY")
    try await clipboard(terminal, "line")
    try await terminal.wait("still in copy mode") { $0[1].contains("COPY") }
    // The first word below, and from its other end on to the row above.
    try await terminal.type("j0veokA")
    try await clipboard(terminal, "lineline-7 word\nline")
    try await terminal.wait("copy mode is left") { !$0[1].contains("COPY") }
    try await terminal.leader("[")
    try await terminal.type("2k0m5kv'y")
    try await clipboard(
      terminal,
      "line-4 word\nline-5 word\nline-6 word\nline-7 word\nline-8 word\nl"
    )
  }

  @Test("n and N go to older and newer matches, and a selection goes along")
  func matches() async throws {
    let terminal = try await started()
    for (keys, text) in [
      ("nnNVy", "line-8 word"), ("nn0Vy", "line-7 word"),
      ("vnny", "line-7 word\nline-8 word\nl"),
    ] {
      try await terminal.leader("[")
      try await terminal.type("/line-")
      try await terminal.wait("the matches") { $0[1].contains(/\ 1\/[0-9]+/) }
      try await terminal.press("Enter")
      try await terminal.wait("the bar is gone") { !$0[1].contains("Find") }
      try await terminal.type(keys)
      try await clipboard(terminal, text)
    }
  }

  @Test("a text that is too large for the clipboard is said to be, and is in the paste buffer")
  func tooLarge() async throws {
    try home.write(configuration: "scrollback-lines = 200000\n")
    let terminal = try await started()
    try await home.enter(1, "seq 1000000 1150000")
    try await home.wait(1, for: "^1150000$")
    try await terminal.leader("[")
    try await terminal.type("gVGy")
    try await terminal.wait(for: "bytes are too many for the clipboard")
    try await terminal.leader("y", "b")
    try await terminal.wait("the buffer") {
      $0.contains { $0.contains(/1[0-9]{6} bytes|1\.[0-9] M/) }
    }
  }

  @Test("the desktop's program gets what was copied, lives on as its owner, and is collected")
  func desktop() async throws {
    // A desktop's program keeps the text for others until somebody else copies; this one until it is told.
    let done = home.folder.file("done")
    let kept = home.folder.file("kept")
    mkdir(home.folder.file("bin"), 0o755)
    try home.folder.write(
      "bin/xclip",
      "#!/bin/sh\ncat > '\(kept).new'; echo $$ >> '\(kept).owners'; mv '\(kept).new' '\(kept)'\n"
        + "while [ ! -e '\(done)' ]; do sleep 0.05; done\n",
      mode: 0o755
    )
    let terminal = try await started([
      "DISPLAY=:99", "PATH=\(home.folder.file("bin")):/usr/bin:/bin",
    ])
    for line in ["line-9", "line-8"] {
      try await terminal.leader("[")
      try await terminal.type("/\(line)")
      try await terminal.wait("the match") { $0[1].contains("1/1 ") }
      try await terminal.press("Enter")
      try await terminal.wait("the bar is gone") { !$0[1].contains("Find") }
      try await terminal.type("Vy")
      _ = try await home.poll("the owner", { _ in try? TemporaryFolder.read(kept) }) {
        $0 == "\(line) word"
      }
    }
    let owners = try TemporaryFolder.read("\(kept).owners").split(separator: "\n")
      .compactMap { pid_t($0) }
    #expect(owners.count == 2 && owners.allSatisfy { kill($0, 0) == 0 })
    try home.folder.write("done", "")
    // One that ended and that nobody collects would still have its number.
    _ = try await home.poll("both collected", { _ in owners.filter { kill($0, 0) == 0 } }) {
      $0.isEmpty
    }
  }

  @Test("without confirm-paste several lines go into a plain shell at once")
  func unasked() async throws {
    try home.write(configuration: "confirm-paste = false\n")
    let terminal = try await started()
    try await home.enter(1, "PS1='plain> ' exec sh")
    try await home.wait(1, for: "^plain> ?$")
    try await terminal.paste("echo o''ne\necho t''wo\n")
    try await home.wait(1, for: "^one$")
    try await home.wait(1, for: "two$")
  }
}
