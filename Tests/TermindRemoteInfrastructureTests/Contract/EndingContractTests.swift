import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Contract of the transport: ends, losses and limits", .timeLimit(.minutes(3)))
struct EndingContractTests {
  @Test(
    "an attempt is cancelled at once at every step, and the server is left alone",
    arguments: EngineUnderTest.all,
    [ConnectionStep.connecting, .keyExchange, .hostKey, .authentication]
  )
  func cancelledAttempt(engine: EngineUnderTest, step: ConnectionStep) async throws {
    let server = try await OpenSSHServer()
    let site = try ContractSite(engine)
    let reached = Signal()
    let prompts = ScriptedPrompts(
      decide: { _ in
        guard step == .hostKey else { return .trustOnce }
        // The person never answers.
        try? await Task.sleep(for: .seconds(600))
        return .reject
      },
      step: { current, _ in if current == step { reached.raise() } }
    )
    let route = try Route(hops: [server.hop])
    let attempt = Task<any SSHTransport, any Error> {
      try await site.opener.open(route, prompts: prompts)
    }
    try await reached.wait()
    attempt.cancel()
    switch await attempt.result {
    case .success(let transport):
      // The step may have been over before the word came.
      #expect(step != .hostKey)
      await transport.close()
    case .failure(let error as ConnectionFailure): #expect(error.cause == .cancelled)
    case .failure(let error): Issue.record(error)
    }
    try await server.waitUntilUnused()
  }

  @Test(
    "opening is cancelled at once while the server says nothing",
    arguments: EngineUnderTest.all
  )
  func cancelledOpening(engine: EngineUnderTest) async throws {
    let server = try await ScriptedSSHServer()
    let site = try ContractSite(engine)
    let transport = try await site.open(server.hop("closed"))
    let command = Task<any ByteChannel, any Error> {
      try await transport.openChannel(.command("true"), receiver: RecordingBytes())
    }
    let behind = Task<any TerminalChannel, any Error> {
      try await transport.openTerminal(.running(nil), receiver: RecordingReceiver())
    }
    let listening = Task<any RemoteListener, any Error> {
      try await transport.listen(
        at: .tcp(host: "127.0.0.1", port: 0),
        receiver: ListenRecorder()
      )
    }
    try await server.wait(forLog: "OPEN")
    command.cancel()
    behind.cancel()
    listening.cancel()
    let first = try await failure { try await command.value }
    #expect(first.cause == .cancelled)
    #expect(first.step == .openingChannel)
    let second = try await failure { try await behind.value }
    #expect(second.cause == .cancelled)
    // The server refuses every listening, so this one may have ended before the word came.
    let third = try await failure { try await listening.value }
    if third.cause != .cancelled {
      guard case .channelRefused(request: "tcpip-forward", _) = third.cause else {
        Issue.record("\(third)")
        return
      }
    }
    await transport.close()
    #expect(await transport.waitUntilClosed().cause == .cancelled)
  }

  @Test("a cancelled opening leaves the connection in use", arguments: EngineUnderTest.all)
  func cancelledAndGoesOn(engine: EngineUnderTest) async throws {
    try await withContract(engine, .openSSH) { transport in
      for _ in 0..<20 {
        let receiver = RecordingBytes()
        let opening = Task<any ByteChannel, any Error> {
          try await transport.openChannel(.command("cat"), receiver: receiver)
        }
        await Task.yield()
        opening.cancel()
        switch await opening.result {
        case .success(let channel):
          channel.close()
          #expect(try await receiver.waitForEnd() == .closed)
        case .failure(let error as ConnectionFailure): #expect(error.cause == .cancelled)
        case .failure(let error): Issue.record(error)
        }
      }
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(.command("echo on"), receiver: receiver)
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
    }
  }

  @Test(
    "a lost connection ends every channel and every listening once",
    arguments: EngineUnderTest.all
  )
  func loss(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer()
    let stream = try await StreamServer()
    let site = try ContractSite(engine)
    let transport = try await site.open(server.hop)
    let requests: [ByteChannelRequest] = [
      .command("cat"), .subsystem("sftp"), .tcp(host: "127.0.0.1", port: stream.port),
      .unixSocket(path: stream.path),
    ]
    var receivers: [RecordingBytes] = []
    for request in requests {
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(request, receiver: receiver)
      receivers.append(receiver)
    }
    let recorder = ListenRecorder()
    let listener = try await transport.listen(
      at: .tcp(host: "127.0.0.1", port: 0),
      receiver: recorder
    )
    try server.signalSessions(SIGKILL)
    for receiver in receivers {
      let end = try await receiver.waitForEnd()
      guard case .failed(let failure) = end, case .lost = failure.cause else {
        Issue.record("\(end)")
        continue
      }
      #expect(failure.step == .connected)
      #expect(receiver.record.ends.count == 1)
      #expect(!receiver.record.isDisorderly)
    }
    let stopped = try await recorder.waitForFailure()
    guard case .lost = stopped.cause else {
      Issue.record("\(stopped)")
      return
    }
    #expect(recorder.failures.count == 1)
    // Closing what is over is nothing.
    await listener.close()
    let late = try await failure {
      try await transport.openChannel(.command("true"), receiver: RecordingBytes())
    }
    #expect(late.step == .connected)
    await transport.close()
  }

  @Test(
    "a connection that breaks anywhere ends what was opened on it, once",
    arguments: EngineUnderTest.all,
    [BreakingProxy.Manner.cut, .reset]
  )
  func brokenAnywhere(engine: EngineUnderTest, manner: BreakingProxy.Manner) async throws {
    let server = try await OpenSSHServer()
    // From the identification through the exchange and the sign-in into the flood.
    let places = [0, 5, 400, 1_200, 1_700, 2_300, 2_800, 3_300, 3_800, 4_500, 200_000]
    try await breakAnywhere(engine, server.hop, manner, at: places)
    try await server.waitUntilUnused()
  }

  @Test(
    "so does one to a server of another kind",
    arguments: EngineUnderTest.all,
    [ServerUnderTest.dropbear, .asyncSSH]
  )
  func brokenElsewhere(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let running = try await server.start()
    try await breakAnywhere(engine, running.hop, .cut, at: [5, 700, 1_500, 2_500, 200_000])
    withExtendedLifetime(running) {}
  }

  /// Opens a flood over connections that break after some bytes each.
  private func breakAnywhere(
    _ engine: EngineUnderTest,
    _ hop: Hop,
    _ manner: BreakingProxy.Manner,
    at places: [Int]
  ) async throws {
    let proxy = try await BreakingProxy(to: hop.endpoint.port, manner, at: places)
    let site = try ContractSite(engine)
    for place in places {
      let receiver = RecordingBytes(keepsBytes: false)
      do {
        let transport = try await site.open(hop.at(port: proxy.port))
        _ = try await transport.openChannel(
          .command("cat /dev/zero"),
          window: 2_097_152,
          receiver: receiver
        )
        let end = try await receiver.waitForEnd()
        guard case .failed = end else {
          Issue.record("at \(place): \(end)")
          continue
        }
      } catch let failure as ConnectionFailure {
        #expect(failure.cause != .cancelled, "at \(place)")
      }
      #expect(receiver.record.ends.count <= 1)
    }
  }

  @Test(
    "a server that allows one session refuses a second, and nothing else",
    arguments: EngineUnderTest.all
  )
  func maxSessions(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer(["MaxSessions 1"])
    let stream = try await StreamServer()
    let site = try ContractSite(engine)
    let transport = try await site.open(server.hop)
    let first = RecordingBytes()
    let channel = try await transport.openChannel(.command("cat"), receiver: first)
    for request in [ByteChannelRequest.command("true"), .subsystem("sftp")] {
      let failure = try await failure {
        try await transport.openChannel(request, receiver: RecordingBytes())
      }
      guard case .channelRefused(request: "session", _) = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
    }
    let tcp = RecordingBytes()
    let stuck = try await transport.openChannel(
      .tcp(host: "127.0.0.1", port: stream.port),
      receiver: tcp
    )
    stuck.send(Array("echo\nstill".utf8))
    try await tcp.wait(for: "still")
    channel.finishSending()
    #expect(try await first.waitForEnd() == .exited(status: 0))
    await transport.close()
    #expect(try await tcp.waitForEnd() == .closed)
  }

  @Test(
    "the pool opens another connection where one has no room for a command",
    arguments: EngineUnderTest.all
  )
  func pool(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer(["MaxSessions 1"])
    let stream = try await StreamServer()
    let site = try ContractSite(engine)
    let pool = TransportPool(opener: site.opener, idleTime: .milliseconds(1))
    let route = try Route(hops: [server.hop])
    let prompts = ScriptedPrompts()
    let receivers = [RecordingBytes(), RecordingBytes()]
    var channels: [any ByteChannel] = []
    for receiver in receivers {
      channels.append(
        try await pool.openChannel(
          on: route,
          .command("cat"),
          receiver: receiver,
          prompts: prompts
        )
      )
    }
    #expect(await pool.transportCount == 2)
    // What is no session has room on the first.
    let echo = RecordingBytes()
    let tcp = try await pool.openChannel(
      on: route,
      .tcp(host: "127.0.0.1", port: stream.port),
      receiver: echo,
      prompts: prompts
    )
    let recorder = ListenRecorder()
    let listener = try await pool.listen(
      on: route,
      at: .tcp(host: "127.0.0.1", port: 0),
      receiver: recorder,
      prompts: prompts
    )
    #expect(await pool.transportCount == 2)
    for channel in channels { channel.finishSending() }
    for receiver in receivers { #expect(try await receiver.waitForEnd() == .exited(status: 0)) }
    tcp.send(Array("echo\nkept".utf8))
    try await echo.wait(for: "kept")
    tcp.finishSending()
    #expect(try await echo.waitForEnd() == .exited(status: 0))
    await listener.close()
    try await server.waitUntilUnused()
    #expect(await pool.transportCount == 0)
  }

  @Test(
    "a server that hangs is noticed by whatever is open on the connection",
    arguments: EngineUnderTest.all,
    ["command", "tcp", "listening"]
  )
  func keepalive(engine: EngineUnderTest, kind: String) async throws {
    let server = try await OpenSSHServer()
    let stream = try await StreamServer()
    var limits = TransportLimits.patient
    // Four seconds are enough for a server that is alive on a busy machine.
    limits.keepaliveInterval = .milliseconds(500)
    limits.keepaliveCount = 8
    let site = try ContractSite(engine, limits: limits)
    let transport = try await site.open(server.hop)
    let receiver = RecordingBytes()
    let recorder = ListenRecorder()
    switch kind {
    case "command": _ = try await transport.openChannel(.command("cat"), receiver: receiver)
    case "tcp":
      _ = try await transport.openChannel(
        .tcp(host: "127.0.0.1", port: stream.port),
        receiver: receiver
      )
    default:
      _ = try await transport.listen(
        at: .tcp(host: "127.0.0.1", port: 0),
        receiver: recorder
      )
    }
    // It answers what it is asked for a while, and the answers are no trouble to what follows.
    let busy = RecordingBytes()
    _ = try await transport.openChannel(.command("sleep 1; echo alive"), receiver: busy)
    #expect(try await busy.waitForEnd() == .exited(status: 0))
    let second = ListenRecorder()
    let listener = try await transport.listen(
      at: .tcp(host: "127.0.0.1", port: 0),
      receiver: second
    )
    await listener.close()
    try server.signalSessions(SIGSTOP)
    let failure = await transport.waitUntilClosed()
    try server.signalSessions(SIGCONT)
    guard case .keepaliveTimedOut = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    if kind == "listening" {
      #expect(try await recorder.waitForFailure() == failure)
    } else {
      #expect(try await receiver.waitForEnd() == .failed(failure))
    }
  }
}

extension EndingContractTests {
  @Test(
    "a host's own interval finds a server that hangs, and counts for that host alone",
    arguments: EngineUnderTest.all
  )
  func ownKeepalive(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer()
    var limits = TransportLimits()
    limits.keepaliveInterval = .seconds(600)
    let site = try ContractSite(engine, limits: limits)
    var hop = server.hop
    hop.keepAlive = HopKeepAlive(seconds: 1, count: 2)
    let transport = try await site.open(hop)
    let receiver = RecordingBytes()
    _ = try await transport.openChannel(.command("cat"), receiver: receiver)
    try server.signalSessions(SIGSTOP)
    let failure = await transport.waitUntilClosed()
    try server.signalSessions(SIGCONT)
    #expect(failure.cause == .keepaliveTimedOut(seconds: 2))
    #expect(try await receiver.waitForEnd() == .failed(failure))
  }

  @Test(
    "a server of each kind answers the signs of life that are asked for",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func answeredKeepalive(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let running = try await server.start()
    let site = try ContractSite(engine)
    var hop = running.hop
    // Without an answer it would be given up after four seconds.
    hop.keepAlive = HopKeepAlive(seconds: 1, count: 4)
    let transport = try await site.open(hop)
    let receiver = RecordingBytes()
    _ = try await transport.openChannel(.command("sleep 6; echo alive"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.record.text == "alive\n")
    await transport.close()
    withExtendedLifetime(running) {}
  }

  @Test("a host that wants no signs of life is never given up", arguments: EngineUnderTest.all)
  func noKeepalive(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer()
    var limits = TransportLimits()
    limits.keepaliveInterval = .milliseconds(200)
    limits.keepaliveCount = 1
    let site = try ContractSite(engine, limits: limits)
    var hop = server.hop
    hop.keepAlive = HopKeepAlive(seconds: 0)
    let transport = try await site.open(hop)
    try server.signalSessions(SIGSTOP)
    let receiver = RecordingBytes()
    async let opened = transport.openChannel(.command("echo on"), receiver: receiver)
    // Long enough for two of the intervals of other hosts, in whole seconds as `ssh` counts.
    try await Task.sleep(for: .seconds(3))
    try server.signalSessions(SIGCONT)
    _ = try await opened
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    await transport.close()
  }
}

/// Something that happens once, to be waited for.
final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  func raise() {
    let waiter = state.withLock { state in
      state.isRaised = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func wait() async throws {
    try await withDeadline("a signal") { [self] in
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isRaised = state.withLock { state in
            if !state.isRaised { state.waiter = continuation }
            return state.isRaised || Task.isCancelled
          }
          if isRaised { continuation.resume() }
        }
      } onCancel: {
        raise()
      }
    }
  }
}

extension Hop {
  /// The same hop at another port of this machine.
  func at(port: UInt16) -> Hop {
    Hop(endpoint: SSHEndpoint(host: "127.0.0.1", port: port), credentials: credentials)
  }
}

extension OpenSSHServer {
  /// Suspends until nobody is connected any more.
  func waitUntilUnused() async throws {
    try await withDeadline("the end of every connection to a server") { [self] in
      while try !sessionProcesses.isEmpty { await Task.yield() }
    }
  }
}
