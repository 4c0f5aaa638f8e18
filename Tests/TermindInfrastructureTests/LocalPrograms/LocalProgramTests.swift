import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

/// Programs in real pseudo-terminals.
@Suite("Local programs", .timeLimit(.minutes(3))) struct LocalProgramTests {
  private let loop: EventLoop
  private let output = OutputCollector()

  init() throws { loop = try EventLoop(name: "test") }

  private func start(
    _ program: LocalProgramRequest.Program,
    directory: String? = nil,
    environment: [String: String] = [:],
    grace: Duration = .seconds(3)
  ) throws -> LocalProgram {
    try LocalProgram(
      LocalProgramRequest(
        program,
        directory: directory,
        environment: environment,
        size: TerminalDimensions(rows: 30, columns: 90, pixelWidth: 900, pixelHeight: 600)
      ),
      version: "1.2.3",
      on: loop,
      output: output,
      grace: grace
    )
  }

  private func shell(_ script: String) throws -> LocalProgram {
    try start(.command(["/bin/sh", "-c", script]))
  }

  @Test("reports the exit status after the output")
  func exitStatus() async throws {
    _ = try shell("printf hello; exit 7")
    #expect(await output.end() == .exited(status: 7))
    #expect(output.text == "hello")
    #expect(output.endCount == 1)
    loop.shutdown()
  }

  @Test("reports the signal that ended the program")
  func signal() async throws {
    _ = try shell("kill -TERM $$")
    #expect(await output.end() == .signalled(name: "TERM"))
    loop.shutdown()
  }

  @Test("delivers the whole final output before the end, every time")
  func finalOutput() async throws {
    for _ in 0..<20 {
      let collector = OutputCollector()
      let request = LocalProgramRequest(
        .command(["/bin/sh", "-c", "seq 1 3000; printf last"]),
        size: TerminalDimensions(rows: 24, columns: 80)
      )
      let program = try LocalProgram(request, version: "1", on: loop, output: collector)
      #expect(await collector.end() == .exited(status: 0))
      #expect(collector.text.hasSuffix("3000\r\nlast"))
      #expect(!collector.hasBytesAfterEnd)
      withExtendedLifetime(program) {}
    }
    loop.shutdown()
  }

  @Test("a background program that keeps the terminal does not delay the end")
  func backgroundChild() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    _ = try shell("(trap '' HUP; exec sleep 60) & printf gone")
    #expect(await output.end() == .exited(status: 0))
    #expect(output.text.contains("gone"))
    #expect(clock.now - start < .seconds(45))
    loop.shutdown()
  }

  @Test("gives a controlling terminal, the right variables and nothing of ours")
  func surroundings() async throws {
    let program = try start(
      .command([
        "/bin/sh", "-c",
        """
        echo "tty $(tty)"; echo open > /dev/tty
        echo "$TERM $COLORTERM $TERM_PROGRAM $TERM_PROGRAM_VERSION ${TMUX-none} $EXTRA"
        echo "size $(stty size) dir $(pwd)"
        echo "fds" $(ls /proc/self/fd)
        grep -E 'Sig(Blk|Ign)' /proc/self/status
        """,
      ]),
      directory: "/usr",
      environment: ["EXTRA": "given"]
    )
    #expect(await output.end() == .exited(status: 0))
    let text = output.text
    #expect(text.contains("tty /dev/pts/"))
    #expect(text.contains("open\r\n"))
    #expect(text.contains("xterm-256color truecolor termind 1.2.3 none given"))
    #expect(text.contains("size 30 90 dir /usr"))
    #expect(text.contains("fds 0 1 2 3\r\n"))
    #expect(text.contains("SigBlk:\t0000000000000000"))
    // Signals 32 and 33 belong to the C library.
    let ignored = text.split(separator: "SigIgn:\t").last?.prefix(16)
    #expect(ignored.flatMap { UInt64($0, radix: 16) }.map { $0 & 0x7FFF_FFFF } == 0)
    withExtendedLifetime(program) {}
    loop.shutdown()
  }

  @Test("the newest size wins")
  func resize() async throws {
    let program = try shell(
      "trap 'stty size' WINCH; echo ready; while :; do read -r line && exit; done"
    )
    await output.wait(for: "ready")
    for columns in 100...140 { program.resize(to: TerminalDimensions(rows: 41, columns: columns)) }
    await output.wait(for: "41 140")
    #expect(output.text.contains("41 140"))
    program.close()
    #expect(await output.end() == .closed)
    loop.shutdown()
  }

  @Test("large input arrives whole and in order")
  func largeInput() async throws {
    let program = try shell("stty raw -echo; echo ready; head -c 3000000 | cksum")
    await output.wait(for: "ready")
    var sent: [UInt8] = []
    for piece in 0..<30 {
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ piece) }
      sent += bytes
      #expect(program.send(bytes))
    }
    #expect(await output.end() == .exited(status: 0))
    #expect(output.text.contains("\(checksum(sent)) 3000000"))
    loop.shutdown()
  }

  @Test("input beyond the bound is refused whole")
  func inputBound() async throws {
    let program = try shell("stty raw -echo; echo ready; exec sleep 1000")
    await output.wait(for: "ready")
    #expect(program.send([UInt8](repeating: 1, count: LocalProgram.inputLimit)))
    #expect(!program.send([UInt8](repeating: 1, count: 1_048_576)))
    program.close()
    #expect(await output.end() == .closed)
    #expect(!program.send([1]))
    loop.shutdown()
  }

  @Test("a program that ignores the hang-up is killed after the grace time")
  func stubborn() async throws {
    let program = try start(
      .command(["/bin/sh", "-c", "trap '' HUP TERM; echo ready; while :; do sleep 1; done"]),
      grace: .milliseconds(50)
    )
    await output.wait(for: "ready")
    program.close()
    program.close()
    #expect(await output.end() == .closed)
    #expect(output.endCount == 1)
    #expect(kill(program.processNumber, 0) != 0)
    loop.shutdown()
  }

  @Test("a program whose loop is shut down ends, and is collected")
  func shutdown() async throws {
    let program = try start(.command(["/bin/sh", "-c", "trap '' HUP TERM; echo ready; cat"]))
    await output.wait(for: "ready")
    loop.shutdown()
    try await waitUntil("the end of the program") { kill(program.processNumber, 0) != 0 }
    program.close()
  }

  @Test("a program that does not exist or may not be run is an error")
  func cannotStart() {
    #expect(throws: LocalProgramError.notFound(program: "/no/such/program")) {
      try start(.command(["/no/such/program"]))
    }
    #expect(throws: LocalProgramError.denied(program: "/etc/passwd")) {
      try start(.command(["/etc/passwd"]))
    }
    loop.shutdown()
  }

  @Test("a directory that is gone is replaced by the home directory")
  func missingDirectory() async throws {
    _ = try start(.command(["/bin/pwd"]), directory: "/no/such/directory")
    #expect(await output.end() == .exited(status: 0))
    #expect(output.text.hasPrefix("/"))
    loop.shutdown()
  }

  @Test("knows the program in the foreground and its directory")
  func foreground() async throws {
    let program = try shell("cd /usr/lib; echo ready; exec sleep 1000")
    await output.wait(for: "ready")
    // The exec follows the word at once, but not in the same instant.
    try await waitUntil("the exec") { program.foreground()?.name != "sh" }
    #expect(program.foreground()?.name == "sleep")
    #expect(program.foreground()?.directory == "/usr/lib")
    #expect(!program.hasForegroundJob)
    program.close()
    #expect(await output.end() == .closed)
    #expect(program.foreground() == nil)
    loop.shutdown()
  }

  @Test("the login shell is told so by its name")
  func loginShell() async throws {
    let program = try start(.loginShell, environment: ["PS1": "", "HISTFILE": "/dev/null"])
    #expect(program.send(Array("printf '<%s>' \"$0\"; exit 3\n".utf8)))
    #expect(await output.end() == .exited(status: 3))
    #expect(output.text.contains("<-"))
    loop.shutdown()
  }

  /// POSIX `cksum`.
  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var table: [UInt32] = []
    for index in 0..<256 {
      var value = UInt32(index) << 24
      for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
      table.append(value)
    }
    var sum: UInt32 = 0
    func add(_ byte: UInt8) {
      sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
    }
    for byte in bytes { add(byte) }
    var count = bytes.count
    while count > 0 {
      add(UInt8(truncatingIfNeeded: count))
      count >>= 8
    }
    return ~sum
  }
}
