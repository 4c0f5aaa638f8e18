import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// What happens when an attempt, or the server under it, ends at any point of its way.
@Suite("Attempts that are broken off", .timeLimit(.minutes(3))) struct BreakingTests {
  static let steps: [ConnectionStep] = [
    .resolving, .connecting, .keyExchange, .hostKey, .authentication,
  ]

  /// A task that a callback of its own attempt cancels.
  private final class Attempt: Sendable {
    private let task = Locked<Task<ConnectionFailure?, Never>?>(nil)
    private let isCancelled = Locked(false)

    func cancel() {
      isCancelled.withLock { $0 = true }
      task.withLock { $0 }?.cancel()
    }

    /// The failure that opening ends with; nil when it does not fail.
    func run(
      _ harness: TransportHarness,
      _ hops: [Hop],
      _ prompts: ScriptedPrompts
    ) async throws -> ConnectionFailure? {
      let route = try Route(hops: hops)
      let opener = harness.opener
      let task = Task { () -> ConnectionFailure? in
        do throws(ConnectionFailure) {
          let transport = try await opener.open(route, prompts: prompts)
          await transport.close()
          return nil
        } catch {
          return error
        }
      }
      self.task.withLock { $0 = task }
      if isCancelled.withLock({ $0 }) { task.cancel() }
      do {
        return try await withDeadline("the end of an attempt") { await task.value }
      } catch {
        throw TestFailure("\(error); steps \(prompts.steps), asked \(prompts.challenges.count)")
      }
    }
  }

  @Test(
    "cancelling at any step of any hop ends the attempt there, and the servers see it go",
    arguments: [0, 1]
  )
  func cancelAtEachStep(hop: Int) async throws {
    let servers = [try await OpenSSHServer(), try await OpenSSHServer()]
    let harness = try TransportHarness()
    for step in Self.steps where hop == 0 || step != .resolving {
      let attempt = Attempt()
      let prompts = ScriptedPrompts(step: { reached, context in
        if reached == step, context.index == hop { attempt.cancel() }
      })
      let failure = try await attempt.run(harness, servers.map(\.hop), prompts)
      #expect(failure?.cause == .cancelled, "\(step): \(String(describing: failure))")
      #expect(failure?.hopIndex == hop)
    }
    try await withDeadline("the end of every session") {
      while try servers.contains(where: { try !$0.sessionProcesses.isEmpty }) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    let transport = try await harness.open(servers.map(\.hop))
    await transport.close()
  }

  @Test(
    "a server that is killed at any step fails the attempt in time, and is not taken for a cancellation"
  )
  func killAtEachStep() async throws {
    for step in Self.steps.dropFirst() {
      let server = try await ScriptedSSHServer()
      let harness = try TransportHarness()
      let prompts = ScriptedPrompts(
        answer: { _ in ["wrong"] },
        step: { reached, _ in if reached == step { server.kill() } }
      )
      let failure = try #require(
        try await Attempt().run(harness, [server.hop("pw")], prompts),
        "\(step)"
      )
      #expect(failure.cause != .cancelled, "\(step): \(failure)")
      if case .internalError = failure.cause { Issue.record("\(step): \(failure)") }
      #expect(Self.steps.firstIndex(of: failure.step) ?? 0 >= Self.steps.firstIndex(of: step) ?? 9)
    }
  }

  @Test("a server that hangs at any step is given up after that step's time")
  func hangAtEachStep() async throws {
    for step in Self.steps.dropFirst() {
      // The system itself takes the connection of a process that hangs.
      let later: ConnectionStep =
        step == .connecting ? .keyExchange : step == .hostKey ? .authentication : step
      // Only the step that hangs is short of time.
      var limits = TransportLimits.patient
      if later == .keyExchange { limits.keyExchange = .seconds(2) }
      if later == .authentication { limits.authenticationRequest = .seconds(2) }
      let server = try await ScriptedSSHServer()
      let harness = try TransportHarness(limits: limits)
      let prompts = ScriptedPrompts(
        answer: { _ in ["wrong"] },
        step: { reached, _ in if reached == step { server.freeze() } }
      )
      let failure = try await Attempt().run(harness, [server.hop("pw")], prompts)
      server.thaw()
      #expect(failure?.cause == .timedOut(seconds: 2), "\(step): \(String(describing: failure))")
      #expect(failure?.step == later)
    }
    let stuck = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.authenticationRequest = .seconds(2)
    let harness = try TransportHarness(limits: limits)
    let failure = try await harness.failure([stuck.hop("stuck")])
    #expect(failure.cause == .timedOut(seconds: 2))
    #expect(failure.step == .authentication)
    let thrown = try await harness.failure([stuck.hop("thrown")])
    #expect(thrown.cause == .disconnected(reason: "not you"))
  }

  @Test(
    "an attempt that is cancelled in the moment of an answer ends, and the answer goes nowhere",
    arguments: ["pw", "kbd", "push", "expired", "retry", "thousand"],
    [false, true]
  )
  func cancelWithAnswer(user: String, isBehindAJump: Bool) async throws {
    let far = try await ScriptedSSHServer()
    let jump = try await OpenSSHServer()
    let harness = try TransportHarness()
    let hops = isBehindAJump ? [jump.hop, far.hop(user)] : [far.hop(user)]
    // At the first question, then at the second: the one for a new password, or of a further round.
    for last in 0..<2 {
      let attempt = Attempt()
      let asked = Locked(0)
      let prompts = ScriptedPrompts(answer: { challenge in
        let number = asked.withLock { asked in
          defer { asked += 1 }
          return asked
        }
        // The cancellation stands in the loop's queue before whoever waits for the answer goes on.
        if number == last { attempt.cancel() }
        return challenge.prompts.count == 2
          ? ["one", "name"] : challenge.prompts.map { _ in "secret" }
      })
      let failure = try await attempt.run(harness, hops, prompts)
      guard asked.withLock({ $0 }) > last else { continue }
      #expect(failure?.cause == .cancelled, "\(String(describing: failure))")
      #expect(failure?.hopIndex == hops.count - 1)
      #expect(failure?.step == .authentication)
    }
    try await withDeadline("the end of every session") {
      while try !jump.sessionProcesses.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    }
  }

  @Test("an attempt that is cancelled in the moment of a decision about its key ends there")
  func cancelWithDecision() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let attempt = Attempt()
    let prompts = ScriptedPrompts(decide: { _ in
      attempt.cancel()
      return .trustOnce
    })
    let failure = try await attempt.run(harness, [server.hop("pw")], prompts)
    #expect(failure?.cause == .cancelled)
    #expect(failure?.step == .hostKey)
    #expect(prompts.steps.last == .hostKey)
  }

  @Test("attempts given up behind a shared jump host leave no channel on it")
  func givenUpBehindCarrier() async throws {
    let jump = try await OpenSSHServer()
    let far = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let carrier = try await harness.open([jump.hop])
    let route = try Route(hops: [jump.hop, far.hop("none")])
    let opener = harness.opener
    let loop = harness.loops.next()
    for _ in 0..<60 {
      let task = Task {
        let transport = try await opener.open(route, through: carrier, prompts: ScriptedPrompts())
        await transport.close()
      }
      let timer = loop.schedule(after: .microseconds(Int.random(in: 0...4_000))) { task.cancel() }
      let outcome = try await withDeadline("the end of an attempt") {
        await task.result
      }
      timer.cancel()
      if case .failure(let error as ConnectionFailure) = outcome {
        #expect(error.cause == .cancelled)
      }
    }
    let connection = try #require(carrier as? LibSSH2Transport).destination
    try await withDeadline("the end of every channel") {
      while await !connection.carriesNothing { try await Task.sleep(for: .milliseconds(5)) }
    }
    await carrier.close()
  }

  @Test("attempts that are cancelled at random moments leave nothing behind on loop or server")
  func cancelAtRandom() async throws {
    let jump = try await OpenSSHServer()
    let far = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let loop = harness.loops.next()
    for number in 0..<60 {
      let attempt = Attempt()
      let prompts = ScriptedPrompts(answer: { challenge in challenge.prompts.map { _ in "secret" } }
      )
      let user = ["none", "pw", "kbd", "expired", "push"][number % 5]
      let hops = number % 2 == 0 ? [far.hop(user)] : [jump.hop, far.hop(user)]
      // A third of them at once, where most happens in a short time.
      let latest = number % 3 == 0 ? 5_000 : 150_000
      let timer = loop.schedule(after: .microseconds(Int.random(in: 0...latest))) {
        attempt.cancel()
      }
      _ = try await attempt.run(harness, hops, prompts)
      timer.cancel()
    }
    try await withDeadline("the end of every session") {
      while try !jump.sessionProcesses.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    }
    let transport = try await harness.open([jump.hop, far.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    await transport.close()
  }

  @Test("terminals that are given up at random moments free their channels")
  func terminalsGivenUp() async throws {
    let server = try await OpenSSHServer(["MaxSessions 4"])
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let loop = harness.loops.next()
    for _ in 0..<30 {
      let receiver = RecordingReceiver()
      let task = Task { try await transport.openTerminal(.running("exec cat"), receiver: receiver) }
      let timer = loop.schedule(after: .milliseconds(Int.random(in: 0...40))) { task.cancel() }
      // One that was opened before it was cancelled is closed as any other.
      if case .success(let channel) = await task.result { channel.close() }
      timer.cancel()
    }
    // A close takes the server a moment, until then the channel counts.
    let receiver = RecordingReceiver()
    try await withDeadline("room for a terminal") {
      while true {
        do throws(ConnectionFailure) {
          _ = try await transport.openTerminal(.running("exec cat"), receiver: receiver)
          return
        } catch {
          guard case .channelRefused = error.cause else { throw error }
        }
      }
    }
    await transport.close()
    #expect(try await receiver.waitForEnd() == .closed)
  }

  @Test(
    "a server that never answers an open costs that terminal, and the next gets a connection of its own"
  )
  func unansweredOpen() async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.openingChannel = .seconds(1)
    let harness = try TransportHarness(limits: limits)
    let pool = TransportPool(opener: harness.opener)
    let route = try Route(hops: [server.hop("closed")])
    for number in 1...2 {
      do {
        _ = try await pool.openTerminal(
          on: route,
          .running(nil),
          receiver: RecordingReceiver(),
          prompts: ScriptedPrompts()
        )
        Issue.record("a terminal was opened")
      } catch {
        #expect(error.cause == .timedOut(seconds: 1))
        #expect(error.step == .openingChannel)
      }
      #expect(await pool.transportCount == number)
    }
    await pool.closeAll()
  }

  @Test("input through a window of one byte arrives whole")
  func tinyWindow() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop("tiny")])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    let text = (0..<200).map { "word\($0) " }.joined()
    channel.send(Array(text.utf8))
    try await receiver.wait(for: String(text.uppercased().suffix(8)))
    #expect(receiver.text.contains(text.uppercased()))
    await transport.close()
  }

  // MARK: Keys

  @Test(
    "an agent with many keys and a server that allows one try fail with the server's words, or get in"
  )
  func oneTry() async throws {
    let server = try await OpenSSHServer(["MaxAuthTries 1"])
    let folder = try TemporaryFolder()
    let socket = folder.file("agent")
    let agent = try TestProgram("/usr/bin/ssh-agent", ["-D", "-a", socket])
    try await agent.wait(for: "SSH_AUTH_SOCK")
    func add(_ key: String) async throws {
      try await TestProgram.run(
        "/usr/bin/ssh-add",
        ["-q", key],
        environment: ["SSH_AUTH_SOCK": socket]
      )
    }
    for number in 0..<8 {
      let key = folder.file("key\(number)")
      try await OpenSSHServer.makeKey(key, type: "ed25519")
      try await add(key)
    }
    try await add(server.userKey)
    let harness = try TransportHarness(agent: AgentClient(socketPath: socket))
    var hop = server.hop
    hop.credentials.usesAgent = true
    // The key that was named goes first, also when the agent holds it as the ninth.
    let transport = try await harness.open([hop])
    await transport.close()
    hop.credentials.keyFiles = []
    let failure = try await harness.failure([hop])
    #expect(failure.step == .authentication)
    guard case .disconnected(let reason) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(reason.contains("Too many authentication failures"))
    withExtendedLifetime(agent) {}
  }

  @Test("eight hops come down whole when one in the middle is killed, and name it")
  func eightHopsKilled() async throws {
    let servers = try await withThrowingTaskGroup(of: OpenSSHServer.self) { group in
      for _ in 0..<8 { group.addTask { try await OpenSSHServer() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let harness = try TransportHarness()
    let transport = try await harness.open(servers.map(\.hop))
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo up; exec cat"), receiver: receiver)
    try await receiver.wait(for: "up")
    try servers[3].signalSessions(SIGKILL)
    let failure = try await withDeadline("the end") { await transport.waitUntilClosed() }
    #expect(failure.hopIndex == 3)
    #expect(failure.endpoint == servers[3].endpoint)
    #expect(receiver.ends == [.failed(failure)])
    try await withDeadline("the end of every session") {
      while try servers.contains(where: { try !$0.sessionProcesses.isEmpty }) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }
}

extension LibSSH2Connection {
  /// Whether no channel of it carries a further hop, or waits to be closed.
  fileprivate var carriesNothing: Bool { forwards.isEmpty && closing.isEmpty }
}
