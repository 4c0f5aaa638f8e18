import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@Suite("Contract of the transport: forwarded connections", .timeLimit(.minutes(3)))
struct ForwardContractTests {
  /// Talks to a stream server through a channel: everything comes back, and each side may end first.
  private func checkStream(
    _ request: ByteChannelRequest,
    on transport: any SSHTransport,
    with server: StreamServer
  ) async throws {
    let echo = RecordingBytes()
    let channel = try await transport.openChannel(request, receiver: echo)
    let data = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    channel.send(Array("echo\n".utf8))
    channel.send(data)
    channel.finishSending()
    #expect(try await echo.waitForEnd() == .exited(status: 0))
    #expect(echo.record.bytes == data)
    #expect(echo.record.finishes == 1)
    #expect(!echo.record.isDisorderly)

    let greeted = RecordingBytes()
    let second = try await transport.openChannel(request, receiver: greeted)
    second.send(Array("greet\n".utf8))
    try await greeted.wait("the end of a greeting") { $0.finishes == 1 }
    #expect(greeted.record.text == "hello\n")
    #expect(greeted.record.ends.isEmpty)
    second.send([UInt8](repeating: 1, count: 100_000))
    second.finishSending()
    #expect(try await greeted.waitForEnd() == .exited(status: 0))
    try await server.wait(forLog: "GREETED 100000")
  }

  @Test(
    "a TCP connection carries bytes both ways and each side may end first",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func tcp(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let stream = try await StreamServer()
    try await withContract(engine, server) { transport in
      try await checkStream(
        .tcp(host: "127.0.0.1", port: stream.port),
        on: transport,
        with: stream
      )
    }
  }

  @Test(
    "a Unix socket of the server is reached by path, where the server can",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func unixSocket(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let stream = try await StreamServer()
    try await withContract(engine, server) { transport in
      if server.hasUnixSockets {
        try await checkStream(.unixSocket(path: stream.path), on: transport, with: stream)
      } else {
        let failure = try await failure {
          try await transport.openChannel(
            .unixSocket(path: stream.path),
            receiver: RecordingBytes()
          )
        }
        guard case .channelRefused(request: "direct-streamlocal@openssh.com", _) = failure.cause
        else {
          Issue.record("\(failure)")
          return
        }
      }
    }
  }

  @Test(
    "a port that nobody listens on is refused, and the connection goes on",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func refusedPort(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let port = Int(try FreePort.find())
    try await withContract(engine, server) { transport in
      let failure = try await failure {
        try await transport.openChannel(
          .tcp(host: "127.0.0.1", port: port),
          receiver: RecordingBytes()
        )
      }
      guard case .channelRefused(request: "direct-tcpip", let reason) = failure.cause else {
        Issue.record("\(failure)")
        return
      }
      #expect(!reason.isEmpty)
      #expect(failure.step == .openingChannel)
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(.command("true"), receiver: receiver)
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
    }
  }

  @Test("a server that forbids forwarding says so for each kind", arguments: EngineUnderTest.all)
  func forbidden(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer([
      "AllowTcpForwarding no", "AllowStreamLocalForwarding no",
    ])
    let site = try ContractSite(engine)
    let transport = try await site.open(server.hop)
    for request in [
      ByteChannelRequest.tcp(host: "127.0.0.1", port: Int(server.port)),
      .unixSocket(path: "/nowhere"),
    ] {
      let failure = try await failure {
        try await transport.openChannel(request, receiver: RecordingBytes())
      }
      guard case .channelRefused(_, let reason) = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
      #expect(reason.contains("prohibited") || reason.contains("open failed"))
    }
    let listening = try await failure {
      try await transport.listen(
        at: .tcp(host: "127.0.0.1", port: 0),
        receiver: ListenRecorder()
      )
    }
    guard case .channelRefused(request: "tcpip-forward", _) = listening.cause else {
      Issue.record("\(listening)")
      return
    }
    await transport.close()
  }

  @Test(
    "a server listens at a port that it chooses, and what connects comes here",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func listening(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let recorder = ListenRecorder()
      // asyncssh chooses a port and then names another one for what connects there.
      let wanted = try server == .asyncSSH ? Int(FreePort.find()) : 0
      let listener = try await transport.listen(
        at: .tcp(host: "127.0.0.1", port: wanted),
        receiver: recorder
      )
      guard case .tcp("127.0.0.1", let port) = listener.address, port > 0 else {
        Issue.record("\(listener.address)")
        return
      }
      let client = try TestProgram("/usr/bin/python3", ["-c", Self.client, "\(port)"])
      let (channel, receiver, originator) = try await recorder.next()
      try await receiver.wait(for: "hello from outside")
      try await receiver.wait("the end of the client") { $0.finishes == 1 }
      // OpenSSH's client connects to us itself and does not tell for whom.
      #expect(
        engine.name == EngineUnderTest.openSSH.name
          ? originator.isEmpty : originator.hasPrefix("127.0.0.1 port ")
      )
      channel.send(Array("answer".utf8))
      channel.finishSending()
      try await client.wait(for: "GOT answer")
      #expect(try await receiver.waitForEnd() == .exited(status: 0))

      // asyncssh ends the whole connection when a channel that it opens is closed at once.
      if server != .asyncSSH { try await refuse(on: transport, beside: port) }
      await listener.close()
      // Every server here answers in order, so the listening has ended when this has.
      let after = RecordingBytes()
      _ = try await transport.openChannel(.command("true"), receiver: after)
      _ = try await after.waitForEnd()
      let late = try TestProgram("/usr/bin/python3", ["-c", Self.client, "\(port)"])
      _ = try await late.waitForExit()
      #expect(late.text.contains("BROKEN"))
      #expect(recorder.failures.isEmpty)
    }
  }

  /// Listens at a second place, and refuses what connects there.
  private func refuse(on transport: any SSHTransport, beside port: Int) async throws {
    let refusing = ListenRecorder(refuses: true)
    let second = try await transport.listen(
      at: .tcp(host: "localhost", port: 0),
      receiver: refusing
    )
    guard case .tcp(_, let secondPort) = second.address else { return }
    #expect(secondPort != port)
    let refused = try TestProgram("/usr/bin/python3", ["-c", Self.client, "\(secondPort)"])
    _ = try await refused.waitForExit()
    #expect(refused.text.contains("GOT \n") || refused.text.contains("BROKEN"))
    #expect(refusing.count == 1)
    await second.close()
  }

  @Test(
    "a Unix socket of the server is listened at, or the engine says why it cannot",
    arguments: EngineUnderTest.all
  )
  func unixListening(engine: EngineUnderTest) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("listening")
    try await withContract(engine, .openSSH) { transport in
      let recorder = ListenRecorder()
      guard engine.can(.listeningOnUnixSockets) else {
        let failure = try await failure {
          try await transport.listen(at: .unixSocket(path: path), receiver: recorder)
        }
        let words = try #require(transport.obstacle(to: .listeningOnUnixSockets))
        #expect(failure.cause == .unsupported(obstacle: words))
        return
      }
      let listener = try await transport.listen(at: .unixSocket(path: path), receiver: recorder)
      #expect(listener.address == .unixSocket(path: path))
      let client = try TestProgram("/usr/bin/python3", ["-c", Self.client, path])
      let (channel, receiver, _) = try await recorder.next()
      try await receiver.wait(for: "hello from outside")
      channel.send(Array("answer".utf8))
      channel.finishSending()
      try await client.wait(for: "GOT answer")
      await listener.close()
    }
  }

  @Test(
    "a port that is taken is refused, a shell opens all the same, and it is listened at once it is free",
    arguments: EngineUnderTest.all
  )
  func takenPort(engine: EngineUnderTest) async throws {
    let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let port = Int(try FreePort.bind(holder))
    guard Glibc.listen(holder, 1) == 0 else { throw TestFailure("no listener: \(errno)") }
    try await withContract(engine, .openSSH) { transport in
      try await expectTaken(port, on: transport)
      // The next one is not mixed up with it.
      let listener = try await transport.listen(
        at: .tcp(host: "127.0.0.1", port: 0),
        receiver: ListenRecorder()
      )
      await listener.close()
      let shell = RecordingReceiver()
      _ = try await transport.openTerminal(.running("echo shell-$((40+2))"), receiver: shell)
      try await shell.wait(for: "shell-42")
      close(holder)
      try await expectListening(at: port, on: transport)
    }
  }

  @Test(
    "a port that a dead connection still holds is refused to the next one, until the server lets it go",
    arguments: EngineUnderTest.all
  )
  func heldPort(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer()
    let site = try ContractSite(engine)
    let recorder = ListenRecorder()
    let old = try await site.open(server.hop)
    let listener = try await old.listen(at: .tcp(host: "127.0.0.1", port: 0), receiver: recorder)
    guard case .tcp(_, let port) = listener.address else {
      Issue.record("\(listener.address)")
      return
    }
    // As after a flap of the network: the server does not know yet that nobody is at the other end.
    let processes = try server.sessionProcesses
    for process in processes { kill(process, SIGSTOP) }
    let next = try await site.open(server.hop)
    try await expectTaken(port, on: next)
    for process in processes { kill(process, SIGKILL) }
    let failure = try await recorder.waitForFailure()
    guard case .lost = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(recorder.failures.count == 1)
    try await expectListening(at: port, on: next)
    await next.close()
    await old.close()
  }

  /// Expects that listening at a port is refused, in words of the server.
  private func expectTaken(_ port: Int, on transport: any SSHTransport) async throws {
    let recorder = ListenRecorder()
    let failure = try await failure {
      try await transport.listen(at: .tcp(host: "127.0.0.1", port: port), receiver: recorder)
    }
    guard case .channelRefused(request: "tcpip-forward", _) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(recorder.count == 0 && recorder.failures.isEmpty)
  }

  /// Expects that a port is listened at, and that what connects there comes here.
  private func expectListening(at port: Int, on transport: any SSHTransport) async throws {
    let recorder = ListenRecorder()
    // A process that was killed lets its sockets go in its own time.
    let listener = try await withDeadline("a free port") {
      while true {
        do throws(ConnectionFailure) {
          return try await transport.listen(
            at: .tcp(host: "127.0.0.1", port: port),
            receiver: recorder
          )
        } catch {
          guard case .channelRefused = error.cause else { throw error }
        }
      }
    }
    let client = try TestProgram("/usr/bin/python3", ["-c", Self.client, "\(port)"])
    let (channel, receiver, _) = try await recorder.next()
    try await receiver.wait(for: "hello from outside")
    channel.send(Array("answer".utf8))
    channel.finishSending()
    try await client.wait(for: "GOT answer")
    // Who listens there is no less in the way for being the same.
    try await expectTaken(port, on: transport)
    await listener.close()
  }

  /// Connects to a port of 127.0.0.1 or to a path, sends, ends its side, and prints what comes.
  private static let client = #"""
    import socket, sys
    word = sys.argv[1]
    try:
        if word.startswith('/'):
            client = socket.socket(socket.AF_UNIX)
            client.connect(word)
        else:
            client = socket.create_connection(('127.0.0.1', int(word)), 30)
        client.sendall(b'hello from outside')
        client.shutdown(socket.SHUT_WR)
        data = b''
        while part := client.recv(4096):
            data += part
        print('GOT', data.decode(), flush=True)
    except OSError as error:
        print('BROKEN', error, flush=True)
    """#
}

/// Takes, or refuses, what connects to a place at which a server listens, and lets a test wait for it.
final class ListenRecorder: RemoteListenReceiving {
  typealias Connection = (
    channel: any ByteChannel, receiver: RecordingBytes, originator: String
  )

  private struct State {
    var connections: [Connection] = []
    var count = 0
    var failures: [ConnectionFailure] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  private let refuses: Bool

  init(refuses: Bool = false) { self.refuses = refuses }

  /// How many have connected.
  var count: Int { state.withLock { $0.count } }

  /// How it was told to have stopped.
  var failures: [ConnectionFailure] { state.withLock { $0.failures } }

  func accepted(
    _ channel: any ByteChannel,
    from originator: String
  ) -> (any ByteChannelReceiving)? {
    let receiver = RecordingBytes()
    let waiter = state.withLock { state in
      state.count += 1
      if !refuses { state.connections.append((channel, receiver, originator)) }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
    return refuses ? nil : receiver
  }

  func stopped(_ failure: ConnectionFailure) {
    let waiter = state.withLock { state in
      state.failures.append(failure)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// The next connection.
  func next() async throws -> Connection {
    try await withDeadline("a forwarded connection") { [self] in
      while true {
        let connection = state.withLock {
          $0.connections.isEmpty ? nil : $0.connections.removeFirst()
        }
        if let connection { return connection }
        await waitForChange { $0.connections.isEmpty }
        try Task.checkCancellation()
      }
    }
  }

  /// Suspends until it was told to have stopped.
  func waitForFailure() async throws -> ConnectionFailure {
    try await withDeadline("the end of a listening") { [self] in
      while true {
        if let failure = failures.first { return failure }
        await waitForChange { $0.failures.isEmpty }
        try Task.checkCancellation()
      }
    }
  }

  private func waitForChange(while isMissing: @Sendable (State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          guard isMissing(state), !Task.isCancelled else { return true }
          state.waiter = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
