import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Matrix of servers", .timeLimit(.minutes(3))) struct ServerMatrixTests {
  @Test(
    "each kind of server is reached, or refused in words that name the reason",
    arguments: EngineUnderTest.all,
    MatrixServer.all
  )
  func server(engine: EngineUnderTest, kind: MatrixServer) async throws {
    // Files that the options name lie in a folder that the server does not know yet.
    let server = try await OpenSSHServer(
      kind.options,
      hostKeyTypes: kind.hostKeyTypes,
      preparing: kind.prepare
    )
    let site = try ContractSite(engine)
    let prompts = ScriptedPrompts()
    let hop = kind.change(server.hop)
    let expected = kind.outcome(of: engine)
    let transport: any SSHTransport
    do {
      transport = try await site.open(hop, prompts: prompts)
    } catch let failure as ConnectionFailure {
      return expect(failure, is: expected)
    }
    switch expected {
    case .connects: try await use(transport)
    case .refuses(let request): try await expectRefusal(of: request, on: transport)
    case .noCommon, .old, .noSignIn, .unsupported, .keyUnusable:
      Issue.record("\(kind.name): it connected")
    }
    if kind.name.contains("banner") {
      #expect(prompts.banners.joined().utf8.count == (kind.name.contains("64") ? 65_536 : 30_720))
    }
    await transport.close()
  }

  private func expect(_ failure: ConnectionFailure, is expected: MatrixOutcome) {
    switch (expected, failure.cause) {
    case (.noCommon(let kind), .noCommonAlgorithm(let told, let offered, let supported))
    where kind == told:
      #expect(failure.step == .keyExchange)
      #expect(!offered.isEmpty)
      #expect(Set(offered).isDisjoint(with: supported))
    case (.old(let kind), .oldAlgorithmsOnly(let told, let offered)) where kind == told:
      #expect(failure.step == .keyExchange)
      #expect(!offered.isEmpty)
    case (.unsupported(let part), .unsupported(let obstacle)):
      #expect(failure.step == .authentication)
      #expect(obstacle.contains(part))
    case (.keyUnusable, .keyUnusable(_, let reason)): #expect(reason.contains("sk-ssh-ed25519"))
    case (.noSignIn, .authenticationFailed(_, let offered)):
      #expect(failure.step == .authentication)
      #expect(!offered.isEmpty)
    default: Issue.record("\(failure)")
    }
  }

  /// Enough both ways for several exchanges of keys, and a terminal.
  private func use(_ transport: any SSHTransport) async throws {
    let receiver = RecordingBytes()
    let channel = try await transport.openChannel(.command("cat; exit 3"), receiver: receiver)
    let piece = [UInt8](repeating: 65, count: 50_000)
    for _ in 0..<30 { channel.send(piece) }
    channel.finishSending()
    #expect(try await receiver.waitForEnd() == .exited(status: 3))
    #expect(receiver.record.bytes.suffix(1_500_000).allSatisfy { $0 == 65 })
    #expect(receiver.record.count >= 1_500_000)
    let output = RecordingReceiver()
    _ = try await transport.openTerminal(.running("stty size"), receiver: output)
    try await output.wait(for: "24 80")
    #expect(try await output.waitForEnd() == .exited(status: 0))
  }

  private func expectRefusal(of request: String, on transport: any SSHTransport) async throws {
    let failure = try await failure {
      try await transport.openTerminal(.running(nil), receiver: RecordingReceiver())
    }
    guard case .channelRefused(request: request, _) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    guard request == "pty-req" else { return }
    let receiver = RecordingBytes()
    _ = try await transport.openChannel(.command("echo plain"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.record.text == "plain\n")
  }

  @Test(
    "a server that lets few knock at once lets all in, one after another",
    arguments: EngineUnderTest.all
  )
  func startups(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer(["MaxStartups 2:100:2", "MaxSessions 1"])
    let site = try ContractSite(engine)
    let pool = TransportPool(opener: site.opener)
    let route = try Route(hops: [server.hop])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<5 {
        group.addTask {
          let receiver = RecordingBytes()
          _ = try await pool.openChannel(
            on: route,
            .command("echo in"),
            receiver: receiver,
            prompts: ScriptedPrompts()
          )
          #expect(try await receiver.waitForEnd() == .exited(status: 0))
        }
      }
      try await group.waitForAll()
    }
    await pool.closeAll()
  }

  @Test(
    "a server that falls silent in any phase is given up in that phase's time",
    arguments: EngineUnderTest.all,
    [0, 20, 1_200, 1_700, 2_300, 2_800]
  )
  func stalls(engine: EngineUnderTest, place: Int) async throws {
    let server = try await OpenSSHServer()
    let proxy = try await BreakingProxy(to: server.port, .stall, at: [place])
    var limits = TransportLimits()
    limits.keyExchange = .seconds(1)
    limits.authenticationRequest = .seconds(1)
    limits.openingChannel = .seconds(1)
    limits.keepaliveInterval = .milliseconds(300)
    let site = try ContractSite(engine, limits: limits)
    let receiver = RecordingBytes()
    do {
      let transport = try await site.open(server.hop.at(port: proxy.port))
      _ = try await transport.openChannel(.command("cat /dev/zero"), receiver: receiver)
      let end = try await receiver.waitForEnd()
      guard case .failed(let failure) = end, case .keepaliveTimedOut = failure.cause else {
        Issue.record("\(end)")
        return
      }
    } catch let failure as ConnectionFailure {
      guard case .timedOut = failure.cause else {
        Issue.record("\(failure)")
        return
      }
    }
  }

  @Test("a way of half a second is only slow", arguments: EngineUnderTest.all)
  func distance(engine: EngineUnderTest) async throws {
    let server = try await OpenSSHServer()
    let link = try await SlowLink(to: server.port, delay: 250, rate: 10_000_000)
    let site = try ContractSite(engine)
    let transport = try await site.open(server.hop.at(port: link.port))
    let receiver = RecordingBytes()
    let channel = try await transport.openChannel(
      .command("cat"),
      window: 8_000_000,
      receiver: receiver
    )
    channel.send(Array("far".utf8))
    channel.finishSending()
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.record.text == "far")
    await transport.close()
  }

  @Test(
    "an authority in a known-hosts file lets a plain key in only with a question",
    arguments: EngineUnderTest.all
  )
  func authority(engine: EngineUnderTest) async throws {
    // A server that shows certificates beside its plain key is reached by the plain key.
    let server = try await OpenSSHServer(preparing: { folder in
      try await OpenSSHServer.makeKey(folder.file("authority"), type: "ed25519")
      try await TestProgram.run(
        "/usr/bin/ssh-keygen",
        ["-q", "-s", folder.file("authority"), "-I", "host", "-h", folder.file("host_ed25519.pub")]
      )
      return ["HostCertificate \(folder.file("host_ed25519-cert.pub"))"]
    })
    let key = try TemporaryFolder.read(server.folder.file("authority.pub"))
    let known = try server.folder.write(
      "known",
      "@cert-authority [127.0.0.1]:\(server.port) \(key)\n"
    )
    let site = try ContractSite(engine, knownHostsFiles: [known])
    let prompts = ScriptedPrompts()
    let transport = try await site.open(server.hop, prompts: prompts)
    if engine.name == EngineUnderTest.libSSH2.name {
      #expect(prompts.questions.count == 1)
      #expect(prompts.questions.first?.hasUnusedAuthority == true)
    } else {
      // The other engine checks the certificate.
      #expect(prompts.questions.isEmpty)
    }
    await transport.close()
  }
}
