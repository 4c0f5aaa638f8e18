import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Lost SSH connections", .timeLimit(.minutes(3))) struct LostTests {
  /// Opens terminals that run `cat` on one connection and waits until each of them answers.
  private func open(
    _ count: Int,
    on transport: any SSHTransport
  ) async throws -> (channels: [any TerminalChannel], receivers: [RecordingReceiver]) {
    let receivers = (0..<count).map { _ in RecordingReceiver() }
    var channels: [any TerminalChannel] = []
    for receiver in receivers {
      channels.append(
        try await transport.openTerminal(.running("echo up; cat"), receiver: receiver)
      )
      try await receiver.wait(for: "up")
    }
    return (channels, receivers)
  }

  private func expectLoss(_ receivers: [RecordingReceiver], hop: Int = 0) async throws {
    for receiver in receivers {
      let end = try await receiver.waitForEnd()
      guard case .failed(let failure) = end, case .lost(let reason) = failure.cause else {
        Issue.record("\(end)")
        continue
      }
      #expect(failure.step == .connected)
      #expect(failure.hopIndex == hop)
      #expect(!reason.isEmpty)
      #expect(receiver.ends.count == 1)
    }
  }

  @Test(
    "a server process that is killed loses every terminal on it",
    arguments: [SIGKILL, SIGTERM]
  )
  func killedProcess(signal: Int32) async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let (_, receivers) = try await open(3, on: transport)
    try server.signalSessions(signal)
    try await expectLoss(receivers)
    #expect(await transport.waitUntilClosed().step == .connected)
  }

  @Test(
    "a server process that is killed in a flood is lost as well",
    arguments: [SIGKILL, SIGTERM]
  )
  func killedInFlood(signal: Int32) async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver(keepsBytes: false)
    _ = try await transport.openTerminal(.running("exec cat /dev/zero"), receiver: receiver)
    try await receiver.wait(forBytes: 3_000_000)
    try server.signalSessions(signal)
    try await expectLoss([receiver])
  }

  @Test("a reset by the peer is a loss with the system's words")
  func reset() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let (channels, receivers) = try await open(2, on: transport)
    // A socket that is closed with bytes unread answers with a reset.
    try server.signalSessions(SIGSTOP)
    channels[0].send(Array("never read\n".utf8))
    let loop = harness.loops.next()
    await withCheckedContinuation { done in loop.run { done.resume() } }
    try server.signalSessions(SIGKILL)
    try await expectLoss(receivers)
    #expect(await transport.waitUntilClosed().cause == .lost(reason: "Connection reset by peer"))
  }

  @Test("the end of a host behind a jump host is its own loss, the end of the jump host that one's")
  func jumpHosts() async throws {
    for hop in [0, 1] {
      let servers = [try await OpenSSHServer(), try await OpenSSHServer()]
      let harness = try TransportHarness()
      let transport = try await harness.open(servers.map(\.hop))
      let (_, receivers) = try await open(2, on: transport)
      try servers[hop].signalSessions(SIGKILL)
      try await expectLoss(receivers, hop: hop)
    }
  }

  @Test("a channel that the server closes without a word is an end, on a connection that stays")
  func silentClose() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    let other = RecordingReceiver()
    let channel = try await transport.openTerminal(.running(nil), receiver: other)
    _ = try await transport.openTerminal(.running("silent"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.text.hasPrefix("bye"))
    channel.send(Array("abc".utf8))
    try await other.wait(for: "ABC")
    await transport.close()
  }

  @Test("a server that closes its channels and then goes has lost them")
  func serverLeaves() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("leaving"), receiver: receiver)
    let end = try await receiver.waitForEnd()
    guard case .failed(let failure) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(failure.cause == .disconnected(reason: "going down"))
    #expect(receiver.text.hasPrefix("bye"))
  }

  @Test("a status that comes before the last output is kept, and the output too")
  func earlyStatus() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("early"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 3))
    #expect(receiver.text.hasPrefix("late"))
    await transport.close()
  }

  @Test("a program that ended before the connection did is over, not lost")
  func endedBefore() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    for _ in 0..<5 {
      let transport = try await harness.open([server.hop])
      let receiver = RecordingReceiver()
      let channel = try await transport.openTerminal(.running("read x; exit 5"), receiver: receiver)
      channel.send(Array("go\n".utf8))
      #expect(try await receiver.waitForEnd() == .exited(status: 5))
      try server.signalSessions(SIGKILL)
      _ = await transport.waitUntilClosed()
      #expect(receiver.ends.count == 1)
    }
  }
}
