import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Hostile servers", .timeLimit(.minutes(3))) struct HostileServerTests {
  private static func hop(_ server: HostileServer) -> Hop {
    Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: server.port),
      credentials: HopCredentials(username: "u", usesAgent: false)
    )
  }

  private static var short: TransportLimits {
    var limits = TransportLimits.patient
    limits.keyExchange = .seconds(2)
    limits.authenticationRequest = .seconds(2)
    return limits
  }

  @Test(
    "an opening that is broken or has no end fails in time",
    arguments: HostileServer.Manner.allCases
  )
  func opening(manner: HostileServer.Manner) async throws {
    let server = try await HostileServer(manner)
    let harness = try TransportHarness(limits: Self.short)
    let failure = try await harness.failure([Self.hop(server)])
    #expect(failure.step == .keyExchange)
    switch (manner, failure.cause) {
    case (.endlessLines, .notSSH(let banner)), (.endlessLine, .notSSH(let banner)),
      (.slowLine, .notSSH(let banner)), (.zeros, .notSSH(let banner)):
      #expect(!banner.isEmpty && banner.utf8.count <= 400)
    case (.slowExchange, .timedOut), (.hugePacket, .timedOut), (.garbage, .timedOut): break
    // libssh2 refuses these by itself when it comes to them in time.
    case (.hugePacket, .internalError), (.garbage, .internalError): break
    case (.cutExchange, .disconnected): break
    case (.ignoredPackets, .disconnected), (.ignoredPackets, .timedOut): break
    default: Issue.record("\(manner): \(failure)")
    }
  }

  @Test(
    "a sign-in that is never answered, or drowned in banners, fails in time",
    arguments: ["hang", "banners"]
  )
  func signIn(password: String) async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.authenticationRequest = .seconds(2)
    let harness = try TransportHarness(limits: limits)
    let prompts = ScriptedPrompts(answer: { _ in [password] })
    let failure = try await harness.failure([server.hop("pw")], prompts: prompts)
    #expect(failure.step == .authentication)
    switch (password, failure.cause) {
    case ("hang", .timedOut(seconds: 2)): break
    case ("banners", .disconnected), ("banners", .timedOut): break
    default: Issue.record("\(password): \(failure)")
    }
  }

  @Test("prompts without end, far too many of them, and such that steer terminals do no harm")
  func prompts() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness(limits: Self.short)
    let endless = try await harness.failure([server.hop("endless")])
    #expect(endless.step == .authentication)
    let thousand = ScriptedPrompts(answer: { challenge in challenge.prompts.map { _ in "x" } })
    let many = try await harness.failure([server.hop("thousand")], prompts: thousand)
    #expect(many.step == .authentication)
    #expect(many.cause != .cancelled)
    // They pass literally; the screen makes them harmless.
    let literal = ScriptedPrompts(answer: { _ in ["x"] })
    let transport = try await harness.open([server.hop("escapes")], prompts: literal)
    #expect(literal.challenges.first?.prompts.first?.text.hasPrefix("\u{1B}]0;evil") == true)
    await transport.close()
  }

  @Test(
    "a server that never answers a close, or takes no input, costs only its channel",
    arguments: ["mute", "deaf"]
  )
  func stubborn(command: String) async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.inputBound = 8_000_000
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    let other = RecordingReceiver()
    let channel = try await transport.openTerminal(.running(command), receiver: receiver)
    let healthy = try await transport.openTerminal(.running(nil), receiver: other)
    try await receiver.wait(for: command)
    var sent = 0
    while command == "deaf", channel.send([UInt8](repeating: 97, count: 1_000_000)), sent < 60 {
      sent += 1
    }
    #expect(sent < 60)
    channel.close()
    #expect(try await receiver.waitForEnd() == .closed)
    healthy.send(Array("abc".utf8))
    try await other.wait(for: "ABC")
    try await withDeadline("the close of the connection", seconds: 20) { await transport.close() }
    #expect(other.ends == [.closed])
  }

  @Test("a server that asks without end and reads no answer is given up, and memory stays bounded")
  func requests() async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    limits.keepaliveInterval = .milliseconds(300)
    limits.outboundLimit = 200_000
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([server.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("requests"), receiver: receiver)
    try await receiver.wait(for: "asking")
    let failure = try await withDeadline("the end") { await transport.waitUntilClosed() }
    // Ours, or the system's for what the peer has not taken.
    switch failure.cause {
    case .keepaliveTimedOut, .lost: break
    default: Issue.record("\(failure)")
    }
    #expect(receiver.ends == [.failed(failure)])
  }

  @Test("a host that hangs behind a jump host is given up, one that goes on is not")
  func halfOpen() async throws {
    let jump = try await OpenSSHServer()
    let far = try await ScriptedSSHServer()
    var limits = TransportLimits.patient
    // Four seconds are enough for a server that is alive on a busy machine.
    limits.keepaliveInterval = .milliseconds(500)
    limits.keepaliveCount = 8
    let harness = try TransportHarness(limits: limits)
    let transport = try await harness.open([jump.hop, far.hop("none")])
    let receiver = RecordingReceiver()
    let channel = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    far.freeze()
    channel.send(Array("a".utf8))
    far.thaw()
    try await receiver.wait(for: "A")
    far.freeze()
    let failure = try await withDeadline("the dead peer") { await transport.waitUntilClosed() }
    far.thaw()
    guard case .keepaliveTimedOut = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.hopIndex == 1)
    #expect(receiver.ends == [.failed(failure)])
  }

  @Test("fifty attempts that fail leave no descriptor and no thread behind")
  func leaks() async {
    await #expect(processExitsWith: .success) {
      func count(_ folder: String) -> Int {
        guard let directory = opendir(folder) else { return -1 }
        defer { closedir(directory) }
        var number = 0
        while readdir(directory) != nil { number += 1 }
        return number
      }
      let servers = [try await HostileServer(.cutExchange), try await HostileServer(.garbage)]
      let scripted = try await ScriptedSSHServer()
      var limits = TransportLimits.patient
      limits.keyExchange = .seconds(1)
      let harness = try TransportHarness(limits: limits)
      func attempt(_ hop: Hop) async throws { _ = try await harness.failure([hop]) }
      func round() async throws {
        for server in servers { try await attempt(HostileServerTests.hop(server)) }
        try await attempt(scripted.hop("kbd"))
        try await attempt(scripted.hop("pw"))
        let transport = try await harness.open([scripted.hop("none")])
        let receiver = RecordingReceiver()
        _ = try await transport.openTerminal(.running(nil), receiver: receiver)
        await transport.close()
      }
      try await round()
      let before = (count("/proc/self/fd"), count("/proc/self/task"))
      for _ in 0..<10 { try await round() }
      // Threads that end by themselves may need a moment.
      for _ in 0..<200 where count("/proc/self/task") > before.1 { usleep(10_000) }
      #expect(count("/proc/self/fd") <= before.0)
      #expect(count("/proc/self/task") <= before.1)
    }
  }
}
