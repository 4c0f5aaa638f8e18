import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// How often a server is asked for another size, and which one it has in the end.
@Suite("Changes of a terminal's size", .timeLimit(.minutes(10))) struct TerminalSizeTests {
  /// A terminal on a server that notes the sizes that it is asked for.
  private struct Asked {
    let server: ScriptedSSHServer
    let harness: TransportHarness
    let transport: any SSHTransport
    let receiver: RecordingReceiver
    let channel: any TerminalChannel

    init(every interval: Duration) async throws {
      server = try await ScriptedSSHServer()
      var limits = TransportLimits.patient
      limits.sizeInterval = interval
      harness = try TransportHarness(limits: limits)
      transport = try await harness.open([server.hop("none")])
      receiver = RecordingReceiver()
      channel = try await transport.openTerminal(.running(nil), receiver: receiver)
      try await receiver.wait(for: "ready")
    }

    func resize(_ columns: Int) {
      channel.resize(to: TerminalDimensions(rows: 24, columns: columns))
    }

    /// The columns of every size that the server was asked for.
    var columns: [Int] {
      let log = server.log
      // The last line may be just being written.
      let whole = log[..<(log.lastIndex(where: \.isNewline) ?? log.startIndex)]
      return whole.split(whereSeparator: \.isNewline).compactMap { line in
        let words = line.split(separator: " ")
        return words.first == "SIZE" ? words.dropFirst().first.flatMap { Int($0) } : nil
      }
    }
  }

  @Test("the first goes at once, and no second before its time, however many are wanted")
  func firstAtOnce() async throws {
    let asked = try await Asked(every: .seconds(3_600))
    asked.resize(90)
    try await asked.receiver.wait(for: "size 90 24")
    for columns in 91...150 { asked.resize(columns) }
    // Whatever else the server was asked for, it was before this.
    let other = RecordingReceiver()
    _ = try await asked.transport.openTerminal(.running(nil), receiver: other)
    try await other.wait(for: "ready")
    #expect(asked.columns == [90])
    await asked.transport.close()
  }

  @Test("what is typed meets the newest size") func typed() async throws {
    let asked = try await Asked(every: .seconds(3_600))
    for columns in [90, 91, 92] { asked.resize(columns) }
    asked.channel.send(Array("x".utf8))
    try await asked.receiver.wait(for: "size 92 24")
    try await asked.receiver.wait(for: "X")
    #expect(asked.columns.count <= 2)
    await asked.transport.close()
  }

  @Test("a burst costs one request an interval, and its last size always arrives")
  func burst() async throws {
    let interval = Duration.milliseconds(40)
    let asked = try await Asked(every: interval)
    let start = ContinuousClock.now
    for columns in 81...280 {
      asked.resize(columns)
      if columns % 10 == 0 { try await Task.sleep(for: .milliseconds(2)) }
    }
    let elapsed = start.duration(to: .now)
    try await asked.receiver.wait(for: "size 280 24")
    // What the server notes may come later than what it shows.
    try await asked.server.wait(forLog: "SIZE 280")
    let most = Int(elapsed / interval) + 2
    #expect((1...most).contains(asked.columns.count), "\(asked.columns) in \(elapsed)")
    #expect(asked.columns.last == 280)
    await asked.transport.close()
  }

  @Test("a size that the terminal has already is not asked for") func same() async throws {
    let asked = try await Asked(every: .zero)
    asked.resize(80)
    asked.resize(80)
    asked.channel.send(Array("x".utf8))
    try await asked.receiver.wait(for: "X")
    #expect(asked.columns.isEmpty)
    asked.resize(81)
    try await asked.receiver.wait(for: "size 81 24")
    asked.resize(80)
    try await asked.receiver.wait(for: "size 80 24")
    #expect(asked.columns == [81, 80])
    await asked.transport.close()
  }
}
