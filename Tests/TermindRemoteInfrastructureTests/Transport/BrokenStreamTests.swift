import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Streams that are damaged, cut or held at some byte of what the server sends.
@Suite("Broken streams", .timeLimit(.minutes(3))) struct BrokenStreamTests {
  private static var short: TransportLimits {
    var limits = TransportLimits.patient
    limits.keyExchange = .seconds(3)
    limits.authenticationRequest = .seconds(3)
    limits.openingChannel = .seconds(3)
    limits.keepaliveInterval = .milliseconds(500)
    return limits
  }

  private func hop(_ proxy: BreakingProxy, _ server: OpenSSHServer) -> Hop {
    Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: proxy.port),
      credentials: server.hop.credentials
    )
  }

  @Test(
    "an opening that breaks at any byte fails in time or gets by, and crashes nothing",
    arguments: BreakingProxy.Manner.allCases
  )
  func opening(manner: BreakingProxy.Manner) async throws {
    let server = try await OpenSSHServer()
    // Held connections cost their whole time, so there are few of those.
    let count = manner == .stall ? 5 : 24
    let places = (0..<count).map { _ in Int.random(in: 0..<3_500) }
    let proxy = try await BreakingProxy(to: server.port, manner, at: places)
    let harness = try TransportHarness(limits: Self.short)
    for place in places {
      do {
        let transport = try await harness.open([hop(proxy, server)])
        await transport.close()
      } catch let failure as ConnectionFailure {
        #expect(failure.cause != .cancelled, "\(manner) at \(place): \(failure)")
        if case .internalError = failure.cause,
          manner == .stall || manner == .cut || manner == .reset
        {
          Issue.record("\(manner) at \(place): \(failure)")
        }
      }
    }
    let transport = try await TransportHarness().open([server.hop])
    await transport.close()
  }

  @Test(
    "a connection whose stream breaks ends with every terminal on it, busy or idle",
    arguments: BreakingProxy.Manner.allCases
  )
  func connected(manner: BreakingProxy.Manner) async throws {
    let server = try await OpenSSHServer()
    let place = Int.random(in: 300_000..<2_000_000)
    let proxy = try await BreakingProxy(to: server.port, manner, at: [place])
    // The connection comes up well; only what holds it then has to be noticed soon.
    var limits = TransportLimits.patient
    limits.keepaliveInterval = .seconds(1)
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([hop(proxy, server)])
    let idle = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo up; exec cat"), receiver: idle)
    try await idle.wait(for: "up")
    let busy = RecordingReceiver(keepsBytes: false)
    _ = try await transport.openTerminal(.running("exec cat /dev/zero"), receiver: busy)
    let failure = try await withDeadline("the end of the connection at \(place)") {
      await transport.waitUntilClosed()
    }
    #expect(failure.step == .connected)
    #expect(failure.cause != .cancelled)
    for receiver in [idle, busy] {
      guard case .failed(let reason) = try await receiver.waitForEnd() else {
        Issue.record("\(receiver.ends)")
        continue
      }
      #expect(reason.step == .connected)
      #expect(receiver.ends.count == 1)
    }
  }
}
