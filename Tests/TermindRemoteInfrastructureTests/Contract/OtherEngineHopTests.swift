import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("libssh2 over a hop of another engine", .timeLimit(.minutes(3)))
struct OtherEngineHopTests {
  /// A connection to one server that runs through another, whose transport nobody knows.
  private func open(
    _ servers: [OpenSSHServer],
    _ sites: [ContractSite]
  ) async throws -> (carrier: any SSHTransport, transport: any SSHTransport) {
    let carrier = ForeignTransport(try await sites[0].open(servers[0].hop))
    let route = try Route(hops: servers.map(\.hop))
    let opener = sites[1].opener
    let transport = try await opener.open(route, through: carrier, prompts: ScriptedPrompts())
    return (carrier, transport)
  }

  @Test("much goes both ways, on loops of their own")
  func bytes() async throws {
    let servers = [try await OpenSSHServer(), try await OpenSSHServer()]
    let sites = [try ContractSite(.libSSH2), try ContractSite(.libSSH2)]
    let (carrier, transport) = try await open(servers, sites)
    let down = RecordingBytes(keepsBytes: false)
    _ = try await transport.openChannel(
      .command("head -c 12000000 /dev/zero"),
      receiver: down
    )
    #expect(try await down.waitForEnd() == .exited(status: 0))
    #expect(down.record.count == 12_000_000)
    let up = RecordingBytes()
    let channel = try await transport.openChannel(.command("wc -c"), receiver: up)
    let piece = [UInt8](repeating: 1, count: 250_000)
    for _ in 0..<40 {
      while true {
        let rooms = up.record.rooms
        if channel.send(piece) { break }
        try await up.wait("room") { $0.rooms > rooms }
      }
    }
    channel.finishSending()
    #expect(try await up.waitForEnd() == .exited(status: 0))
    #expect(up.record.text.contains("10000000"))
    await transport.close()
    // What carried it is others' to close.
    let still = RecordingBytes()
    _ = try await carrier.openChannel(.command("true"), receiver: still)
    #expect(try await still.waitForEnd() == .exited(status: 0))
    await carrier.close()
  }

  @Test("the end of the hop before is told as that one's loss")
  func loss() async throws {
    let servers = [try await OpenSSHServer(), try await OpenSSHServer()]
    let sites = [try ContractSite(.libSSH2), try ContractSite(.libSSH2)]
    let (carrier, transport) = try await open(servers, sites)
    let receiver = RecordingBytes()
    _ = try await transport.openChannel(.command("cat"), receiver: receiver)
    try servers[0].signalSessions(SIGKILL)
    let end = try await receiver.waitForEnd()
    guard case .failed(let failure) = end, case .lost = failure.cause else {
      Issue.record("\(end)")
      return
    }
    #expect(failure.hopIndex == 0)
    await transport.close()
    await carrier.close()
  }

  @Test("a port that the hop before cannot reach is a refusal of this hop")
  func refused() async throws {
    let server = try await OpenSSHServer()
    let sites = [try ContractSite(.libSSH2), try ContractSite(.libSSH2)]
    let carrier = ForeignTransport(try await sites[0].open(server.hop))
    let nowhere = server.hop.at(port: try FreePort.find())
    let route = try Route(hops: [server.hop, nowhere])
    let opener = sites[1].opener
    let failure = try await failure {
      try await opener.open(route, through: carrier, prompts: ScriptedPrompts())
    }
    guard case .channelRefused(request: "direct-tcpip", _) = failure.cause else {
      Issue.record("\(failure)")
      return
    }
    #expect(failure.hopIndex == 1)
    await carrier.close()
  }
}

/// A transport of an engine that libssh2 does not know.
private final class ForeignTransport: SSHTransport {
  private let inner: any SSHTransport

  init(_ inner: any SSHTransport) { self.inner = inner }

  var route: Route { inner.route }
  var engineName: String { "foreign" }
  var engineReason: String? { "a test wants it" }

  func obstacle(to ability: TransportAbility) -> String? { inner.obstacle(to: ability) }

  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel {
    try await inner.openTerminal(request, receiver: receiver)
  }

  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel {
    try await inner.openChannel(request, window: window, receiver: receiver)
  }

  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener {
    try await inner.listen(at: address, receiver: receiver)
  }

  func close() async { await inner.close() }

  func waitUntilClosed() async -> ConnectionFailure { await inner.waitUntilClosed() }
}
