import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: channels", .timeLimit(.minutes(3))) struct OpenSSHChannelTests {
  @Test("a command has its own standard error, its half-close and its status")
  func command() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let recorder = ByteRecorder()
    let channel = try await transport.openChannel(
      .command("echo oops >&2; cat; exit 5"),
      receiver: recorder
    )
    #expect(channel.send(Array("some text".utf8)))
    channel.finishSending()
    #expect(!channel.send([1]))
    #expect(try await recorder.waitForEnd() == .exited(status: 5))
    #expect(recorder.text == "some text")
    #expect(recorder.errorText == "oops\n")
    #expect(recorder.hasFinished)
    await transport.close()
  }

  @Test("a signal ends a command, and its name comes back")
  func signal() async throws {
    let server = try await OpenSSHServer(asOrdinaryUser: true)
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let recorder = ByteRecorder()
    let channel = try await transport.openChannel(
      .command("echo up; exec sleep 1000"),
      receiver: recorder
    )
    try await recorder.wait(for: "up")
    channel.signal("TERM")
    #expect(try await recorder.waitForEnd() == .signalled(name: "TERM"))
    await transport.close()
  }

  @Test("an end is told after the bytes that wait before it")
  func endBehindBytes() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let recorder = ByteRecorder()
    let channel = try await transport.openChannel(
      .command("read go; head -c 100000 /dev/zero; echo oops >&2; exit 4"),
      receiver: recorder
    )
    channel.setReceiving(false)
    channel.send(Array("go\n".utf8))
    let other = ByteRecorder()
    _ = try await transport.openChannel(.command("sleep 0.2"), receiver: other)
    _ = try await other.waitForEnd()
    #expect(recorder.count == 0)
    #expect(recorder.ends.isEmpty)
    channel.setReceiving(true)
    #expect(try await recorder.waitForEnd() == .exited(status: 4))
    #expect(recorder.count == 100_000)
    #expect(recorder.errorText == "oops\n")
    await transport.close()
  }

  @Test("large amounts go both ways while a reader that pauses holds the server back")
  func backPressure() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let down = ByteRecorder(keepsBytes: false)
    let total = 20_000_000
    let flood = try await transport.openChannel(
      .command("head -c \(total) /dev/zero"),
      receiver: down
    )
    try await down.wait("some bytes") { $0.count > 0 }
    flood.setReceiving(false)
    let up = ByteRecorder()
    let sink = try await transport.openChannel(.command("wc -c"), receiver: up)
    let piece = [UInt8](repeating: 7, count: 500_000)
    var sent = 0
    while sent < 10_000_000 {
      if sink.send(piece) {
        sent += piece.count
      } else {
        let before = up.roomCount
        try await up.wait("room") { $0.roomCount >= max(before, 1) }
      }
    }
    sink.finishSending()
    #expect(try await up.waitForEnd() == .exited(status: 0))
    #expect(up.text.contains("10000000"))
    #expect(down.count < total)
    flood.setReceiving(true)
    #expect(try await down.waitForEnd() == .exited(status: 0))
    #expect(down.count == total)
    await transport.close()
  }

  @Test("subsystems, ports and sockets of the server are reached, and refusals are told")
  func kinds() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let sftp = ByteRecorder()
    let subsystem = try await transport.openChannel(.subsystem("sftp"), receiver: sftp)
    // SSH_FXP_INIT, version 3.
    #expect(subsystem.send([0, 0, 0, 5, 1, 0, 0, 0, 3]))
    try await sftp.wait("a version") { $0.count >= 9 }
    subsystem.close()
    #expect(try await sftp.waitForEnd() == .closed)
    let greeting = ByteRecorder()
    let tcp = try await transport.openChannel(
      .tcp(host: "127.0.0.1", port: Int(server.port)),
      receiver: greeting
    )
    try await greeting.wait(for: "SSH-2.0-OpenSSH")
    tcp.close()
    await #expect {
      _ = try await transport.openChannel(.subsystem("nothing"), receiver: ByteRecorder())
    } throws: { error in
      guard case .channelRefused("subsystem", _)? = (error as? ConnectionFailure)?.cause else {
        return false
      }
      return true
    }
    await #expect {
      _ = try await transport.openChannel(.unixSocket(path: "/nowhere"), receiver: ByteRecorder())
    } throws: { error in
      guard case .channelRefused(let name, _)? = (error as? ConnectionFailure)?.cause else {
        return false
      }
      return name.hasPrefix("direct-streamlocal")
    }
    await transport.close()
  }

  @Test("the server listens at a port that it chooses and at a socket, until it is told to stop")
  func listeners() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let taken = ByteRecorder()
    let listener = try await transport.listen(
      at: .tcp(host: "127.0.0.1", port: 0),
      receiver: GreetingListener(taken)
    )
    guard case .tcp(_, let port) = listener.address else {
      Issue.record("\(listener.address)")
      return
    }
    #expect(port > 0)
    let back = ByteRecorder()
    let channel = try await transport.openChannel(
      .tcp(host: "127.0.0.1", port: port),
      receiver: back
    )
    channel.send(Array("from the server".utf8))
    channel.finishSending()
    try await back.wait(for: "hello")
    #expect(try await taken.waitForEnd() == .exited(status: 0))
    #expect(taken.text == "from the server")
    await listener.close()
    await #expect(throws: ConnectionFailure.self) {
      _ = try await transport.openChannel(
        .tcp(host: "127.0.0.1", port: port),
        receiver: ByteRecorder()
      )
    }
    let path = server.folder.file("listen")
    let second = ByteRecorder()
    let receiver = GreetingListener(second)
    _ = try await transport.listen(at: .unixSocket(path: path), receiver: receiver)
    let far = ByteRecorder()
    _ = try await transport.openChannel(.unixSocket(path: path), receiver: far)
    try await far.wait(for: "hello")
    await transport.close()
    #expect(receiver.failures.map(\.cause) == [.cancelled])
  }

  @Test("many channels at once, and one session at a time where the server says so")
  func many() async throws {
    let server = try await OpenSSHServer(["MaxSessions 1"])
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let first = RecordingReceiver()
    let shell = try await transport.openTerminal(.running("cat"), receiver: first)
    await #expect {
      _ = try await transport.openTerminal(.running("cat"), receiver: RecordingReceiver())
    } throws: { error in
      guard case .channelRefused("session", _)? = (error as? ConnectionFailure)?.cause else {
        return false
      }
      return true
    }
    var recorders: [ByteRecorder] = []
    for _ in 0..<60 {
      let recorder = ByteRecorder()
      recorders.append(recorder)
      _ = try await transport.openChannel(
        .tcp(host: "127.0.0.1", port: Int(server.port)),
        receiver: recorder
      )
    }
    for recorder in recorders { try await recorder.wait(for: "SSH-2.0") }
    shell.send(Array("still\n".utf8))
    try await first.wait(for: "still")
    await transport.close()
    #expect(first.ends == [.closed])
  }

  @Test("a connection that the server or the process loses ends everything with a loss")
  func losses() async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("cat"), receiver: receiver)
    try server.signalSessions(SIGKILL)
    let failure = await transport.waitUntilClosed()
    guard case .lost = failure.cause, case .failed = try await receiver.waitForEnd() else {
      Issue.record("\(failure)")
      return
    }
    let second = try await harness.open([server.hop])
    let destination = try #require((second as? OpenSSHTransport)?.destination)
    let process = try #require(await destination.master?.number)
    kill(process, SIGKILL)
    guard case .lost = await second.waitUntilClosed().cause else {
      Issue.record("a killed process is no loss")
      return
    }
    await second.close()
    #expect(harness.leftovers.isEmpty)
  }

  @Test("a new server removes what a dead one left")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let run = folder.file("run")
    mkdir(run, 0o700)
    mkdir("\(run)/ssh-999999999-abc", 0o700)
    try folder.write("run/ssh-999999999-abc/c", "")
    // One that has ended is as gone as one that was collected.
    let ended = try TestProgram("/bin/true", [])
    defer { ended.stop() }
    var information = siginfo_t()
    let asked = waitid(P_PID, id_t(ended.pid), &information, WEXITED | WNOWAIT)
    #expect(asked == 0)
    mkdir("\(run)/ssh-\(ended.pid)-def", 0o700)
    for number in [getpid(), getppid()] { mkdir("\(run)/ssh-\(number)-own", 0o700) }
    OpenSSHSurroundings.removeLeftovers(in: run)
    #expect(Set(folder.names("run")) == ["ssh-\(getpid())-own", "ssh-\(getppid())-own"])
  }
}
