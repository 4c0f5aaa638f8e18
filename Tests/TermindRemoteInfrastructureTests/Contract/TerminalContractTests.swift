import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@Suite("Contract of the transport: terminals", .timeLimit(.minutes(3)))
struct TerminalContractTests {
  @Test(
    "a PTY has the size that was asked for, and every later one",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func sizes(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingReceiver()
      let request = ShellRequest(
        size: TerminalDimensions(rows: 33, columns: 101),
        terminalType: "xterm-256color",
        command: "stty size; echo term=$TERM; while read x; do stty size; done"
      )
      let channel = try await transport.openTerminal(request, receiver: receiver)
      try await receiver.wait(for: "33 101")
      try await receiver.wait(for: "term=xterm-256color")
      for size in [(10, 20), (50, 60), (24, 132)] {
        channel.resize(to: TerminalDimensions(rows: size.0, columns: size.1))
        channel.send(Array("go\n".utf8))
        try await receiver.wait(for: "\(size.0) \(size.1)")
      }
      channel.close()
      #expect(try await receiver.waitForEnd() == .closed)
    }
  }

  @Test(
    "a terminal echoes, passes control characters on, and tells the status",
    arguments: EngineUnderTest.all,
    ServerUnderTest.allCases
  )
  func input(engine: EngineUnderTest, server: ServerUnderTest) async throws {
    try await withContract(engine, server) { transport in
      let receiver = RecordingReceiver()
      let channel = try await transport.openTerminal(
        ShellRequest(
          size: TerminalDimensions(rows: 24, columns: 80),
          // Not `read`: a shell sees a signal just before that system call only with the next line.
          command: "trap 'echo caught; exit 9' INT; echo up; cat"
        ),
        receiver: receiver
      )
      try await receiver.wait(for: "up")
      channel.send(Array("visible\n".utf8))
      // Echoed by the terminal and by the program, which so is there to be interrupted.
      try await receiver.wait(for: "visible\r\nvisible")
      channel.send([3])
      try await receiver.wait(for: "caught")
      #expect(try await receiver.waitForEnd() == .exited(status: 9))
      #expect(receiver.ends.count == 1)
    }
  }
}
