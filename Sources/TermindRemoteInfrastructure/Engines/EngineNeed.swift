internal import TermindDomain

/// Why a hop needs OpenSSH, as the end of a sentence that names the host.
enum EngineNeed {
  /// What is clear before anything is tried.
  ///
  /// - Parameters:
  ///   - index: Which hop.
  ///   - route: The route.
  ///   - memory: What was learned before.
  /// - Returns: The reason; nil when libssh2 may do, or must.
  static func before(hop index: Int, of route: Route, _ memory: EngineMemory) async -> String? {
    let hop = route.hops[index]
    switch hop.engine {
    case .openSSH: return "it is set to use OpenSSH"
    case .libssh2: return nil
    case .automatic: break
    }
    if let what = hop.onlyOpenSSH { return "its configuration uses \(what)" }
    if let reason = await memory.reason(forHop: index, of: route) { return reason }
    for key in hop.credentials.keys {
      let name = key.name.isEmpty ? key.defaultName : key.name
      if key.certificate != nil { return "the key \(name) has a certificate" }
      if key.algorithm.hasPrefix("sk-") { return "\(name) is a security key" }
    }
    let files = hop.credentials.keyFiles
    guard !files.isEmpty else { return nil }
    return await BlockingWork.run { _ in files.lazy.compactMap(Self.need(ofFile:)).first }
  }

  /// Whether a failure is for reasons of the server alone, so that every account there meets it.
  static func isOfServer(_ cause: ConnectionFailureCause) -> Bool {
    switch cause {
    case .noCommonAlgorithm, .oldAlgorithmsOnly, .unsupported: true
    default: false
    }
  }

  /// What the failure of an attempt with libssh2 tells.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - hop: The hop that it is about.
  ///   - agent: The person's agent.
  ///   - hasTickets: Whether there may be Kerberos tickets.
  /// - Returns: Why OpenSSH may do better; nil when it would not.
  static func after(
    _ failure: ConnectionFailure,
    _ hop: Hop,
    agent: AgentClient?,
    hasTickets: Bool
  ) async -> String? {
    guard hop.engine == .automatic else { return nil }
    switch failure.cause {
    case .noCommonAlgorithm(let kind, _, _):
      return "libssh2 and the server have no \(kind) in common"
    case .oldAlgorithmsOnly(let kind, _):
      return "libssh2 has only old \(kind) algorithms in common with the server"
    case .unsupported(obstacle: LibSSH2Transport.packetObstacle):
      return "libssh2 takes no packet as large as the server sends"
    case .authenticationFailed(_, let offered):
      if hasTickets, offered.contains("gssapi-with-mic") {
        return "the server takes Kerberos tickets"
      }
      guard hop.credentials.usesAgent, offered.contains("publickey"), let agent else { return nil }
      // `try?`: an agent that does not answer has no keys that would help.
      let keys = (try? await agent.keys()) ?? []
      if keys.contains(where: \.isSecurityKey) { return "the agent has a security key" }
      if keys.contains(where: { $0.certificate != nil }) { return "the agent has a certificate" }
      return nil
    default: return nil
    }
  }

  private static func need(ofFile path: String) -> String? {
    // `try?`: a file that is not there, or no key, needs nothing.
    if case .publicOnly(let key, _)? = try? PrivateKeyFile.load("\(path)-cert.pub"),
      key.isCertificate
    {
      return "the key \(path) has a certificate"
    }
    if case .publicOnly(let key, _)? = try? PrivateKeyFile.load("\(path).pub"),
      key.type == .securityKeyEd25519 || key.type == .securityKeyECDSA
    {
      return "\(path) is a security key"
    }
    return nil
  }
}
