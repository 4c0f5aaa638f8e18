import FoundationEssentials
import Glibc
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// What clients of every kind do to a server in this process.
@Suite("Listening server", .timeLimit(.minutes(3))) @MainActor struct ServerListenerTests {
  private nonisolated static let hello = ClientMessage.hello(
    protocolNumber: BuildVersion.current.protocolNumber,
    build: BuildVersion.current.text
  ).frame

  /// Waits until the server has closed a connection, and gives what it said before.
  private func remains(of socket: LocalSocket) async throws -> [UInt8] {
    socket.setNonblocking()
    var bytes: [UInt8] = []
    while true {
      if let part = try socket.receive() {
        if part.bytes.isEmpty { return bytes }
        bytes += part.bytes
      } else {
        try await Task.sleep(for: .milliseconds(2))
      }
    }
  }

  @Test(
    "malformed clients are dropped, and others are served",
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF, 1],
      [0, 0, 0, 0, 99],
      [0, 0, 0, 0, 1],
      [1, 0, 0, 0, 3, 0],
      Array("GET / HTTP/1.1\r\n\r\n".utf8),
      Self.hello + [0, 0, 0, 0, 3],
      Self.hello + Self.hello,
      Self.hello + ClientMessage.resized.frame,
      Self.hello + ClientMessage.control(Array("{".utf8)).frame,
      Self.hello
        + ClientMessage.control(
          Array(
            #"{"command":{"wait":{"_0":{"text":{"_0":"x"}},"timeoutSeconds":1e300}},"target":{"active":{}}}"#
              .utf8
          )
        ).frame,
    ] as [[UInt8]]
  )
  func malformed(bytes: [UInt8]) async throws {
    let server = try TestServer()
    let socket = try LocalSocket.connect(to: server.home.paths.socket)
    _ = try socket.send(bytes[...])
    _ = try await remains(of: socket)
    let (terminal, _) = try await server.client()
    #expect(terminal.isRaw)
  }

  @Test("random bytes never hurt")
  func random() async throws {
    let server = try TestServer()
    var generator = SystemRandomNumberGenerator()
    for round in 0..<60 {
      let socket = try LocalSocket.connect(to: server.home.paths.socket)
      var bytes = round % 2 == 0 ? Self.hello : []
      for _ in 0..<Int.random(in: 1...400) {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      }
      _ = try? socket.send(bytes[...])
      try await Task.sleep(for: .milliseconds(1))
    }
    let (terminal, _) = try await server.client()
    #expect(terminal.isRaw)
  }

  @Test("a client that passes something else than a terminal is refused")
  func noTerminal() async throws {
    let server = try TestServer()
    let modes = try TestTerminal().before
    let socket = try LocalSocket.connect(to: server.home.paths.socket)
    let (pipe, _) = try LocalSocket.pair()
    let bytes =
      Self.hello + ClientMessage.attach(AttachRequest(kind: .newWindow), originalModes: modes).frame
    _ = try socket.send(bytes[...], descriptors: [pipe.descriptor, pipe.descriptor])
    let said = String(decoding: try await remains(of: socket), as: UTF8.self)
    #expect(said.contains("cannot be used"))
  }

  @Test("a client that says nothing is dropped after the greeting time")
  func silent() async throws {
    let server = try TestServer(greetingTime: .milliseconds(50))
    let socket = try LocalSocket.connect(to: server.home.paths.socket)
    #expect(try await remains(of: socket).isEmpty)
  }

  @Test("a socket whose file was removed is there again after listening again")
  func listenAgain() async throws {
    let server = try TestServer()
    LocalSocket.remove(server.home.paths.socket)
    #expect(throws: LocalSocketError.absent) {
      try LocalSocket.connect(to: server.home.paths.socket)
    }
    server.server.listenAgain()
    let (terminal, _) = try await server.client()
    #expect(terminal.isRaw)
  }

  @Test("a data directory has one server")
  func busy() throws {
    let server = try TestServer()
    let note = "process \(getpid()), socket \(server.home.paths.socket)"
    #expect(throws: ServerStartError.busy(note: note)) { try TestServer(home: server.home) }
  }

  @Test("a client beyond the limit is told why, and one less makes room again")
  func tooMany() async throws {
    let server = try TestServer(clientLimit: 2)
    var others = try (0..<2).map { _ in try LocalSocket.connect(to: server.home.paths.socket) }
    let socket = try LocalSocket.connect(to: server.home.paths.socket)
    let said = String(decoding: try await remains(of: socket), as: UTF8.self)
    #expect(said.contains("The server has 2 clients, and takes no more; end some of them first."))
    let run = try CommandRun(home: server.home)
    let listing = try await run("ls")
    #expect(listing.status == 1)
    #expect(listing.errors.contains("The server has 2 clients"))
    let terminal = try TestTerminal()
    let process = try terminal.start(home: server.home.path)
    #expect(try await terminal.end(of: process) == .exited(status: 1))
    #expect(await terminal.shows("The server has 2 clients"))
    #expect(terminal.isRestored)
    others.removeLast()
    server.windows.reply = .text("served")
    try await waitUntil("room") { try await run("ctl", "capture").output == "served" }
  }

  @Test(
    "a server that is about to end takes no one more, and tells those who have not said what they want"
  )
  func aboutToEnd() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    let silent = try LocalSocket.connect(to: server.home.paths.socket)
    let greeted = try LocalSocket.connect(to: server.home.paths.socket)
    _ = try greeted.send(Self.hello[...])
    server.server.beginEnding()
    #expect(throws: LocalSocketError.absent) {
      try LocalSocket.connect(to: server.home.paths.socket)
    }
    for socket in [silent, greeted] {
      let said = String(decoding: try await remains(of: socket), as: UTF8.self)
      #expect(said.contains("The server is ending."))
    }
    // What was there before goes on until the end.
    #expect(terminal.isRaw)
    server.server.listenAgain()
    #expect(throws: LocalSocketError.absent) {
      try LocalSocket.connect(to: server.home.paths.socket)
    }
    server.server.stop(text: "[over]")
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    await server.windows.wait(for: "stopped")
  }

  @Test("who asked for the end sees it when everything is over", arguments: [false, true])
  func witness(isForeign: Bool) async throws {
    let build = isForeign ? BuildVersion(text: "9.9", protocolNumber: 7) : .current
    let server = try TestServer(build: build, greetingTime: .milliseconds(300))
    let frozen = try LocalSocket.connect(to: server.home.paths.socket)
    if !isForeign {
      // A request that goes on holds the end up for its time.
      let json = Array(
        #"{"command":{"wait":{"_0":{"text":{"_0":"x"}},"timeoutSeconds":60}},"target":{"active":{}}}"#
          .utf8
      )
      _ = try frozen.send((Self.hello + ClientMessage.control(json).frame)[...])
      try await waitUntil("the request") { !server.windows.events.isEmpty }
    }
    let socket = try LocalSocket.connect(to: server.home.paths.socket)
    _ = try socket.send((Self.hello + ClientMessage.shutDown(force: true).frame)[...])
    _ = try await remains(of: socket)
    #expect(server.windows.events.contains("stopped"))
    withExtendedLifetime(frozen) {}
  }

  @Test("ending gives every terminal back and tells when it is over")
  func stop() async throws {
    let server = try TestServer()
    let (terminal, process) = try await server.client()
    server.server.stop(text: "[over]")
    #expect(try await terminal.end(of: process) == .exited(status: 0))
    #expect(await terminal.shows("<leave>[over]"))
    await server.windows.wait(for: "stopped")
    #expect(throws: LocalSocketError.absent) {
      try LocalSocket.connect(to: server.home.paths.socket)
    }
  }

  @Test("ending does not wait for a client that is frozen")
  func stopFrozen() async throws {
    let server = try TestServer(greetingTime: .milliseconds(100))
    let (terminal, process) = try await server.client()
    kill(process.number, SIGSTOP)
    server.server.stop(text: "[over]")
    await server.windows.wait(for: "stopped")
    kill(process.number, SIGKILL)
    _ = try await terminal.end(of: process)
  }
}
