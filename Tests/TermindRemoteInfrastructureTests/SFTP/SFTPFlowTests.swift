import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("How much of a copy is under way") struct SFTPFlowTests {
  /// Answers of 32 KB at a rate, each after a time.
  private static func flow(
    bytesPerSecond: Double,
    roundTrip: Duration,
    for time: Duration
  ) -> SFTPFlow {
    var flow = SFTPFlow(most: 16_777_216)
    let start = ContinuousClock.now
    let step = Duration.seconds(32_768 / bytesPerSecond)
    var now = start
    while now - start < time {
      now += step
      flow.answered(32_768, sent: now - roundTrip, at: now)
    }
    return flow
  }

  @Test(
    "is little more than what the line holds while somebody types",
    arguments: [
      // A loopback, a fast long line, a line at home.
      (rate: 150e6, roundTrip: Duration.microseconds(400), limit: 100_000..<150_000),
      (rate: 100e6, roundTrip: .milliseconds(40), limit: 5_000_000..<5_200_000),
      (rate: 1.25e6, roundTrip: .milliseconds(20), limit: 90_000..<100_000),
    ]
  )
  func typing(rate: Double, roundTrip: Duration, limit: Range<Int>) {
    let flow = Self.flow(bytesPerSecond: rate, roundTrip: roundTrip, for: .seconds(1))
    #expect(limit.contains(flow.limit(isBesideTyping: true)))
    let usual = flow.limit(isBesideTyping: false) - flow.limit(isBesideTyping: true)
    #expect(usual == SFTPFlow.reserve - SFTPFlow.typingReserve)
  }

  @Test("keeps its bounds, and is careful before anything is known")
  func bounds() {
    let new = SFTPFlow(most: 16_777_216)
    #expect(new.limit(isBesideTyping: true) == SFTPFlow.typingReserve)
    #expect(new.limit(isBesideTyping: false) == SFTPFlow.first)
    #expect(SFTPFlow(most: 2_097_152).limit(isBesideTyping: false) == 2_097_152)
    let slow = Self.flow(bytesPerSecond: 9_000, roundTrip: .milliseconds(5), for: .seconds(20))
    #expect(slow.limit(isBesideTyping: true) >= SFTPFlow.typingReserve)
    let fast = Self.flow(bytesPerSecond: 900e6, roundTrip: .milliseconds(300), for: .seconds(2))
    #expect(fast.limit(isBesideTyping: false) == 16_777_216)
  }

  @Test("grows with a line that turns out to carry more")
  func grows() {
    var flow = SFTPFlow(most: 16_777_216)
    var now = ContinuousClock.now
    let roundTrip = Duration.milliseconds(40)
    // The line carries whatever is under way, each round trip.
    var limits: [Int] = []
    for _ in 0..<60 {
      let limit = flow.limit(isBesideTyping: true)
      limits.append(limit)
      now += roundTrip
      flow.answered(min(limit, 1_000_000), sent: now - roundTrip, at: now)
    }
    #expect(limits.last.map { $0 > 1_000_000 } == true)
  }

  @Test("a key into a terminal of the connection is felt for a while")
  func sign() {
    let typing = TypingSign()
    let channel = LibSSH2TerminalChannel(bound: 100, typing: typing) {}
    #expect(!typing.isOn)
    channel.send([0x61])
    #expect(typing.isOn)
  }
}
