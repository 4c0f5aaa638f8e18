import TermindDomain
import Testing

@Suite("Reconnect policy") struct ReconnectPolicyTests {
  let lost = ConnectionFailureCause.lost(reason: "reset")

  func waits(_ decisions: [ReconnectPolicy.Decision]) -> [Int64] {
    decisions.compactMap {
      guard case .retry(let delay, _) = $0 else { return nil }
      return delay.components.seconds
    }
  }

  @Test(
    "a first failure never retries",
    arguments: [ConnectionFailureCause.refused, .timedOut(seconds: 15)]
  )
  func firstFailure(cause: ConnectionFailureCause) {
    var policy = ReconnectPolicy()
    #expect(policy.failed(cause, at: .zero) == .stop(.firstFailure))
    #expect(!policy.isRecovering)
    policy.retriedByPerson()
    #expect(policy.failed(cause, at: .zero) == .stop(.firstFailure))
  }

  @Test("loss is retried after 1, 2, 5, 10 and then every 30 seconds")
  func delays() {
    var policy = ReconnectPolicy()
    policy.connected(at: .seconds(10))
    var decisions = [policy.failed(lost, at: .seconds(20))]
    for _ in 0..<6 { decisions.append(policy.failed(.refused, at: .seconds(30))) }
    #expect(waits(decisions) == [1, 2, 5, 10, 30, 30, 30])
    #expect(decisions.last == .retry(after: .seconds(30), attempt: 7))
    #expect(policy.isRecovering)
  }

  @Test("a connection that was up for less than a minute goes on in the row")
  func unstable() {
    var policy = ReconnectPolicy()
    policy.connected(at: .zero)
    let first = policy.failed(lost, at: .seconds(1))
    policy.connected(at: .seconds(2))
    let second = policy.failed(lost, at: .seconds(61.999))
    #expect(waits([first, second]) == [1, 2])
  }

  @Test("60 stable seconds start the row anew")
  func stable() {
    var policy = ReconnectPolicy()
    policy.connected(at: .zero)
    let first = policy.failed(lost, at: .seconds(1))
    policy.connected(at: .seconds(2))
    let second = policy.failed(.keepaliveTimedOut(seconds: 45), at: .seconds(62))
    #expect(waits([first, second]) == [1, 1])
  }

  @Test(
    "what needs the person stops a recovery",
    arguments: [
      (.authenticationFailed(tried: [], offered: []), .authenticationFailed),
      (.interactionRequired("password"), .personNeeded),
      (
        .hostKeyChanged(offered: HostKey(type: "t", blob: [], fingerprint: ""), known: []),
        .personNeeded
      ),
      (.hostKeyRejected(HostKey(type: "t", blob: [], fingerprint: "")), .personNeeded),
      (.hostKeyRevoked(HostKey(type: "t", blob: [], fingerprint: "")), .personNeeded),
      (.keyUnusable(path: "/k", reason: ""), .personNeeded),
      (.cancelled, .cancelled),
    ] as [(ConnectionFailureCause, ReconnectPolicy.StopReason)]
  )
  func stops(cause: ConnectionFailureCause, reason: ReconnectPolicy.StopReason) {
    var policy = ReconnectPolicy()
    policy.connected(at: .zero)
    _ = policy.failed(lost, at: .seconds(5))
    #expect(policy.failed(cause, at: .seconds(6)) == .stop(reason))
    #expect(policy.failed(lost, at: .seconds(7)) == .stop(.firstFailure))
  }

  @Test("a retry by hand shortens the wait, and the row goes on")
  func retryDuringRecovery() {
    var policy = ReconnectPolicy()
    policy.connected(at: .zero)
    _ = policy.failed(lost, at: .seconds(1))
    policy.retriedByPerson()
    #expect(policy.failed(.refused, at: .seconds(1)) == .retry(after: .seconds(2), attempt: 2))
  }

  @Test("cancelling ends the recovery until the person asks again")
  func cancelling() {
    var policy = ReconnectPolicy()
    policy.connected(at: .zero)
    policy.cancel()
    #expect(policy.failed(lost, at: .seconds(1)) == .stop(.firstFailure))
    policy.retriedByPerson()
    policy.connected(at: .seconds(2))
    #expect(policy.failed(lost, at: .seconds(3)) == .retry(after: .seconds(1), attempt: 1))
  }
}
