internal import FoundationEssentials

/// Talks to the SSH agent behind a Unix socket; one short connection a request.
///
/// Requests run on threads of their own, so that an agent that waits for the person (a confirmation,
/// a touch) holds up nothing else.
public struct AgentClient: Sendable {
  /// The path of the socket.
  public let socketPath: String
  private let listTimeout: Duration
  private let signTimeout: Duration

  /// Makes a client; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - socketPath: The value of `SSH_AUTH_SOCK`.
  ///   - listTimeout: How long the list of keys may take.
  ///   - signTimeout: How long a signature may take; a person may have to confirm it.
  public init(
    socketPath: String,
    listTimeout: Duration = .seconds(10),
    signTimeout: Duration = .seconds(120)
  ) {
    self.socketPath = socketPath
    self.listTimeout = listTimeout
    self.signTimeout = signTimeout
  }

  /// Whether there is anything at the path, also when nobody answers there; without it no agent was ever named.
  public var isNamed: Bool {
    // Links are not followed: one that leads nowhere any more names an agent that is gone.
    (try? FileManager.default.attributesOfItem(atPath: socketPath)) != nil
  }

  /// Lists the keys of the agent; a locked agent lists none.
  ///
  /// - Parameter timeout: How long it may take; nil for as long as the client was made with.
  /// - Returns: The keys, in the agent's order.
  /// - Throws: Why they are not known.
  public func identities(within timeout: Duration? = nil) async throws(AgentError)
    -> [AgentIdentity]
  {
    try AgentMessage.identities(
      try await exchange(AgentMessage.listRequest(), timeout ?? listTimeout)
    )
  }

  /// Signs with a key of the agent.
  ///
  /// - Parameters:
  ///   - data: The bytes to sign, not hashed.
  ///   - keyBlob: The public key.
  ///   - algorithm: The signature algorithm; the RSA forms become the agent's flags.
  /// - Returns: The SSH signature blob.
  /// - Throws: Why there is none.
  public func sign(
    _ data: [UInt8],
    keyBlob: [UInt8],
    algorithm: String
  ) async throws(AgentError) -> [UInt8] {
    guard
      let request = AgentMessage.signRequest(data, keyBlob: keyBlob, algorithm: algorithm)
    else { throw .malformed(reason: "the request is too large") }
    return try AgentMessage.signature(
      try await exchange(request, signTimeout),
      algorithm: algorithm
    )
  }

  /// Passes a message of another program on and gives the agent's answer, both without their lengths.
  func relay(_ message: [UInt8]) async throws(AgentError) -> [UInt8] {
    var writer = WireWriter()
    writer.string(message)
    return try await exchange(writer.bytes, signTimeout)
  }

  private func exchange(_ request: [UInt8], _ timeout: Duration) async throws(AgentError) -> [UInt8]
  {
    let path = socketPath
    let deadline = ContinuousClock.now.advanced(by: timeout)
    let wake = WakeSignal()
    guard wake.descriptor >= 0 else { throw .unavailable(diagnostic: "no descriptor is left") }
    let result = await withTaskCancellationHandler {
      await BlockingWork.run { flag in
        Result { () throws(AgentError) in
          let socket = try AgentSocket(
            path: path,
            wake: wake,
            deadline: deadline,
            isCancelled: { flag.isSet }
          )
          return try socket.exchange(request)
        }
      }
    } onCancel: {
      wake.send()
    }
    return try result.get()
  }
}

/// Signs with one key of an agent.
public struct AgentSigner: SSHSigner {
  private let client: AgentClient
  private let publicKey: SSHPublicKey

  /// Makes a signer for a key that the agent listed.
  public init(client: AgentClient, publicKey: SSHPublicKey) {
    self.client = client
    self.publicKey = publicKey
  }

  /// The public key in SSH wire format.
  public var publicKeyBlob: [UInt8] { publicKey.blob }
  /// The signature algorithms, the best first.
  public var algorithms: [String] { publicKey.type.signatureAlgorithms }

  /// Asks the agent for a signature.
  public func sign(_ data: [UInt8], algorithm: String) async throws(SigningError) -> [UInt8] {
    guard algorithms.contains(algorithm) else { throw .unsupportedAlgorithm(algorithm) }
    do throws(AgentError) {
      return try await client.sign(data, keyBlob: publicKey.blob, algorithm: algorithm)
    } catch .unavailable(let diagnostic) {
      throw .agentUnavailable(diagnostic: diagnostic)
    } catch .refused {
      throw .agentRefused
    } catch .malformed(let reason) {
      throw .agentReplyMalformed(reason: reason)
    } catch .timedOut {
      throw .timedOut
    } catch {
      throw .cancelled
    }
  }
}
