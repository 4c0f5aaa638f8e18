import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// One engine of the transport port, as the contract tests drive it.
struct EngineUnderTest: Sendable, CustomTestStringConvertible {
  /// What an opener is made of.
  struct Parts: Sendable {
    let loops: EventLoopGroup
    let verifier: HostKeyVerifier
    let limits: TransportLimits
  }

  /// How the engine calls itself, without its version.
  let name: String
  /// What it honestly cannot do, with words that its explanation must contain; whatever is missing here it must do.
  let obstacles: [TransportAbility: String]
  let makeOpener: @Sendable (Parts) -> any SSHTransportOpening

  var testDescription: String { name }

  func can(_ ability: TransportAbility) -> Bool { obstacles[ability] == nil }

  static let libSSH2 = EngineUnderTest(
    name: "libssh2",
    obstacles: [
      .signalling: SSH2ChannelHandle.canSignal ? nil : "cannot send a signal",
      .listeningOnUnixSockets: "cannot ask a server to listen at a Unix socket",
    ].compactMapValues { $0 },
    makeOpener: { parts in
      LibSSH2TransportOpener(
        loops: parts.loops,
        verifier: parts.verifier,
        agent: nil,
        limits: parts.limits,
        now: { 1_000 }
      )
    }
  )

  static let openSSH = EngineUnderTest(
    name: "OpenSSH",
    obstacles: [:],
    makeOpener: { parts in
      let own = ProcessEnvironment.executablePath()
      let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
      return OpenSSHTransportOpener(
        surroundings: OpenSSHSurroundings(
          ssh: { await finder.program() },
          // The helpers' own program, beside the program of the tests.
          helper: "\(folder)/termind-ssh-helper",
          runtime: "/tmp/termind-\(getuid())",
          environment: { ["PATH": "/usr/bin:/bin"] }
        ),
        loops: parts.loops,
        verifier: parts.verifier,
        agent: nil,
        limits: parts.limits,
        now: { 1_000 }
      )
    }
  )

  private static let finder = SSHProgramFinder(searchPath: nil)

  /// Every engine that the contract is checked on.
  static let all: [EngineUnderTest] = [.libSSH2, .openSSH]
}

/// One engine with loops and known hosts of its own, for one test.
final class ContractSite: Sendable {
  let engine: EngineUnderTest
  let loops: EventLoopGroup
  let opener: any SSHTransportOpening

  init(
    _ engine: EngineUnderTest,
    limits: TransportLimits = .patient,
    knownHostsFiles: [String] = []
  ) throws {
    self.engine = engine
    loops = try EventLoopGroup(name: "contract", count: 1)
    opener = engine.makeOpener(
      EngineUnderTest.Parts(
        loops: loops,
        verifier: HostKeyVerifier(store: InMemoryKnownHostStore(), files: knownHostsFiles),
        limits: limits
      )
    )
  }

  deinit { loops.shutdown() }

  func open(
    _ hop: Hop,
    prompts: ScriptedPrompts = ScriptedPrompts()
  ) async throws -> any SSHTransport {
    let route = try Route(hops: [hop])
    return try await withDeadline("a connection") { [opener] in
      try await opener.open(route, prompts: prompts)
    }
  }
}

/// A kind of server that the contract is checked against.
enum ServerUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case openSSH
  case dropbear
  case asyncSSH

  var testDescription: String { rawValue }

  /// Whether it connects to Unix sockets for its clients.
  var hasUnixSockets: Bool { self != .dropbear }

  /// A server that runs for as long as it is kept.
  struct Running: Sendable {
    let hop: Hop
    let keeper: any Sendable
  }

  /// Starts one; OpenSSH's server passes no signal on to programs of root, so it may let an ordinary user in.
  func start(asOrdinaryUser isOrdinary: Bool = false) async throws -> Running {
    switch self {
    case .openSSH:
      let server = try await OpenSSHServer(asOrdinaryUser: isOrdinary)
      return Running(hop: server.hop, keeper: server)
    case .dropbear:
      let server = try await DropbearServer()
      return Running(hop: server.hop, keeper: server)
    case .asyncSSH:
      let server = try await AsyncSSHServer()
      return Running(hop: server.hop, keeper: server)
    }
  }
}

/// Runs `body` with a connection of an engine to a server of a kind.
func withContract(
  _ engine: EngineUnderTest,
  _ server: ServerUnderTest,
  asOrdinaryUser isOrdinary: Bool = false,
  _ body: (any SSHTransport) async throws -> Void
) async throws {
  let running = try await server.start(asOrdinaryUser: isOrdinary)
  let site = try ContractSite(engine)
  let transport = try await site.open(running.hop)
  try await body(transport)
  await transport.close()
  withExtendedLifetime((running, site)) {}
}

/// The failure that something ends with.
func failure<Value>(
  of body: () async throws -> Value
) async throws -> ConnectionFailure {
  do {
    _ = try await body()
  } catch let failure as ConnectionFailure {
    return failure
  }
  throw TestFailure("it did not fail")
}
