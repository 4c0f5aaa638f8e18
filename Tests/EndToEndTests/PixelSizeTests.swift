import TermindTestSupport
import Testing

/// A terminal's size as TIOCGWINSZ tells it.
private struct Winsize: Equatable {
  var rows: Int
  var columns: Int
  var width: Int
  var height: Int

  init(rows: Int, columns: Int, width: Int, height: Int) {
    self.rows = rows
    self.columns = columns
    self.width = width
    self.height = height
  }

  /// Reads what the script prints.
  init?(_ line: some StringProtocol) {
    let words = line.split { $0.isWhitespace }
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard words.first == "size", numbers.count == 4 else { return nil }
    self.init(rows: numbers[0], columns: numbers[1], width: numbers[2], height: numbers[3])
  }
}

@Suite("The size in pixels", .serialized) struct PixelSizeTests {
  let home: TerminalHome
  let script: String

  init() throws {
    home = try TerminalHome()
    script = try home.folder.write(
      "winsize.py",
      """
      import fcntl, os, struct, sys, termios
      terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
      size = struct.unpack('HHHH', fcntl.ioctl(terminal, termios.TIOCGWINSZ, b' ' * 8))
      print('size', *size)

      """
    )
  }

  /// What a program in a pane reads of its terminal; nil while the answer is on its way.
  private func inner(_ pane: Int) async throws -> Winsize? {
    try await home.enter(pane, "clear; python3 \(script) /dev/tty")
    try await home.wait(pane, for: "^size( \\d+){4} *$")
    let rows = try await home.verb("capture", "--pane", "\(pane)").split(separator: "\n")
    return rows.compactMap { Winsize($0) }.last
  }

  /// Waits until programs in panes read what the outer terminal gives.
  private func expectSizes(_ terminal: TmuxTerminal, columns: Int, rows: Int) async throws {
    let tty = try await terminal.value("pane_tty")
    let outer = try #require(
      Winsize(try await TestProgram.run("/usr/bin/python3", [script, tty]))
    )
    // tmux gives each cell a size, else this would prove nothing.
    try #require(outer.columns == columns && outer.rows == rows)
    try #require(outer.width > 0 && outer.height > 0)
    for pane in try await home.panes() {
      let expected = Winsize(
        rows: pane.rows,
        columns: pane.columns,
        width: outer.width * pane.columns / outer.columns,
        height: outer.height * pane.rows / outer.rows
      )
      let found = try await home.poll("the size in pane \(pane.id)") { _ in
        try await inner(pane.id)
      } until: {
        $0 == expected
      }
      #expect(found == expected)
    }
  }

  @Test("programs here and on a server read their part of the outer terminal's pixels")
  func pixels() async throws {
    let server = try await OpenSSHServer()
    let terminal = try await TmuxTerminal.connected(home, to: server)
    // Beside it a local shell, so that each has a part of the window.
    try await home.verb("split", "--right", "--", "/bin/sh", "-l")
    try await home.wait(2, for: TerminalHome.prompt)
    try await expectSizes(terminal, columns: 100, rows: 30)
    try await terminal.resize(columns: 120, rows: 36)
    _ = try await home.poll("the new size", { try await $0.windows() }) { windows in
      windows.first.map { ($0.rows, $0.columns) == (36, 120) } ?? false
    }
    try await expectSizes(terminal, columns: 120, rows: 36)
  }
}
