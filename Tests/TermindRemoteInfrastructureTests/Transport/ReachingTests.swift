import Glibc
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Names and addresses", .timeLimit(.minutes(3))) struct ReachingTests {
  private func resolve(_ host: String, port: UInt16 = 22) async -> NameResolver.Outcome {
    await NameResolver().resolve(SSHEndpoint(host: host, port: port))
  }

  @Test("numeric addresses of both families, also with a scope, need no network")
  func numeric() async throws {
    guard case .addresses(let four) = await resolve("127.0.0.1") else {
      Issue.record("127.0.0.1")
      return
    }
    #expect(four.map(\.family) == [AF_INET])
    guard case .addresses(let six) = await resolve("::1") else {
      Issue.record("::1")
      return
    }
    #expect(six.map(\.isIPv6) == [true])
    guard case .addresses(let scoped) = await resolve("fe80::1%lo") else {
      Issue.record("fe80::1%lo")
      return
    }
    let scope = scoped[0].bytes.withUnsafeBytes {
      $0.loadUnaligned(as: sockaddr_in6.self).sin6_scope_id
    }
    #expect(scope == if_nametoindex("lo"))
  }

  @Test(
    "a numeric address is there at once, while every thread of the resolver hangs",
    arguments: ["127.0.0.1", "::1", "fe80::1%lo"]
  )
  func numericNeedsNoThread(host: String) async throws {
    let release = BlockingQueue<Void>()
    let asked = Locked<[String]>([])
    let resolver = NameResolver { host, _ in
      asked.withLock { $0.append(host) }
      release.take()
      return .unknown("hangs")
    }
    let slow = (0..<NameResolver.maximumThreads).map { _ in
      Task { await resolver.resolve(SSHEndpoint(host: "slow")) }
    }
    guard case .addresses(let found) = await resolver.resolve(SSHEndpoint(host: host)) else {
      Issue.record("\(host) waits behind names")
      return
    }
    #expect(found.count == 1)
    for _ in slow { release.put(()) }
    for task in slow { #expect(await task.value == .unknown("hangs")) }
    #expect(asked.withLock { Set($0) } == ["slow"])
  }

  @Test("a socket that nobody takes is closed")
  func untaken() async throws {
    let loop = try EventLoop(name: "test-connect")
    defer { loop.shutdown() }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    let port = try FreePort.bind(listener)
    try #require(listen(listener, 4) == 0)
    guard case .addresses(let addresses) = await resolve("127.0.0.1", port: port) else {
      Issue.record("no loopback address")
      return
    }
    let connector = TCPConnector(addresses: addresses, loop: loop, delay: .seconds(1))
    // The outcome is dropped where an attempt that has ended meanwhile would drop it.
    _ = await connector.connect()
    let peer = accept(listener, nil, nil)
    try #require(peer >= 0)
    defer { close(peer) }
    var byte: UInt8 = 0
    #expect(read(peer, &byte, 1) == 0)
  }

  @Test("a resolver that hangs is left behind when the task is cancelled, and others still resolve")
  func hanging() async throws {
    let release = BlockingQueue<Void>()
    let resolver = NameResolver { host, port in
      if host == "slow" { release.take() }
      return NameResolver.systemLookUp("127.0.0.1", port)
    }
    let slow = (0..<NameResolver.maximumThreads + 3).map { _ in
      Task { await resolver.resolve(SSHEndpoint(host: "slow")) }
    }
    for task in slow { task.cancel() }
    for task in slow { #expect(await task.value == .cancelled) }
    let fine = Task { await resolver.resolve(SSHEndpoint(host: "fine")) }
    for _ in 0..<(NameResolver.maximumThreads + 3) { release.put(()) }
    guard case .addresses = await fine.value else {
      Issue.record("nothing resolves behind hanging names")
      return
    }
  }

  @Test("families alternate, beginning with the resolver's choice")
  func interleaving() {
    func address(_ family: Int32, _ byte: UInt8) -> SocketAddress {
      SocketAddress(family: family, bytes: [byte])
    }
    let found = TCPConnector.interleaved([
      address(AF_INET6, 1), address(AF_INET6, 2), address(AF_INET6, 3), address(AF_INET, 4),
    ])
    #expect(found.map(\.bytes) == [[1], [4], [2], [3]])
    #expect(TCPConnector.interleaved([]).isEmpty)
  }

  @Test("an address that refuses or does not answer gives way to one that does")
  func fallback() async throws {
    let loop = try EventLoop(name: "test-connect")
    defer { loop.shutdown() }
    let server = try await OpenSSHServer()
    guard case .addresses(let good) = await resolve("127.0.0.1", port: server.port),
      case .addresses(let refusing) = await resolve("::1", port: server.port)
    else {
      Issue.record("no loopback address")
      return
    }
    let connector = TCPConnector(
      addresses: refusing + good,
      loop: loop,
      delay: .milliseconds(20)
    )
    guard case .connected = await connector.connect() else {
      Issue.record("not connected")
      return
    }
    let none = TCPConnector(addresses: [], loop: loop, delay: .seconds(1))
    guard case .failed(.unreachable("no address")) = await none.connect() else {
      Issue.record("no address was no failure")
      return
    }
  }

  @Test("a connect that hangs ends at once when it is cancelled")
  func cancelling() async throws {
    let loop = try EventLoop(name: "test-connect")
    defer { loop.shutdown() }
    // A listener whose queue is full drops further connects, so they hang.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    let port = try FreePort.bind(listener)
    try #require(listen(listener, 0) == 0)
    guard case .addresses(let addresses) = await resolve("127.0.0.1", port: port) else {
      Issue.record("no loopback address")
      return
    }
    var filling: [OwnedDescriptor] = []
    for _ in 0..<3 {
      let connector = TCPConnector(addresses: addresses, loop: loop, delay: .seconds(1))
      let task = Task { await connector.connect() }
      let timer = loop.schedule(after: .milliseconds(100)) { task.cancel() }
      if case .connected(let descriptor) = await task.value { filling.append(descriptor) }
      timer.cancel()
    }
    #expect(filling.count < 3)
  }
}
