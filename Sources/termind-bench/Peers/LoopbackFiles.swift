import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindRemoteInfrastructure

/// The files of a loopback server, through the product's own connection.
struct LoopbackFiles: Sendable {
  /// Which engine carries the connection.
  enum Engine: Sendable {
    case libSSH2
    case openSSH
  }

  /// What a connection is made with.
  struct Access: Sendable {
    let user: String
    let port: Int
    let key: String
    let engine: Engine
    /// A file for the store.
    let store: String
    /// A folder for sockets.
    let runtime: String
  }

  let files: SFTPFileSystem
  private let transport: any SSHTransport
  private let loops: EventLoopGroup

  /// Connects and starts SFTP.
  static func connect(_ access: Access) async throws -> LoopbackFiles {
    let loops = try EventLoopGroup(name: "bench")
    let verifier = HostKeyVerifier(store: try await SQLiteStore.open(at: access.store), files: [])
    let hop = Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: UInt16(access.port)),
      credentials: HopCredentials(
        username: access.user,
        keyFiles: [access.key],
        usesAgent: false
      )
    )
    let transport = try await opener(access, loops, verifier).open(
      try Route(hops: [hop]),
      prompts: TrustingPrompts()
    )
    let open: SFTPFileSystem.ChannelOpening = { receiver throws(ConnectionFailure) in
      try await transport.openChannel(
        .subsystem("sftp"),
        window: ByteChannelRequest.bulkWindow,
        receiver: receiver
      )
    }
    let files = try await SFTPFileSystem.start(place: .server("bench"), more: open, open)
    return LoopbackFiles(files: files, transport: transport, loops: loops)
  }

  private static func opener(
    _ access: Access,
    _ loops: EventLoopGroup,
    _ verifier: HostKeyVerifier
  ) throws(BenchError) -> any SSHTransportOpening {
    switch access.engine {
    case .libSSH2:
      return LibSSH2TransportOpener(loops: loops, verifier: verifier, agent: nil) { 0 }
    case .openSSH:
      let finder = SSHProgramFinder(searchPath: nil)
      return OpenSSHTransportOpener(
        surroundings: OpenSSHSurroundings(
          ssh: { await finder.program() },
          helper: try TermindInstance.program(),
          runtime: access.runtime
        ),
        loops: loops,
        verifier: verifier,
        agent: nil
      ) { 0 }
    }
  }

  func close() async {
    await files.close()
    await transport.close()
    loops.shutdown()
  }
}

/// Trusts every host key and answers nothing else.
private struct TrustingPrompts: ConnectionPrompting {
  var isInteractive: Bool { true }
  func decide(_ question: HostKeyQuestion) async -> HostKeyDecision { .trustOnce }
  func answer(_ challenge: CredentialChallenge) async -> [SecretBytes]? { nil }
  func progressed(to step: ConnectionStep, at context: HopContext) {}
  func showBanner(_ text: String, at context: HopContext) {}
}
