import CLinux
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("The end of SSH connections", .timeLimit(.minutes(3))) struct EndTests {
  @Test("a server that dies ends its terminals and the connection with the reason, once")
  func serverDies() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop("none")])
    let receivers = [RecordingReceiver(), RecordingReceiver()]
    for receiver in receivers {
      _ = try await transport.openTerminal(.running(nil), receiver: receiver)
      try await receiver.wait(for: "ready")
    }
    server.kill()
    let failure = await transport.waitUntilClosed()
    #expect(failure.step == .connected)
    guard case .lost(let reason) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(!reason.isEmpty)
    for receiver in receivers { #expect(receiver.ends == [.failed(failure)]) }
    await #expect(throws: ConnectionFailure.self) {
      _ = try await transport.openTerminal(.running(nil), receiver: RecordingReceiver())
    }
  }

  @Test("a connection whose loop was shut down is closed at once")
  func closeAfterShutdown() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    _ = try await transport.openTerminal(.running("cat"), receiver: RecordingReceiver())
    harness.loops.shutdown()
    try await withDeadline("the close") { await transport.close() }
    #expect(await transport.waitUntilClosed().cause == .cancelled)
  }

  @Test("a peer that stops answering is given up after the keepalive bound")
  func deadPeer() async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.keepaliveInterval = .milliseconds(200)
    limits.keepaliveCount = 3
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    server.freeze()
    let start = ContinuousClock.now
    let failure = try await withDeadline("the end") { await transport.waitUntilClosed() }
    let elapsed = start.duration(to: .now)
    server.thaw()
    #expect(failure.cause == .keepaliveTimedOut(seconds: 1))
    #expect(elapsed > .milliseconds(300))
    #expect(receiver.ends == [.failed(failure)])
  }

  @Test("an idle connection to a living peer stays up far beyond the keepalive bound")
  func livingPeer() async throws {
    let server = try await OpenSSHServer()
    var limits = TransportLimits.patient
    // A bound of two seconds, which a server on a busy machine keeps.
    limits.keepaliveInterval = .milliseconds(50)
    limits.keepaliveCount = 40
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    // The program answers only after many intervals of silence on both sides.
    let channel = try await transport.openTerminal(
      .running("sleep 4; echo later; cat"),
      receiver: receiver
    )
    try await receiver.wait(for: "later")
    channel.send(Array("still here\n".utf8))
    try await receiver.wait(for: "still here\r\nstill here")
    await transport.close()
    #expect(receiver.ends == [.closed])
  }

  @Test("idle terminals, also through a jump host, wake nothing")
  func idle() async throws {
    let first = try await OpenSSHServer()
    let second = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([first.hop, second.hop])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(.running("cat"), receiver: receiver)
    channel.send(Array("x\n".utf8))
    try await receiver.wait(for: "x\r\nx\r\n")
    let loop = harness.loops.next()
    let thread = await withCheckedContinuation { done in
      loop.run { done.resume(returning: tm_thread_id()) }
    }
    func switches() throws -> Substring {
      let text = try TemporaryFolder.read("/proc/self/task/\(thread)/status")
      let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return try #require(line)
    }
    // What is under way may settle first; then there has to be a long time of nothing.
    try await waitUntil("a time without a wakeup") {
      let before = try switches()
      try await Task.sleep(for: .milliseconds(500))
      return try switches() == before
    }
    await transport.close()
  }

  @Test("a terminal that takes too long, or is no longer wanted, costs only itself")
  func givingUpOnATerminal() async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.openingChannel = .seconds(5)
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop("none")])
    let first = RecordingReceiver()
    let channel = try await transport.openTerminal(.running(nil), receiver: first)
    try await first.wait(for: "ready")
    server.freeze()
    let late = RecordingReceiver()
    do {
      _ = try await transport.openTerminal(.running(nil), receiver: late)
      Issue.record("a frozen server opened a terminal")
    } catch {
      #expect(error.cause == .timedOut(seconds: 5))
      #expect(error.step == .openingChannel)
    }
    let cancelled = Task {
      try await transport.openTerminal(.running(nil), receiver: RecordingReceiver())
    }
    cancelled.cancel()
    guard case .failure(let error) = await cancelled.result else {
      Issue.record("a cancelled terminal was opened")
      return
    }
    #expect((error as? ConnectionFailure)?.cause == .cancelled)
    server.thaw()
    channel.send(Array("abc".utf8))
    try await first.wait(for: "ABC")
    #expect(late.ends.isEmpty)
    await transport.close()
  }

  @Test("a refused PTY is told as such, and the connection stays")
  func refusedPTY() async throws {
    let server = try await OpenSSHServer(["PermitTTY no"])
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    for _ in 0..<2 {
      do {
        _ = try await transport.openTerminal(.running(nil), receiver: RecordingReceiver())
        Issue.record("a PTY was given")
      } catch {
        guard case .channelRefused(request: "pty-req", _) = error.cause else {
          Issue.record("\(error)")
          continue
        }
        #expect(error.step == .openingChannel)
      }
    }
    await transport.close()
  }
}
