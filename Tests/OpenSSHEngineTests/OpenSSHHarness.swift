import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

@testable import TermindRemoteInfrastructure

/// Loops, an opener of the OpenSSH engine and a store of known hosts for one test.
final class OpenSSHHarness: Sendable {
  let loops: EventLoopGroup
  let store: InMemoryKnownHostStore
  let opener: OpenSSHTransportOpener
  let folder: TemporaryFolder

  init(
    limits: TransportLimits = .patient,
    store: InMemoryKnownHostStore = InMemoryKnownHostStore(),
    knownHostsFiles: [String] = [],
    agent: AgentClient? = nil,
    secrets: (any SecretStoring)? = nil,
    defaultKeyFiles: [String] = [],
    configuration: String? = nil,
    home: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    loops = try EventLoopGroup(name: "test-ossh", count: 1)
    folder = try TemporaryFolder()
    self.store = store
    var source: SecretStoreSource?
    if let secrets { source = { secrets } }
    let base = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(environment) { $1 }
    opener = OpenSSHTransportOpener(
      surroundings: OpenSSHSurroundings(
        ssh: { await Self.finder.program() },
        helper: Self.helper,
        runtime: folder.file("run"),
        configuration: configuration,
        home: home,
        environment: { base }
      ),
      loops: loops,
      verifier: HostKeyVerifier(store: store, files: knownHostsFiles),
      agent: agent,
      defaultKeyFiles: defaultKeyFiles,
      secrets: source,
      limits: limits,
      now: { 1_000 }
    )
  }

  deinit { loops.shutdown() }

  private static let finder = SSHProgramFinder(searchPath: nil)

  /// The helper's own program, beside the program of the tests.
  static var helper: String {
    let own = ProcessEnvironment.executablePath()
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/termind-ssh-helper"
  }

  /// What stands in the directory for sockets.
  var leftovers: [String] { folder.names("run") }

  func open(
    _ hops: [Hop],
    through carrier: (any SSHTransport)? = nil,
    prompts: ScriptedPrompts = ScriptedPrompts()
  ) async throws -> any SSHTransport {
    let route = try Route(hops: hops)
    return try await withDeadline("a connection") { [opener] in
      try await opener.open(route, through: carrier, prompts: prompts)
    }
  }

  /// The failure that opening ends with.
  func failure(
    _ hops: [Hop],
    prompts: ScriptedPrompts = ScriptedPrompts()
  ) async throws -> ConnectionFailure {
    do {
      let transport = try await open(hops, prompts: prompts)
      await transport.close()
    } catch let failure as ConnectionFailure {
      return failure
    }
    throw TestFailure("the connection was opened")
  }
}

/// The same with libssh2.
final class PlainHarness: Sendable {
  private let loops: EventLoopGroup
  let opener: LibSSH2TransportOpener

  init() throws {
    loops = try EventLoopGroup(name: "test-ssh2", count: 1)
    opener = LibSSH2TransportOpener(
      loops: loops,
      verifier: HostKeyVerifier(store: InMemoryKnownHostStore(), files: []),
      agent: nil,
      now: { 1_000 }
    )
  }

  deinit { loops.shutdown() }

  func open(_ hops: [Hop]) async throws -> any SSHTransport {
    let route = try Route(hops: hops)
    return try await withDeadline("a connection") { [opener] in
      try await opener.open(route, prompts: ScriptedPrompts())
    }
  }
}

extension ShellRequest {
  /// A command on a PTY of 24 rows and 80 columns.
  static func running(_ command: String?) -> ShellRequest {
    ShellRequest(size: TerminalDimensions(rows: 24, columns: 80), command: command)
  }
}

extension TransportLimits {
  /// For servers on a machine that has much else to do.
  static var patient: TransportLimits {
    var limits = TransportLimits()
    limits.connecting = .seconds(60)
    limits.keyExchange = .seconds(60)
    limits.authenticationRequest = .seconds(60)
    limits.openingChannel = .seconds(60)
    return limits
  }
}
