/// Why a signature could not be made.
public enum SigningError: Error, Hashable, Sendable {
  /// The key cannot sign with this algorithm.
  case unsupportedAlgorithm(String)
  /// The agent does not run, or its socket is gone.
  case agentUnavailable(diagnostic: String)
  /// The agent refused: it is locked, the person declined, or the key is no longer there.
  case agentRefused
  /// The agent sent something that is no answer to the request.
  case agentReplyMalformed(reason: String)
  /// No answer came within the deadline.
  case timedOut
  /// The calling task was cancelled.
  case cancelled
  /// The library failed; its text is for the log.
  case failed(diagnostic: String)
}

/// Signs for one key: a loaded private key, or a key that an agent holds.
public protocol SSHSigner: Sendable {
  /// The public key in SSH wire format.
  var publicKeyBlob: [UInt8] { get }
  /// The signature algorithms that it offers, the best first.
  var algorithms: [String] { get }
  /// Signs data.
  ///
  /// - Parameters:
  ///   - data: The bytes to sign, not hashed.
  ///   - algorithm: One of `algorithms`.
  /// - Returns: The SSH signature blob: the algorithm name and the signature (RFC 4253 section 6.6).
  /// - Throws: Why there is no signature.
  func sign(_ data: [UInt8], algorithm: String) async throws(SigningError) -> [UInt8]
}
