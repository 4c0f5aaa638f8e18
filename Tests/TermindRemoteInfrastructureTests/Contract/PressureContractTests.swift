import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@Suite("Contract of the transport: many bytes and many channels", .timeLimit(.minutes(3)))
struct PressureContractTests {
  @Test(
    "a channel that is not received from holds its sender back and nobody else",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func heldReceiving(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let stream = try await StreamServer()
    let total = 12_000_000
    try await withContract(engine, server) { transport in
      let held = Locked<(any ByteChannel)?>(nil)
      let receiver = RecordingBytes(keepsBytes: false) { _ in
        held.withLock { $0 }?.setReceiving(false)
      }
      let channel = try await transport.openChannel(
        .tcp(host: "127.0.0.1", port: stream.port),
        receiver: receiver
      )
      held.withLock { $0 = channel }
      channel.send(Array("source \(total)\n".utf8))
      try await receiver.wait(forBytes: 1)
      // It was stopped from within the first delivery, so no second one may come.
      let first = receiver.record.count
      let other = RecordingBytes()
      _ = try await transport.openChannel(
        .command("head -c 4000000 /dev/zero"),
        receiver: other
      )
      #expect(try await other.waitForEnd() == .exited(status: 0))
      #expect(other.record.count == 4_000_000)
      #expect(receiver.record.count == first)
      #expect(receiver.record.ends.isEmpty)
      held.withLock { $0 = nil }
      channel.setReceiving(true)
      try await receiver.wait("the end of the source") { $0.finishes == 1 }
      #expect(receiver.record.count == total)
      channel.finishSending()
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
    }
  }

  @Test(
    "an end is told after the bytes that wait before it",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func endBehindBytes(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      let channel = try await transport.openChannel(
        .command("read go; head -c 100000 /dev/zero; echo oops >&2; exit 4"),
        receiver: receiver
      )
      channel.setReceiving(false)
      channel.send(Array("go\n".utf8))
      let other = RecordingBytes()
      _ = try await transport.openChannel(.command("sleep 0.2"), receiver: other)
      _ = try await other.waitForEnd()
      #expect(receiver.record.count == 0)
      #expect(receiver.record.ends.isEmpty)
      channel.setReceiving(true)
      #expect(try await receiver.waitForEnd() == .exited(status: 4))
      #expect(receiver.record.count == 100_000)
      #expect(receiver.record.errorText == "oops\n")
      #expect(!receiver.record.isDisorderly)
    }
  }

  @Test(
    "a receiver that does not read is sent a bounded amount, and the rest when it reads",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func heldSending(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let folder = try TemporaryFolder()
    let fifo = folder.file("gate")
    try await TestProgram.run("/usr/bin/mkfifo", [fifo])
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      let channel = try await transport.openChannel(
        .command("cat '\(fifo)' > /dev/null; wc -c"),
        receiver: receiver
      )
      let piece = [UInt8](repeating: 7, count: 100_000)
      var sent = 0
      while sent < 100_000_000, channel.send(piece) { sent += piece.count }
      #expect(sent >= 2_097_152 - piece.count)
      #expect(sent < 60_000_000)
      #expect(channel.queuedByteCount > 0)
      let opener = RecordingBytes()
      _ = try await transport.openChannel(.command("echo go > '\(fifo)'"), receiver: opener)
      #expect(try await opener.waitForEnd() == .exited(status: 0))
      let total = sent + 10_000_000
      while sent < total {
        let rooms = receiver.record.rooms
        if channel.send(piece) {
          sent += piece.count
        } else {
          try await receiver.wait("room") { $0.rooms > rooms }
        }
      }
      channel.finishSending()
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
      #expect(receiver.record.text.contains("\(sent)"))
      #expect(!receiver.record.isDisorderly)
    }
  }

  @Test(
    "five hundred channels work on one connection",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func fiveHundred(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let stream = try await StreamServer()
    try await withContract(engine, server) { transport in
      var channels: [(any ByteChannel, RecordingBytes)] = []
      for _ in 0..<500 {
        let receiver = RecordingBytes()
        let channel = try await transport.openChannel(
          .tcp(host: "127.0.0.1", port: stream.port),
          receiver: receiver
        )
        channel.send(Array("echo\n".utf8))
        channels.append((channel, receiver))
      }
      for (number, (channel, _)) in channels.enumerated() {
        channel.send(Array("\(number) ".utf8) + [UInt8](repeating: 120, count: 5_000))
      }
      for (_, receiver) in channels { try await receiver.wait(forBytes: 5_001) }
      for (channel, _) in channels { channel.finishSending() }
      for (number, (_, receiver)) in channels.enumerated() {
        #expect(try await receiver.waitForEnd() == .exited(status: 0))
        #expect(receiver.record.text.hasPrefix("\(number) x"))
      }
    }
  }

  @Test("a key is echoed while bytes flood both ways", arguments: EngineUnderTest.all)
  func fairness(engine: EngineUnderTest) async throws {
    let stream = try await StreamServer()
    try await withContract(engine, .openSSH) { transport in
      let down = RecordingBytes(keepsBytes: false)
      let flood = try await transport.openChannel(.command("cat /dev/zero"), receiver: down)
      let up = RecordingBytes()
      let sink = try await transport.openChannel(
        .tcp(host: "127.0.0.1", port: stream.port),
        receiver: up
      )
      sink.send(Array("count\n".utf8))
      let feeder = Task {
        let piece = [UInt8](repeating: 7, count: 32_768)
        while !Task.isCancelled {
          let rooms = up.record.rooms
          if !sink.send(piece) { try await up.wait("room") { $0.rooms > rooms } }
        }
      }
      let echoed = Locked(0)
      let terminal = RecordingReceiver { _ in
        let count = down.record.count
        echoed.withLock { $0 = count }
      }
      let keys = try await transport.openTerminal(
        ShellRequest(size: TerminalDimensions(rows: 24, columns: 80), command: "echo up; cat"),
        receiver: terminal
      )
      try await terminal.wait(for: "up")
      try await down.wait(forBytes: 4_000_000)
      var between: [Int] = []
      for number in 0..<15 {
        let before = down.record.count
        keys.send(Array("k\(number);".utf8))
        try await terminal.wait(for: "k\(number);")
        between.append(echoed.withLock { $0 } - before)
      }
      feeder.cancel()
      // What floods past while a key is on its way is bounded by what was on the way before it.
      #expect(between.sorted()[7] < 16_000_000, "\(between)")
      flood.close()
      sink.close()
      #expect(try await down.waitForEnd() == .closed)
      _ = await feeder.result
    }
  }
}
