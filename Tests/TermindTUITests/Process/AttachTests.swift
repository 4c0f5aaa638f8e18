import Glibc
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// The built client in real terminals, against a server in this process.
@Suite("Attached terminals", .timeLimit(.minutes(3))) @MainActor struct AttachTests {
  @Test("a client shows what the server draws, and gets its terminal back at the close")
  func attachAndClose() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client(["run", "--", "top", "-x"])
    #expect(server.windows.events == ["attached run([\"top\", \"-x\"]) 80x24"])
    #expect(terminal.isRaw)
    terminal.type("ab\u{3}")
    await server.windows.wait(for: "typed ab\u{3}")
    server.windows.terminals[0].close(text: "bye", status: 3)
    #expect(try await terminal.end(of: process) == .exited(status: 3))
    #expect(await terminal.shows("bye"))
    #expect(terminal.text == "<enter><leave>bye\r\n")
    #expect(terminal.isRestored)
  }

  @Test("a refused client says why and exits with 1")
  func refused() async throws {
    let server = try TestServer()
    server.windows.refusal = "There is no window 9."
    let terminal = try TestTerminal()
    let process = try terminal.start(["attach", "9"], home: server.home.path)
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("termind: There is no window 9.\r\n"))
    #expect(terminal.isRestored)
  }

  @Test("a killed client's terminal is given back by the server")
  func killedClient() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    kill(process.number, SIGKILL)
    await server.windows.wait(for: "ended clientVanished")
    #expect(try await terminal.end(of: process) == .signalled(name: "KILL"))
    #expect(await terminal.shows("<leave>"))
    #expect(terminal.isRestored)
  }

  @Test("settings that a shell has made by then are not touched")
  func shellWasFaster() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    var changed = terminal.before
    changed.flags[3] ^= UInt32(ECHO)
    try terminal.other.set(changed)
    kill(process.number, SIGKILL)
    await server.windows.wait(for: "ended clientVanished")
    #expect(try terminal.other.modes() == changed)
  }

  @Test(
    "a client that is asked to end detaches and exits by its signal",
    arguments: [SIGTERM, SIGINT]
  )
  func terminated(signal: Int32) async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    kill(process.number, signal)
    #expect(try await terminal.end(of: process) == .exited(status: 128 + Int(signal)))
    await server.windows.wait(for: "ended clientEnded(reason: \"the client was asked to end\")")
    #expect(await terminal.shows("<leave>[detached"))
    #expect(terminal.isRestored)
  }

  @Test("a terminal that goes away ends the connection, and the server lives on")
  func hangUp() async throws {
    let server = try TestServer()
    var terminal: TestTerminal? = try TestTerminal()
    _ = try terminal?.start(home: server.home.path)
    await terminal?.shows(StubWindows.enter)
    let ended = server.windows
    terminal = nil
    try await waitUntil("the end") { ended.events.contains { $0.hasPrefix("ended ") } }
    let (second, _) = try await server.client()
    #expect(second.isRaw)
  }

  @Test("the newest size reaches the server")
  func resize() async throws {
    let server = try TestServer()
    let (terminal, _) = try await server.client()
    for columns in 81...120 {
      terminal.pseudo.resize(to: TerminalDimensions(rows: 50, columns: columns))
    }
    await server.windows.wait(for: "resized 120x50")
    #expect(server.windows.terminals[0].size == TerminalDimensions(rows: 50, columns: 120))
  }

  @Test("a terminal without a size counts as 80 by 24 until it has one")
  func zeroSize() async throws {
    let server = try TestServer()
    let terminal = try TestTerminal()
    var none = winsize()
    _ = ioctl(terminal.pseudo.descriptor.number, UInt(TIOCSWINSZ), &none)
    _ = try terminal.start(home: server.home.path)
    await server.windows.wait(for: "attached newWindow 80x24")
    terminal.pseudo.resize(to: TerminalDimensions(rows: 10, columns: 20))
    await server.windows.wait(for: "resized 20x10")
  }

  @Test("two terminals are two windows of one server")
  func second() async throws {
    let server = try TestServer()
    let (first, _) = try await server.client()
    let (second, process) = try await server.client(["attach", "7"], rows: 10, columns: 40)
    #expect(server.windows.terminals.count == 2)
    await server.windows.wait(
      for: "attached attach(Optional(TermindDomain.WindowID(rawValue: 7))) 40x10"
    )
    server.windows.terminals[1].close(text: "")
    #expect(try await second.end(of: process) == .exited(status: 0))
    #expect(server.windows.terminals[0].write(Array("still".utf8)))
    #expect(await first.shows("still"))
  }

  @Test("a terminal that hangs takes one frame, and blocks nobody")
  func stuck() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    let connection = server.windows.terminals[0]
    terminal.setReading(false)
    let frame = [UInt8](repeating: UInt8(ascii: "x"), count: 30_000)
    var written = 0
    while connection.isWritable, written < 100 {
      #expect(connection.write(frame))
      written += 1
    }
    #expect(written < 100)
    #expect(!connection.write(frame))
    let (second, secondProcess) = try await server.client()
    server.windows.terminals[1].close(text: "")
    #expect(try await second.end(of: secondProcess) == .exited(status: 0))
    terminal.setReading(true)
    await server.windows.wait(for: "writable")
    #expect(connection.isWritable)
    connection.close(text: "done")
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    #expect(await terminal.shows("<leave>done"))
    let count = terminal.text.filter { $0 == "x" }.count
    #expect(count == written * frame.count)
  }

  @Test("a hanging terminal whose client is killed is let go at once")
  func stuckAndKilled() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    terminal.setReading(false)
    let frame = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    while server.windows.terminals[0].write(frame) {}
    kill(process.number, SIGKILL)
    await server.windows.wait(for: "ended clientVanished")
    #expect(terminal.isRestored)
  }

  @Test("what a hanging terminal did not take is written by the client at the close")
  func stuckAndClosed() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    terminal.setReading(false)
    let frame = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    while server.windows.terminals[0].write(frame) {}
    server.windows.terminals[0].close(text: "late")
    terminal.setReading(true)
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    #expect(await terminal.shows("\u{18}<leave>late"))
    #expect(terminal.isRestored)
  }

  @Test("the flags of the terminal that the shell shares stay as they were")
  func sharedFlags() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    let flags = terminal.other.statusFlags
    #expect(flags & O_NONBLOCK == 0)
    server.windows.terminals[0].close(text: "")
    _ = try await terminal.end(of: process)
    #expect(terminal.other.statusFlags == flags)
  }
}
