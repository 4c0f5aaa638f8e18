import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Transport pool", .timeLimit(.minutes(3))) struct TransportPoolTests {
  private func open(
    _ pool: TransportPool,
    _ server: OpenSSHServer,
    _ receiver: RecordingReceiver,
    prompts: ScriptedPrompts = ScriptedPrompts(decide: { _ in .trust })
  ) async throws -> any TerminalChannel {
    let route = try Route(hops: [server.hop])
    return try await withDeadline("a terminal") {
      try await pool.openTerminal(on: route, .running("cat"), receiver: receiver, prompts: prompts)
    }
  }

  @Test("terminals of a route share one connection, also when they are opened together")
  func sharing() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let receivers = (0..<5).map { _ in RecordingReceiver() }
    let channels = try await withThrowingTaskGroup(of: (any TerminalChannel).self) { group in
      for receiver in receivers { group.addTask { try await open(pool, server, receiver) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(await pool.transportCount == 1)
    for channel in channels { channel.send(Array("x\n".utf8)) }
    for receiver in receivers { try await receiver.wait(for: "x\r\nx\r\n") }
    await pool.closeAll()
    for receiver in receivers { #expect(try await receiver.waitForEnd() == .closed) }
    #expect(await pool.transportCount == 0)
  }

  @Test("closing everything waits a bounded time for a connection that hangs")
  func closingIsBounded() async throws {
    let route = try Route(hops: [
      Hop(
        endpoint: SSHEndpoint(host: "127.0.0.1"),
        credentials: HopCredentials(username: "u", usesAgent: false)
      )
    ])
    let opener = StubbornOpener(route)
    let pool = TransportPool(opener: opener)
    _ = try await pool.openTerminal(
      on: route,
      .running(nil),
      receiver: RecordingReceiver(),
      prompts: ScriptedPrompts()
    )
    await pool.closeAll(within: .milliseconds(20))
    #expect(await pool.transportCount == 0)
    #expect(opener.transport.closes == 1)
    opener.transport.release()
  }

  @Test("a connection that comes up after everything was closed is closed too")
  func lateConnection() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let receiver = RecordingReceiver()
    let prompts = ScriptedPrompts(decide: { _ in
      await pool.closeAll()
      return .trust
    })
    do {
      _ = try await open(pool, server, receiver, prompts: prompts)
      Issue.record("a terminal was opened in a pool that was closed")
    } catch let failure as ConnectionFailure {
      #expect(failure.cause == .cancelled)
    }
    #expect(await pool.transportCount == 0)
    #expect(receiver.ends.isEmpty)
    // The pool may be used again.
    let again = RecordingReceiver()
    _ = try await open(pool, server, again)
    await pool.closeAll()
    #expect(try await again.waitForEnd() == .closed)
  }

  @Test(
    "beyond MaxSessions another connection is opened and nothing that runs is touched",
    arguments: [1, 2]
  )
  func maxSessions(limit: Int) async throws {
    let server = try await OpenSSHServer(["MaxSessions \(limit)"])
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let receivers = (0..<5).map { _ in RecordingReceiver() }
    var channels: [any TerminalChannel] = []
    for receiver in receivers { channels.append(try await open(pool, server, receiver)) }
    #expect(await pool.transportCount == (5 + limit - 1) / limit)
    for channel in channels { channel.send(Array("x\n".utf8)) }
    for receiver in receivers { try await receiver.wait(for: "x\r\nx\r\n") }
    // A channel that has gone makes room on its connection.
    channels[0].close()
    _ = try await receivers[0].waitForEnd()
    if limit > 1 {
      let again = RecordingReceiver()
      let channel = try await open(pool, server, again)
      channel.send(Array("y\n".utf8))
      try await again.wait(for: "y\r\ny\r\n")
    }
    for receiver in receivers.dropFirst() { #expect(receiver.ends.isEmpty) }
    await pool.closeAll()
  }

  @Test("a connection is closed a short while after its last channel, not before")
  func idle() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener, idleTime: .milliseconds(50))
    let receiver = RecordingReceiver()
    let channel = try await open(pool, server, receiver)
    channel.close()
    _ = try await receiver.waitForEnd()
    try await server.wait(forLog: "Received disconnect")
    #expect(await pool.transportCount == 0)
  }

  @Test("a connection that broke is forgotten, and the next terminal gets a new one")
  func broken() async throws {
    let scripted = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let prompts = ScriptedPrompts(decide: { _ in .trustOnce })
    let route = try Route(hops: [scripted.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await pool.openTerminal(
      on: route,
      .running(nil),
      receiver: receiver,
      prompts: prompts
    )
    try await receiver.wait(for: "ready")
    scripted.kill()
    _ = try await receiver.waitForEnd()
    // Its connections close before its port does.
    try await scripted.waitForExit()
    do {
      _ = try await pool.openTerminal(
        on: route,
        .running(nil),
        receiver: RecordingReceiver(),
        prompts: prompts
      )
      Issue.record("a dead server opened a terminal")
    } catch {
      #expect(error.cause == .refused)
    }
    #expect(await pool.transportCount == 0)
  }

  @Test("those who wait for the same attempt fail with it, once")
  func sharedFailure() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let prompts = ScriptedPrompts(decide: { _ in .reject })
    let failures = await withTaskGroup(of: ConnectionFailureCause?.self) { group in
      for _ in 0..<3 {
        group.addTask {
          do {
            _ = try await open(pool, server, RecordingReceiver(), prompts: prompts)
            return nil
          } catch {
            return (error as? ConnectionFailure)?.cause
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.count == 3)
    #expect(Set(failures).count == 1)
    guard case .hostKeyRejected? = failures[0] else {
      Issue.record("\(failures)")
      return
    }
    #expect(prompts.questions.count == 1)
  }
}

/// Opens a connection that never says that it has closed.
private final class StubbornOpener: SSHTransportOpening {
  let transport: StubbornTransport

  init(_ route: Route) { transport = StubbornTransport(route: route) }

  func open(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport { transport }
}

private final class StubbornTransport: SSHTransport {
  private struct State {
    var closes = 0
    var isReleased = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let route: Route
  let engineName = "stub"
  let engineReason: String? = nil
  private let state = Locked(State())

  init(route: Route) { self.route = route }

  var closes: Int { state.withLock { $0.closes } }

  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel { StubChannel() }

  func obstacle(to ability: TransportAbility) -> String? { "a stub has only terminals" }

  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel { throw unsupported }

  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener { throw unsupported }

  private var unsupported: ConnectionFailure {
    ConnectionFailure(
      hopIndex: 0,
      hopCount: 1,
      endpoint: SSHEndpoint(host: "127.0.0.1"),
      step: .openingChannel,
      cause: .unsupported(obstacle: "a stub has only terminals")
    )
  }

  func close() async {
    state.withLock { $0.closes += 1 }
    await wait()
  }

  func waitUntilClosed() async -> ConnectionFailure {
    await wait()
    return ConnectionFailure(
      hopIndex: 0,
      hopCount: 1,
      endpoint: SSHEndpoint(host: "127.0.0.1"),
      step: .connected,
      cause: .cancelled
    )
  }

  func release() {
    let waiting = state.withLock { state in
      state.isReleased = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func wait() async {
    await withCheckedContinuation { continuation in
      let isReleased = state.withLock { state in
        if !state.isReleased { state.waiting.append(continuation) }
        return state.isReleased
      }
      if isReleased { continuation.resume() }
    }
  }
}

private final class StubChannel: TerminalChannel {
  func send(_ bytes: [UInt8]) -> Bool { false }
  func resize(to size: TerminalDimensions) {}
  func close() {}
}
