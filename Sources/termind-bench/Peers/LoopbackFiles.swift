import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindRemoteInfrastructure

/// The files of a loopback server, through the product's own connection.
struct LoopbackFiles: Sendable {
  /// How large the channel's window is for bulk data, in bytes.
  private static let window = 16 * 1024 * 1024

  let files: SFTPFileSystem
  private let transport: any SSHTransport
  private let loops: EventLoopGroup

  /// Connects with libssh2 and starts SFTP.
  static func connect(user: String, port: Int, key: String, store: String) async throws
    -> LoopbackFiles
  {
    let loops = try EventLoopGroup(name: "bench")
    let opener = LibSSH2TransportOpener(
      loops: loops,
      verifier: HostKeyVerifier(store: try await SQLiteStore.open(at: store), files: []),
      agent: nil
    ) { 0 }
    let hop = Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: UInt16(port)),
      credentials: HopCredentials(username: user, keyFiles: [key], usesAgent: false)
    )
    let transport = try await opener.open(try Route(hops: [hop]), prompts: TrustingPrompts())
    let files = try await SFTPFileSystem.start(place: .server("bench")) {
      (receiver) async throws(ConnectionFailure) in
      try await transport.openChannel(.subsystem("sftp"), window: window, receiver: receiver)
    }
    return LoopbackFiles(files: files, transport: transport, loops: loops)
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
