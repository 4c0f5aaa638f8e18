import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Opening SSH connections", .timeLimit(.minutes(3))) struct OpeningTests {
  // MARK: Host keys

  @Test("an unknown key is asked about between key exchange and authentication, and remembered")
  func unknownKey() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let prompts = ScriptedPrompts(decide: { _ in .trust })
    let transport = try await harness.open([server.hop], prompts: prompts)
    await transport.close()
    let question = try #require(prompts.questions.first)
    #expect(question.doubt == .unknown)
    #expect(question.key.type == "ssh-ed25519")
    let line = try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-l", "-f", server.folder.file("host_ed25519.pub")]
    )
    #expect(line.contains(question.key.fingerprint))
    #expect(
      prompts.steps == [.resolving, .connecting, .keyExchange, .hostKey, .authentication]
    )
    let records = await harness.store.all
    let trusted = KnownHostRecord(endpoint: server.endpoint, key: question.key, since: 1_000)
    #expect(records.count == 1)
    #expect(records.first?.saysTheSame(as: trusted) == true)
    #expect(records.first?.since == 1_000)
    let again = ScriptedPrompts(decide: { _ in .reject })
    let second = try await harness.open([server.hop], prompts: again)
    await second.close()
    #expect(again.questions.isEmpty)
  }

  @Test("a rejected key ends the attempt before authentication")
  func rejectedKey() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let prompts = ScriptedPrompts(decide: { _ in .reject })
    let failure = try await harness.failure([server.hop], prompts: prompts)
    let key = try #require(prompts.questions.first?.key)
    #expect(failure.cause == .hostKeyRejected(key))
    #expect(failure.step == .hostKey)
    #expect(await harness.store.all.isEmpty)
    #expect(!server.log.contains("Accepted publickey"))
  }

  @Test("a changed key is told with the known ones, and a silent attempt never asks")
  func changedKey() async throws {
    let server = try await OpenSSHServer()
    let other = HostKey(type: "ssh-ed25519", blob: [1, 2, 3], fingerprint: "SHA256:old")
    let store = InMemoryKnownHostStore([
      KnownHostRecord(endpoint: server.endpoint, key: other, since: 5)
    ])
    let harness = try TransportHarness(store: store)
    let prompts = ScriptedPrompts(decide: { _ in .reject })
    let failure = try await harness.failure([server.hop], prompts: prompts)
    guard case .hostKeyChanged(let offered, let known) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(known == ["SHA256:old"])
    #expect(offered == prompts.questions.first?.key)
    let silent = ScriptedPrompts(isInteractive: false)
    let quiet = try await harness.failure([server.hop], prompts: silent)
    #expect(quiet.cause == failure.cause)
    #expect(silent.questions.isEmpty)
  }

  @Test("the algorithm follows the key type that is known, so a host known by one is not new")
  func algorithmOrder() async throws {
    let server = try await OpenSSHServer(hostKeyTypes: ["ecdsa", "ed25519"])
    for type in ["ed25519", "ecdsa"] {
      let line = try server.hostKeyLine(type).split(separator: " ").prefix(2)
      let file = try server.folder.write(
        "known_\(type)",
        "[127.0.0.1]:\(server.port) \(line.joined(separator: " "))\n"
      )
      let harness = try TransportHarness(knownHostsFiles: [file])
      let prompts = ScriptedPrompts(decide: { _ in .reject })
      let transport = try await harness.open([server.hop], prompts: prompts)
      await transport.close()
      #expect(prompts.questions.isEmpty)
    }
  }

  @Test("a silent attempt on an unknown host says that it would have to ask")
  func silentUnknown() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let failure = try await harness.failure(
      [server.hop],
      prompts: ScriptedPrompts(isInteractive: false)
    )
    guard case .interactionRequired = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.step == .hostKey)
  }

  @Test("an unreadable store is no reason to call a host unknown")
  func brokenStore() async throws {
    let server = try await OpenSSHServer()
    let store = InMemoryKnownHostStore(failure: .locked(path: "/x"))
    let harness = try TransportHarness(store: store)
    let prompts = ScriptedPrompts()
    let failure = try await harness.failure([server.hop], prompts: prompts)
    guard case .internalError = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(prompts.questions.isEmpty)
  }

  // MARK: Failures

  @Test("a closed port, an unknown name and a silent peer are told apart")
  func unreachable() async throws {
    var limits = TransportLimits.patient
    limits.keyExchange = .seconds(1)
    let harness = try TransportHarness(limits: limits)
    let closed = Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: try FreePort.find()),
      credentials: HopCredentials(username: "u", usesAgent: false)
    )
    let refused = try await harness.failure([closed])
    #expect(refused.cause == .refused)
    #expect(refused.step == .connecting)
    #expect(refused.hopIndex == 0 && refused.hopCount == 1)

    let nameless = Hop(
      endpoint: SSHEndpoint(host: "no-such-host.invalid"),
      credentials: closed.credentials
    )
    let unknown = try await harness.failure([nameless])
    guard case .unknownHost(let text) = unknown.cause else {
      Issue.record("\(unknown)")
      return
    }
    #expect(!text.isEmpty)
    #expect(unknown.step == .resolving)

    let listener = try RawListener(answer: "")
    let silent = try await harness.failure([listener.hop])
    #expect(silent.cause == .timedOut(seconds: 1))
    #expect(silent.step == .keyExchange)
  }

  @Test("a peer that is no SSH server is named by what it sent")
  func notSSH() async throws {
    let harness = try TransportHarness()
    let listener = try RawListener(answer: "HTTP/1.1 400 Bad Request\r\n\r\n", closes: true)
    let failure = try await harness.failure([listener.hop])
    #expect(failure.cause == .notSSH(banner: "HTTP/1.1 400 Bad Request\n"))
    let mute = try RawListener(answer: "", closes: true)
    #expect(try await harness.failure([mute.hop]).cause == .notSSH(banner: ""))
  }

  @Test("a server without a common algorithm is told by kind, with both lists")
  func noCommonAlgorithm() async throws {
    let harness = try TransportHarness()
    let ciphers = try await OpenSSHServer(["Ciphers aes256-gcm@openssh.com"])
    let failure = try await harness.failure([ciphers.hop])
    guard case .noCommonAlgorithm(let kind, let offered, let supported) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(kind == "cipher")
    #expect(offered == ["aes256-gcm@openssh.com"])
    #expect(supported.contains("aes256-ctr"))
    #expect(failure.step == .keyExchange)
    let hostKeys = try await OpenSSHServer(
      ["HostKeyAlgorithms rsa-sha2-512"],
      hostKeyTypes: ["rsa"]
    )
    guard
      case .noCommonAlgorithm("host key", ["rsa-sha2-512"], _) =
        try await harness.failure([hostKeys.hop]).cause
    else {
      Issue.record("RSA host key")
      return
    }
  }

  @Test("cancelling ends the attempt at once, also while the person is asked")
  func cancelling() async throws {
    let server = try await OpenSSHServer()
    let harness = try TransportHarness()
    let wasAsked = Locked(false)
    // The screen that never answers and does not listen to cancellation either.
    let prompts = ScriptedPrompts(decide: { _ in
      await withCheckedContinuation { (forever: CheckedContinuation<HostKeyDecision, Never>) in
        wasAsked.withLock { $0 = true }
        Forever.keep(forever)
      }
    })
    let route = try Route(hops: [server.hop])
    let attempt = Task { [opener = harness.opener] in
      try await opener.open(route, prompts: prompts)
    }
    try await waitUntil("the question") { wasAsked.withLock { $0 } }
    attempt.cancel()
    // The answer never comes: only the cancellation ends it.
    await #expect(throws: ConnectionFailure.self) {
      try await withDeadline("the end of an attempt") { try await attempt.value }
    }
    #expect(prompts.questions.count == 1)
  }

  // MARK: Jumps

  @Test("a route through three servers asks each under its own name, and carries a terminal")
  func jumps() async throws {
    let first = try await OpenSSHServer()
    let second = try await OpenSSHServer()
    let third = try await OpenSSHServer()
    let harness = try TransportHarness()
    let prompts = ScriptedPrompts(decide: { _ in .trust })
    let transport = try await harness.open([first.hop, second.hop, third.hop], prompts: prompts)
    #expect(prompts.questions.map(\.context.index) == [0, 1, 2])
    #expect(
      prompts.questions.map(\.context.hop.endpoint)
        == [first.endpoint, second.endpoint, third.endpoint]
    )
    #expect(Set(prompts.questions.map(\.key.fingerprint)).count == 3)
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(
      .running("stty -opost; head -c 2000000 /dev/zero | tr '\\0' a; exit 9"),
      receiver: receiver
    )
    #expect(try await receiver.waitForEnd() == .exited(status: 9))
    #expect(receiver.count == 2_000_000)
    await transport.close()
    #expect(third.log.contains("Accepted publickey"))
  }

  @Test("eight hops are reached, and a refused channel is told with the server's reason")
  func eightHops() async throws {
    // One server on eight loopback addresses is eight endpoints.
    let port = try FreePort.find()
    let addresses = (1...8).map { "127.0.0.\($0)" }
    let server = try await OpenSSHServer(
      addresses.dropFirst().map { "ListenAddress \($0):\(port)" },
      port: port
    )
    let harness = try TransportHarness()
    let hops = addresses.map { address in
      Hop(
        endpoint: SSHEndpoint(host: address, port: port),
        credentials: server.hop.credentials
      )
    }
    let transport = try await harness.open(hops)
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running("echo deep"), receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.text == "deep\r\n")
    await transport.close()

    let closed = Hop(
      endpoint: SSHEndpoint(host: "127.0.0.9", port: port),
      credentials: server.hop.credentials
    )
    let failure = try await harness.failure([hops[0], closed])
    #expect(failure.hopIndex == 1)
    #expect(failure.endpoint == closed.endpoint)
    #expect(failure.step == .connecting)
    guard case .channelRefused(request: "direct-tcpip", let reason) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(reason.contains("refused"))
  }

  @Test("the hop before takes the connection above down, and is named")
  func hopLost() async throws {
    let first = try await OpenSSHServer()
    let second = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let transport = try await harness.open([first.hop, second.hop("none")])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    second.kill()
    guard case .failed(let failure) = try await receiver.waitForEnd() else {
      Issue.record("\(receiver.ends)")
      return
    }
    #expect(failure.step == .connected)
    #expect(failure.hopIndex == 1)
    guard case .lost = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    _ = await transport.waitUntilClosed()
  }
}

/// Keeps continuations that are never to be resumed; dropping one would be reported as a leak.
private enum Forever {
  private static let kept = Locked<[CheckedContinuation<HostKeyDecision, Never>]>([])
  static func keep(_ continuation: CheckedContinuation<HostKeyDecision, Never>) {
    kept.withLock { $0.append(continuation) }
  }
}

/// A TCP listener that sends a text to everyone who connects.
private final class RawListener: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init(answer: String, closes: Bool = false) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    port = try FreePort.bind(listener)
    guard listen(listener, 8) == 0 else { throw TestFailure("listen: \(errno)") }
    descriptor = listener
    try NamedThread.start(name: "raw-listener") {
      var kept: [Int32] = []
      while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else { break }
        let bytes = Array(answer.utf8)
        _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if closes {
          // The client's own first line is read, or the close would be a reset.
          var buffer = [UInt8](repeating: 0, count: 256)
          _ = read(peer, &buffer, buffer.count)
          shutdown(peer, Int32(SHUT_WR))
        }
        kept.append(peer)
      }
      for peer in kept { close(peer) }
      // Closed here and not by `deinit`: its number would else be another listener's by the next `accept`.
      close(listener)
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  var hop: Hop {
    Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: port),
      credentials: HopCredentials(username: "u", usesAgent: false)
    )
  }
}
