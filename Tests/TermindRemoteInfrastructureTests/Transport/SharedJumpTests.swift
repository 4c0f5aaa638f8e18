import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Many hosts at once", .timeLimit(.minutes(3))) struct SharedJumpTests {
  /// The loopback addresses that stand for twenty hosts.
  private static let addresses = (2...21).map { "127.0.0.\($0)" }

  /// Opens a terminal on each route, all at the same time.
  private func openAll(
    _ routes: [Route],
    _ pool: TransportPool,
    prompts: ScriptedPrompts
  ) async throws -> [RecordingReceiver] {
    let receivers = routes.map { _ in RecordingReceiver() }
    try await withDeadline("\(routes.count) terminals") {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (route, receiver) in zip(routes, receivers) {
          group.addTask {
            _ = try await pool.openTerminal(
              on: route,
              .running("echo up-$((40+2)); cat"),
              receiver: receiver,
              prompts: prompts
            )
          }
        }
        try await group.waitForAll()
      }
    }
    return receivers
  }

  private func count(_ part: String, in log: String) -> Int {
    log.split(whereSeparator: \.isNewline).filter { $0.contains(part) }.count
  }

  @Test("twenty hosts behind one bastion that drops at three connect to it once, and all come up")
  func bastion() async throws {
    let bastion = try await OpenSSHServer(["MaxStartups 3:50:10"])
    let port = try FreePort.find()
    // One server listens on sixteen addresses at most.
    let farm = try await OpenSSHServer(listeningOn: Array(Self.addresses[..<10]), port: port)
    let rest = try await OpenSSHServer(
      ["AuthorizedKeysFile \(farm.userKey).pub"],
      listeningOn: Array(Self.addresses[10...]),
      port: port
    )
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let routes = try Self.addresses.map { address in
      try Route(hops: [
        bastion.hop,
        Hop(endpoint: SSHEndpoint(host: address, port: port), credentials: farm.hop.credentials),
      ])
    }
    let receivers = try await openAll(routes, pool, prompts: ScriptedPrompts())
    for receiver in receivers { try await receiver.wait(for: "up-42") }
    #expect(count("Accepted publickey", in: bastion.log) == 1)
    #expect(count("Accepted publickey", in: farm.log + rest.log) == 20)
    #expect(await pool.transportCount == 21)
    await pool.closeAll()
    for receiver in receivers { #expect(try await receiver.waitForEnd() == .closed) }
  }

  @Test("a server that drops whatever comes beyond three lets twelve sign in side by side")
  func startups() async throws {
    let server = try await OpenSSHServer(["MaxStartups 3:100:3"])
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    // Each with credentials of its own, so that none shares another's connection.
    let routes = try (0..<12).map { number in
      var hop = server.hop
      hop.credentials.keyFiles.append("/nonexistent/key-\(number)")
      return try Route(hops: [hop])
    }
    let receivers = try await openAll(routes, pool, prompts: ScriptedPrompts())
    for receiver in receivers { try await receiver.wait(for: "up-42") }
    #expect(await pool.transportCount == 12)
    #expect(count("Accepted publickey", in: server.log) == 12)
    await pool.closeAll()
  }

  @Test("an attempt that was dropped for want of a place is made again, and a refusal is not")
  func dropped() async throws {
    let server = try await OpenSSHServer(["MaxStartups 1", "LoginGraceTime 0"])
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let route = try Route(hops: [server.hop])
    // Somebody else's connection takes the only place until the server has dropped ours.
    let stranger = try TestProgram(
      "/bin/bash",
      ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(server.port); head -1 <&3; echo in; read"]
    )
    try await stranger.wait(for: "in")
    let receiver = RecordingReceiver()
    let attempt = Task {
      try await pool.openTerminal(
        on: route,
        .running("cat"),
        receiver: receiver,
        prompts: ScriptedPrompts()
      )
    }
    try await server.wait(forLog: "MaxStartups")
    stranger.stop()
    let channel = try await attempt.value
    channel.send(Array("x\n".utf8))
    try await receiver.wait(for: "x\r\nx\r\n")
    await pool.closeAll()
  }

  @Test("a bastion that refuses fails every host behind it, each on its own route")
  func refusing() async throws {
    let bastion = try await OpenSSHServer(["AllowUsers nobody-at-all"])
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    for length in [2, 3] {
      let further = (1..<length).map { number in
        Hop(
          endpoint: SSHEndpoint(host: "127.0.0.\(number + 1)", port: 9),
          credentials: bastion.hop.credentials
        )
      }
      let route = try Route(hops: [bastion.hop] + further)
      do {
        _ = try await pool.openTerminal(
          on: route,
          .running("cat"),
          receiver: RecordingReceiver(),
          prompts: ScriptedPrompts()
        )
        Issue.record("the bastion let somebody in")
      } catch {
        #expect(error.hopIndex == 0)
        #expect(error.hopCount == length)
        #expect(error.step == .authentication)
      }
    }
    #expect(await pool.transportCount == 0)
  }

  @Test("a bastion that breaks ends what runs behind it; the next terminal connects it again")
  func broken() async throws {
    let bastion = try await OpenSSHServer()
    let target = try await OpenSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let route = try Route(hops: [bastion.hop, target.hop])
    let first = try await openAll([route], pool, prompts: ScriptedPrompts())
    try await first[0].wait(for: "up-42")
    try bastion.signalSessions(9)
    guard case .failed = try await first[0].waitForEnd() else {
      Issue.record("the terminal ended as if its program had")
      return
    }
    let second = try await openAll([route], pool, prompts: ScriptedPrompts())
    try await second[0].wait(for: "up-42")
    #expect(count("Accepted publickey", in: bastion.log) == 2)
    await pool.closeAll()
  }

  /// An endpoint that swallows whoever knocks: a listener whose queue is full lets the system drop all others.
  private final class Swallower: Sendable {
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
      let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let listener = socket(AF_INET, stream, 0)
      port = try FreePort.bind(listener)
      guard listen(listener, 0) == 0 else { throw TestFailure("no listener: \(errno)") }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      // The first of them fill the queue; the system answers none that comes after.
      let knocking = (0..<4).map { _ in
        let client = socket(AF_INET, stream | Int32(SOCK_NONBLOCK.rawValue), 0)
        withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            _ = connect(client, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        return client
      }
      sockets = [listener] + knocking
    }

    deinit { for socket in sockets { close(socket) } }
  }

  @Test("a host that swallows packets holds up no other one behind its bastion")
  func swallowing() async throws {
    let bastion = try await OpenSSHServer(["LogLevel DEBUG1"])
    let target = try await OpenSSHServer(listeningOn: ["127.0.0.1", "127.0.0.2"])
    let swallower = try Swallower()
    var limits = TransportLimits.patient
    limits.connecting = .seconds(600)
    let harness = try TransportHarness(limits: limits)
    let pool = TransportPool(opener: harness.opener)
    let prompts = ScriptedPrompts()
    func route(_ host: String, _ port: UInt16) throws -> Route {
      try Route(hops: [
        bastion.hop,
        Hop(endpoint: SSHEndpoint(host: host, port: port), credentials: target.hop.credentials),
      ])
    }
    let stuck = try route("127.0.0.1", swallower.port)
    let attempt = Task {
      try await pool.openTerminal(
        on: stuck,
        .running(nil),
        receiver: RecordingReceiver(),
        prompts: prompts
      )
    }
    try await bastion.wait(forLog: "server_request_direct_tcpip")
    // Both come up while it still waits, over one more connection to the bastion.
    let quick = try [route("127.0.0.1", target.port), route("127.0.0.2", target.port)]
    for receiver in try await openAll(quick, pool, prompts: prompts) {
      try await receiver.wait(for: "up-42")
    }
    #expect(count("Accepted publickey", in: bastion.log) == 2)
    #expect(await pool.transportCount == 4)
    // Given up, it stays in the way of nobody: the server still tries to reach it.
    attempt.cancel()
    await #expect(throws: ConnectionFailure.self) { _ = try await attempt.value }
    let third = try Route(hops: [bastion.hop, target.hop(at: "127.0.0.2", "/nonexistent/key")])
    let last = try await openAll([third], pool, prompts: prompts)
    try await last[0].wait(for: "up-42")
    #expect(count("Accepted publickey", in: bastion.log) == 2)
    await pool.closeAll()
  }

  @Test("a connection that carries others stays while they run, and goes after the last of them")
  func idle() async throws {
    let bastion = try await OpenSSHServer()
    let target = try await OpenSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener, idleTime: .milliseconds(50))
    let receiver = RecordingReceiver()
    let channel = try await pool.openTerminal(
      on: Route(hops: [bastion.hop, target.hop]),
      .running("cat"),
      receiver: receiver,
      prompts: ScriptedPrompts()
    )
    #expect(await pool.transportCount == 2)
    channel.close()
    _ = try await receiver.waitForEnd()
    try await target.wait(forLog: "Received disconnect")
    try await bastion.wait(forLog: "Received disconnect")
    #expect(await pool.transportCount == 0)
  }

  @Test("whoever is asked for a passphrase or a code lets the others pass meanwhile")
  func asking() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try TransportHarness()
    let pool = TransportPool(opener: harness.opener)
    let asked = BlockingCount()
    let prompts = ScriptedPrompts(answer: { _ in
      // Nobody is answered before all five stand at their prompt.
      await asked.arrive(5)
      return ["secret"]
    })
    let routes = try (0..<5).map { number in
      var hop = server.hop("pw")
      hop.credentials.keyFiles = ["/nonexistent/key-\(number)"]
      return try Route(hops: [hop])
    }
    try await withDeadline("five prompts") {
      await withTaskGroup(of: Void.self) { group in
        for route in routes {
          group.addTask {
            // Whether the password is right does not matter here.
            _ = try? await pool.openTerminal(
              on: route,
              .running(nil),
              receiver: RecordingReceiver(),
              prompts: prompts
            )
          }
        }
        await asked.wait(5)
        group.cancelAll()
      }
    }
    #expect(prompts.challenges.count >= 5)
    await pool.closeAll()
  }
}

extension OpenSSHServer {
  /// A hop to it at another of its addresses, with one more key that there is not.
  fileprivate func hop(at host: String, _ key: String) -> Hop {
    var credentials = hop.credentials
    credentials.keyFiles.append(key)
    return Hop(endpoint: SSHEndpoint(host: host, port: port), credentials: credentials)
  }
}

/// Counts arrivals and lets everyone go on when enough have come.
private actor BlockingCount {
  private var count = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func arrive(_ enough: Int) async {
    count += 1
    if count >= enough { release() }
    await wait(enough)
  }

  /// Suspends until enough have come, or the task is cancelled.
  func wait(_ enough: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { one in
        if count >= enough || Task.isCancelled { one.resume() } else { waiting.append(one) }
      }
    } onCancel: {
      Task { await release() }
    }
  }

  private func release() {
    for one in waiting { one.resume() }
    waiting = []
  }
}
