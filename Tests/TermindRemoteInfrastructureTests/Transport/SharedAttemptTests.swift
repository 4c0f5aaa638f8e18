import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Many terminals of one route that are opened at the same time.
@Suite("Attempts that terminals share", .timeLimit(.minutes(3))) struct SharedAttemptTests {
  private typealias Outcome = Result<any TerminalChannel, ConnectionFailure>

  private func start(
    _ pool: TransportPool,
    _ hop: Hop,
    _ prompts: ScriptedPrompts,
    _ receiver: RecordingReceiver = RecordingReceiver()
  ) throws -> Task<Outcome, Never> {
    let route = try Route(hops: [hop])
    return Task {
      do throws(ConnectionFailure) {
        return .success(
          try await pool.openTerminal(
            on: route,
            .running(nil),
            receiver: receiver,
            prompts: prompts
          )
        )
      } catch {
        return .failure(error)
      }
    }
  }

  /// Suspends until a condition holds; it is made true by other tasks.
  private func wait(_ what: String, for condition: @escaping @Sendable () async -> Bool)
    async throws
  {
    try await waitUntil(what) { await condition() }
  }

  @Test(
    "twenty terminals on a new host with a password ask once each, for the key and the password"
  )
  func oneQuestion() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let everyone = (0..<20).map { _ in
      ScriptedPrompts(decide: { _ in .trust }, answer: { _ in ["secret"] })
    }
    let receivers = everyone.map { _ in RecordingReceiver() }
    let tasks = try zip(everyone, receivers).map { prompts, receiver in
      try start(pool, server.hop("pw"), prompts, receiver)
    }
    for task in tasks { _ = try await task.value.get() }
    for receiver in receivers { try await receiver.wait(for: "ready") }
    #expect(everyone.map(\.questions.count).reduce(0, +) == 1)
    #expect(everyone.map(\.challenges.count).reduce(0, +) == 1)
    #expect(await pool.transportCount == 1)
    // Those who waited saw how far it was.
    for prompts in everyone {
      #expect(prompts.steps.suffix(2) == [.openingChannel, .connected])
      #expect(prompts.steps.contains(.authentication))
    }
    await pool.closeAll()
  }

  @Test("whoever waits may leave, and the others go on")
  func oneLeaves() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let release = Locked<CheckedContinuation<Void, Never>?>(nil)
    let asking = ScriptedPrompts(answer: { _ in
      await withCheckedContinuation { waiter in release.withLock { $0 = waiter } }
      return ["secret"]
    })
    let first = try start(pool, server.hop("pw"), asking)
    try await wait("the question") { !asking.challenges.isEmpty && release.withLock { $0 != nil } }
    let followers = (0..<3).map { _ in ScriptedPrompts(answer: { _ in ["wrong"] }) }
    let tasks = try followers.map { try start(pool, server.hop("pw"), $0) }
    try await wait("the followers") {
      followers.allSatisfy { $0.steps.last == .authentication }
    }
    tasks[1].cancel()
    #expect(await tasks[1].value.failure?.cause == .cancelled)
    release.withLock { $0 }?.resume()
    for task in [first, tasks[0], tasks[2]] { _ = try await task.value.get() }
    #expect(followers.allSatisfy { $0.challenges.isEmpty })
    await pool.closeAll()
  }

  @Test("when the terminal that is asked goes away, the next one is asked")
  func askedLeaves() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let gone = ScriptedPrompts(answer: { _ in
      // Ends with the task that asks.
      try? await Task.sleep(for: .seconds(600))
      return nil
    })
    let first = try start(pool, server.hop("pw"), gone)
    try await wait("the question") { !gone.challenges.isEmpty }
    let next = ScriptedPrompts(answer: { _ in ["secret"] })
    let second = try start(pool, server.hop("pw"), next)
    try await wait("the follower") { next.steps.last == .authentication }
    first.cancel()
    #expect(await first.value.failure?.cause == .cancelled)
    _ = try await second.value.get()
    #expect(next.challenges.count == 1)
    await pool.closeAll()
  }

  @Test("a person who gives up is not asked again for each terminal that waits")
  func givingUp() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let everyone = (0..<5).map { _ in ScriptedPrompts() }
    let tasks = try everyone.map { try start(pool, server.hop("pw"), $0) }
    for task in tasks { #expect(await task.value.failure?.cause == .cancelled) }
    #expect(everyone.map(\.challenges.count).reduce(0, +) == 1)
  }

  @Test("a silent attempt that would have to ask fails for silent ones, and a person's own goes on")
  func silent() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let quiet = (0..<3).map { _ in ScriptedPrompts(isInteractive: false) }
    let silent = try quiet.map { try start(pool, server.hop("pw"), $0) }
    let person = ScriptedPrompts(answer: { _ in ["secret"] })
    let own = try start(pool, server.hop("pw"), person)
    _ = try await own.value.get()
    for task in silent {
      // One that came late may find the person's connection.
      guard case .failure(let failure) = await task.value else { continue }
      guard case .interactionRequired = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
    }
    #expect(quiet.allSatisfy { $0.questions.isEmpty && $0.challenges.isEmpty })
    await pool.closeAll()
  }

  @Test("with one session a connection, each terminal asks for its own, and none fails")
  func oneSessionEach() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let everyone = (0..<4).map { _ in ScriptedPrompts(answer: { _ in ["secret"] }) }
    let receivers = everyone.map { _ in RecordingReceiver() }
    let tasks = try zip(everyone, receivers).map { prompts, receiver in
      try start(pool, server.hop("single"), prompts, receiver)
    }
    for task in tasks { _ = try await task.value.get() }
    for receiver in receivers { try await receiver.wait(for: "ready") }
    #expect(await pool.transportCount == 4)
    #expect(everyone.allSatisfy { $0.challenges.count == 1 })
    await pool.closeAll()
  }
}

extension Result {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}
