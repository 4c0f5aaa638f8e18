import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

@testable import TermindRemoteInfrastructure

/// Loops, an opener and a store of known hosts for one test.
final class TransportHarness: Sendable {
  let loops: EventLoopGroup
  let store: InMemoryKnownHostStore
  let opener: LibSSH2TransportOpener
  let shared: SharedUnlocking

  init(
    limits: TransportLimits = .patient,
    store: InMemoryKnownHostStore = InMemoryKnownHostStore(),
    knownHostsFiles: [String] = [],
    agent: AgentClient? = nil,
    secrets: (any SecretStoring)? = nil,
    defaultKeyFiles: [String] = [],
    shared: SharedUnlocking = SharedUnlocking()
  ) throws {
    loops = try EventLoopGroup(name: "test-ssh", count: 1)
    self.store = store
    self.shared = shared
    var source: SecretStoreSource?
    if let secrets { source = { secrets } }
    opener = LibSSH2TransportOpener(
      loops: loops,
      verifier: HostKeyVerifier(store: store, files: knownHostsFiles),
      agent: agent,
      defaultKeyFiles: defaultKeyFiles,
      secrets: source,
      shared: shared,
      limits: limits,
      now: { 1_000 }
    )
  }

  deinit { loops.shutdown() }

  func open(
    _ hops: [Hop],
    prompts: ScriptedPrompts = ScriptedPrompts()
  ) async throws -> any SSHTransport {
    let route = try Route(hops: hops)
    return try await withDeadline("a connection") { [opener] in
      try await opener.open(route, prompts: prompts)
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

extension ShellRequest {
  /// A command on a PTY of 24 rows and 80 columns.
  static func running(_ command: String?) -> ShellRequest {
    ShellRequest(size: TerminalDimensions(rows: 24, columns: 80), command: command)
  }
}

extension TransportLimits {
  /// For servers on a machine that has much else to do: no test but those about them waits for one of these to pass.
  static var patient: TransportLimits {
    var limits = TransportLimits()
    limits.connecting = .seconds(60)
    limits.keyExchange = .seconds(60)
    limits.authenticationRequest = .seconds(60)
    limits.openingChannel = .seconds(60)
    return limits
  }
}
