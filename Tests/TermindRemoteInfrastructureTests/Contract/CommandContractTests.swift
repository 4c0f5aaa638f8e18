import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@Suite("Contract of the transport: commands and subsystems", .timeLimit(.minutes(3)))
struct CommandContractTests {
  @Test(
    "a command has its own standard error and tells its status",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func streams(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(
        .command("echo out; echo err >&2; printf 'more\\n'; exit 7"),
        receiver: receiver
      )
      #expect(try await receiver.waitForEnd() == .exited(status: 7))
      let record = receiver.record
      #expect(record.text == "out\nmore\n")
      #expect(record.errorText == "err\n")
      #expect(record.ends.count == 1)
      #expect(record.finishes == 1)
      #expect(!record.isDisorderly)
    }
  }

  @Test(
    "large output on both streams arrives whole",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func bothStreams(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(
        .command("head -c 3000000 /dev/zero & head -c 3000000 /dev/zero >&2; wait"),
        receiver: receiver
      )
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
      #expect(receiver.record.count == 3_000_000)
      #expect(receiver.record.errors.count == 3_000_000)
    }
  }

  @Test(
    "a command reads to the end of what it is sent, and answers after it",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func halfClose(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      let channel = try await transport.openChannel(.command("wc -c"), receiver: receiver)
      for _ in 0..<40 { #expect(channel.send([UInt8](repeating: 65, count: 40_000))) }
      for _ in 0..<100 { #expect(channel.send(Array("abc".utf8))) }
      channel.finishSending()
      #expect(!channel.send([1]))
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
      #expect(receiver.record.text.contains("1600300"))
      #expect(channel.queuedByteCount == 0)
    }
  }

  @Test(
    "a command that closes its output may still be sent to",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func outputEndsFirst(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("kept")
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      let channel = try await transport.openChannel(
        .command("exec >&- 2>&-; read line; echo \"$line\" > '\(file)'"),
        receiver: receiver
      )
      // Dropbear and asyncssh tell the end of the output only together with the end of the program.
      if server == .openSSH {
        try await receiver.wait("the end of the output") { $0.finishes == 1 }
        #expect(receiver.record.ends.isEmpty)
      }
      channel.send(Array("late\n".utf8))
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
      #expect(try TemporaryFolder.read(file) == "late\n")
    }
  }

  @Test(
    "a program that a signal ends tells which",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func exitSignal(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(.command("kill -TERM $$"), receiver: receiver)
      #expect(try await receiver.waitForEnd() == .signalled(name: "TERM"))
    }
  }

  @Test(
    "a signal reaches the command, or the engine says why it cannot",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func signals(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      let channel = try await transport.openChannel(
        .command("trap 'echo caught; exit 5' TERM; echo up; while :; do sleep 0.05; done"),
        receiver: receiver
      )
      try await receiver.wait(for: "up")
      channel.signal("TERM")
      // OpenSSH's server passes no signal on to programs of root.
      let isHeard = server != .openSSH || getuid() != 0
      if engine.can(.signalling), isHeard {
        try await receiver.wait(for: "caught")
        #expect(try await receiver.waitForEnd() == .exited(status: 5))
      } else {
        // It changes nothing, and the channel works on.
        channel.close()
        #expect(try await receiver.waitForEnd() == .closed)
      }
    }
  }

  @Test(
    "what an engine cannot do it says in the same words everywhere",
    arguments: EngineUnderTest.all
  )
  func obstacles(engine: EngineUnderTest) async throws {
    try await withContract(engine, .openSSH) { transport in
      for ability in TransportAbility.allCases {
        let words = transport.obstacle(to: ability)
        #expect((words == nil) == engine.can(ability), "\(ability): \(words ?? "-")")
        if let part = engine.obstacles[ability] { #expect(words?.contains(part) == true) }
      }
      #expect(transport.engineName.hasPrefix(engine.name))
      #expect(transport.engineReason == nil)
    }
  }

  @Test(
    "a subsystem speaks both ways",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func subsystem(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingBytes()
      let channel = try await transport.openChannel(
        .subsystem("sftp"),
        window: 16_777_216,
        receiver: receiver
      )
      // SSH_FXP_INIT with version 3, answered by SSH_FXP_VERSION.
      channel.send([0, 0, 0, 5, 1, 0, 0, 0, 3])
      try await receiver.wait(forBytes: 9)
      #expect(receiver.record.bytes[4] == 2)
      channel.finishSending()
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
    }
  }

  @Test(
    "an unknown subsystem is refused, and the connection goes on",
    arguments: EngineUnderTest.all
  )
  func unknownSubsystem(engine: EngineUnderTest) async throws {
    try await withContract(engine, .openSSH) { transport in
      let failure = try await failure {
        try await transport.openChannel(.subsystem("none"), receiver: RecordingBytes())
      }
      // No server tells why, so nothing may be made up.
      guard case .channelRefused(request: "subsystem", reason: "") = failure.cause else {
        Issue.record("\(failure)")
        return
      }
      #expect(failure.step == .openingChannel)
      let receiver = RecordingBytes()
      _ = try await transport.openChannel(.command("echo on"), receiver: receiver)
      #expect(try await receiver.waitForEnd() == .exited(status: 0))
    }
  }

  @Test("closing ends a command that would run for ever", arguments: EngineUnderTest.all)
  func closing(engine: EngineUnderTest) async throws {
    try await withContract(engine, .openSSH) { transport in
      let receiver = RecordingBytes(keepsBytes: false)
      let channel = try await transport.openChannel(.command("cat /dev/zero"), receiver: receiver)
      try await receiver.wait(forBytes: 1_000_000)
      channel.close()
      #expect(try await receiver.waitForEnd() == .closed)
      #expect(!channel.send([1]))
      let next = RecordingBytes()
      _ = try await transport.openChannel(.command("echo next"), receiver: next)
      #expect(try await next.waitForEnd() == .exited(status: 0))
      #expect(receiver.record.ends.count == 1)
      #expect(!receiver.record.isDisorderly)
    }
  }
}
