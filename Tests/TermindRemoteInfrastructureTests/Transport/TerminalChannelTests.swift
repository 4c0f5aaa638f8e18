import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("SSH terminal channels", .timeLimit(.minutes(3))) struct TerminalChannelTests {
  @Test("a command's output, exit status and size arrive from OpenSSH")
  func command() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    var request = ShellRequest.running("stty size; echo $TERM $COLORTERM $LANG; exit 3")
    request.size = TerminalDimensions(rows: 31, columns: 97, pixelWidth: 970, pixelHeight: 620)
    request.environment = [
      ("REFUSED", "x"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8"),
    ]
    _ = try await transport.openTerminal(request, receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 3))
    #expect(receiver.text == "31 97\r\nxterm-256color truecolor C.UTF-8\r\n")
    #expect(transport.engineName.hasPrefix("libssh2 1."))
    await transport.close()
    #expect(await transport.waitUntilClosed().cause == .cancelled)
  }

  @Test("a shell takes input, and the newest of many sizes wins")
  func shell() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(.running("/bin/sh"), receiver: receiver)
    channel.send(Array("echo on''e\n".utf8))
    try await receiver.wait(for: "one\r\n")
    for columns in 81...140 {
      channel.resize(to: TerminalDimensions(rows: 40, columns: columns))
    }
    channel.send(Array("stty size\n".utf8))
    try await receiver.wait(for: "40 140\r\n")
    channel.send(Array("exit 5\n".utf8))
    #expect(try await receiver.waitForEnd() == .exited(status: 5))
    #expect(!channel.send([1]))
    await transport.close()
    #expect(receiver.ends.count == 1)
  }

  @Test("a signal is told by name")
  func signal() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("kill -KILL $$"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .signalled(name: "KILL"))
    await transport.close()
  }

  @Test("closing a channel hangs its program up and leaves the others")
  func closing() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let first = RecordingReceiver()
    let second = RecordingReceiver()
    let doomed = try await transport.openTerminal(
      .running("trap '' HUP; echo up; cat > /dev/null; echo gone > \(server.folder.file("mark"))"),
      receiver: first
    )
    let other = try await transport.openTerminal(.running("/bin/sh"), receiver: second)
    try await first.wait(for: "up")
    doomed.close()
    #expect(try await first.waitForEnd() == .closed)
    other.send(
      Array("while [ ! -e \(server.folder.file("mark")) ]; do sleep 0.02; done; echo se''en\n".utf8)
    )
    try await second.wait(for: "seen\r\n")
    #expect(second.ends.isEmpty)
    await transport.close()
    #expect(try await second.waitForEnd() == .closed)
    #expect(first.ends == [.closed])
  }

  @Test("standard error arrives too, in a large mixed output that is complete")
  func largeOutput() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    let command = "stty -opost; head -c 3000000 /dev/zero | tr '\\0' a; echo oops >&2"
    _ = try await transport.openTerminal(.running(command), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.text == String(repeating: "a", count: 3_000_000) + "oops\n")
    await transport.close()
  }

  @Test("large input arrives whole and in order, through the peer's window")
  func largeInput() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(
      .running("stty raw -echo -opost; echo go; head -c 5000000 | cksum"),
      receiver: receiver
    )
    try await receiver.wait(for: "go")
    let block = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for _ in 0..<50 { #expect(channel.send(block)) }
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    let local = try await TestProgram.run(
      "/bin/sh",
      [
        "-c",
        "/usr/bin/python3 -c 'import sys; b=bytes((i*31)%256 for i in range(100000)); "
          + "[sys.stdout.buffer.write(b) for _ in range(50)]' | cksum",
      ]
    )
    #expect(receiver.text == "go\n" + local)
    await transport.close()
  }

  @Test("output that ends before the program leaves the channel until its exit status")
  func halfClose() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("half"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 7))
    #expect(receiver.text.hasPrefix("half"))
    await transport.close()
  }

  @Test("input beyond the bound is refused whole while the server does not read")
  func deafServer() async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.inputBound = 8_000_000
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(.running("deaf"), receiver: receiver)
    try await receiver.wait(for: "deaf")
    var sent = 0
    while channel.send([UInt8](repeating: 97, count: 1_000_000)), sent < 60 { sent += 1 }
    #expect(sent < 60)
    #expect(sent >= 8)
    channel.close()
    #expect(try await receiver.waitForEnd() == .closed)
    await transport.close()
  }

  @Test("Ctrl-C acts while output floods, before more than what was under way has come")
  func interrupt() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver(keepsBytes: false)
    let channel = try await transport.openTerminal(
      .running("exec cat /dev/zero"),
      receiver: receiver
    )
    try await receiver.wait(forBytes: 5_000_000)
    let before = receiver.count
    channel.send([3])
    #expect(try await receiver.waitForEnd() == .signalled(name: "INT"))
    // The channel's window, the sockets and the terminal's own buffers; not a queue that grows.
    #expect(receiver.count - before < 16_000_000)
    await transport.close()
  }

  @Test("a flood on one channel leaves another one answering before much more of it has come")
  func fairness() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let flood = RecordingReceiver(keepsBytes: false)
    // The flood is counted on the loop, when a question leaves and when its echo has come: how long this
    // task takes to be woken says nothing about the engine.
    let counts = Locked<(came: Int, asked: [Int], echoed: [Int])>((0, [], []))
    let quiet = RecordingReceiver { count in
      counts.withLock { counts in
        counts.came += count
        // Each question comes back twice, from the terminal and from the program: 8 bytes each.
        if counts.came >= counts.echoed.count * 16 + 8 { counts.echoed.append(flood.count) }
      }
    }
    let loud = try await transport.openTerminal(.running("exec cat /dev/zero"), receiver: flood)
    let channel = try await transport.openTerminal(.running("exec cat"), receiver: quiet)
    try await flood.wait(forBytes: 5_000_000)
    let loop = harness.loops.next()
    for number in 0..<5 {
      loop.run {
        counts.withLock { $0.asked.append(flood.count) }
        channel.send(Array("ping \(number)\n".utf8))
      }
      try await quiet.wait(for: "ping \(number)\r\nping \(number)\r\n")
      try await flood.wait(forBytes: counts.withLock { $0.asked[number] } + 1)
    }
    let (_, asked, echoed) = counts.withLock { $0 }
    try #require(echoed.count == 5)
    // The channel's window is 2 MiB: one of them may be under way when the question leaves, another while
    // the server turns it round.
    for (before, after) in zip(asked, echoed) { #expect(after - before < 8_000_000) }
    #expect(flood.ends.isEmpty)
    loud.close()
    await transport.close()
  }

  @Test(
    "many floods at once all go on while a turn has time for one of them, and idle ones stay quiet"
  )
  func sliced() async throws {
    let server = try await OpenSSHServer(["MaxSessions 20"])
    var limits = TransportLimits.patient
    limits.turnTime = .zero
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop])
    let floods = (0..<4).map { _ in RecordingReceiver(keepsBytes: false) }
    let quiet = (0..<4).map { _ in RecordingReceiver() }
    var channels: [any TerminalChannel] = []
    for receiver in floods {
      _ = try await transport.openTerminal(.running("exec cat /dev/zero"), receiver: receiver)
    }
    for receiver in quiet {
      channels.append(try await transport.openTerminal(.running("exec cat"), receiver: receiver))
    }
    for receiver in floods { try await receiver.wait(forBytes: receiver.count + 3_000_000) }
    for (channel, receiver) in zip(channels, quiet) {
      channel.send(Array("ping\n".utf8))
      try await receiver.wait(for: "ping\r\nping\r\n")
    }
    // One that is closed in a turn that has no time for it is closed all the same.
    channels[0].close()
    #expect(try await quiet[0].waitForEnd() == .closed)
    for receiver in floods { try await receiver.wait(forBytes: receiver.count + 1_000_000) }
    await transport.close()
    for receiver in floods + quiet { #expect(receiver.ends == [.closed]) }
  }

  @Test("keys are exchanged anew in the middle of output and input without a byte lost")
  func rekeying() async throws {
    let server = try await OpenSSHServer(["RekeyLimit 256K"])
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(
      .running(
        "stty raw -echo; head -c 2000000 /dev/zero | tr '\\0' a; head -c 1500000 | wc -c"
      ),
      receiver: receiver
    )
    try await receiver.wait(forBytes: 100_000)
    for columns in 90..<120 {
      channel.send([UInt8](repeating: 98, count: 50_000))
      channel.resize(to: TerminalDimensions(rows: 30, columns: columns))
    }
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.text == String(repeating: "a", count: 2_000_000) + "1500000\n")
    let other = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo over"), receiver: other)
    #expect(try await other.waitForEnd() == .exited(status: 0))
    await transport.close()
  }

  @Test("dropbear carries a terminal as well")
  func dropbear() async throws {
    let server = try await DropbearServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(.running("/bin/sh"), receiver: receiver)
    channel.resize(to: TerminalDimensions(rows: 33, columns: 44))
    channel.send(Array("stty size; exit 4\n".utf8))
    #expect(try await receiver.waitForEnd() == .exited(status: 4))
    #expect(receiver.text.contains("33 44\r\n"))
    await transport.close()
  }
}
