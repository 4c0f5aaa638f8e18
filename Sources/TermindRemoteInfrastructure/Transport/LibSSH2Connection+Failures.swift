internal import TermindDomain

// What libssh2 and the pipe report, in the words of the port.
extension LibSSH2Connection {
  /// The cause behind the end of the pipe.
  func cause(of end: PipeEnd) -> ConnectionFailureCause {
    if let reason = mailbox.disconnectReason { return .disconnected(reason: reason) }
    if step == .keyExchange, case .closed = end {
      if mailbox.opening.identification == nil { return .notSSH(banner: mailbox.opening.banner) }
      if let missing = missingAlgorithm { return missing }
    }
    // A server that says why and closes at once resets the connection that we write to.
    if step == .keyExchange, mailbox.opening.identification == nil, !mailbox.opening.banner.isEmpty,
      case .broken = end
    {
      return .notSSH(banner: mailbox.opening.banner)
    }
    switch end {
    case .closed:
      return step == .connected
        ? .lost(reason: "the server closed the connection")
        : .disconnected(reason: "the server closed the connection")
    case .broken(let text): return .lost(reason: text)
    case .hopFailed(let failure): return failure.cause
    }
  }

  /// The cause behind a deadline that has passed; a peer that greets in another protocol waits for ever.
  func causeOfSilence(after duration: Duration) -> ConnectionFailureCause {
    let opening = mailbox.opening
    // Half an identification is no other protocol.
    if step == .keyExchange, opening.identification == nil, !opening.banner.isEmpty,
      !opening.banner.hasPrefix("SSH-")
    {
      return .notSSH(banner: opening.banner)
    }
    return .timedOut(seconds: duration.wholeSeconds)
  }

  /// Counts what arrives before anyone is signed in, and ends an attempt that would go on for ever.
  func noteOpeningBytes(_ count: Int) {
    guard step != .connected else { return }
    openingByteCount += count
    guard openingByteCount > limits.openingBytes else { return }
    if step == .keyExchange, mailbox.opening.identification == nil {
      fail(.notSSH(banner: mailbox.opening.banner))
    } else {
      fail(.disconnected(reason: "it sent \(openingByteCount) bytes before anyone was signed in"))
    }
  }

  /// Ends the connection after a read that failed.
  ///
  /// libssh2 reports what no channel recovers from there, such as a packet that does not decrypt. An end that the
  /// peer or the pipe has told says why by itself.
  func streamBroke() {
    guard failure == nil, pipeEnd == nil, mailbox.disconnectReason == nil else { return }
    fail(.lost(reason: "what arrived is damaged (\(session?.lastError.text ?? ""))"))
  }

  /// Throws the failure behind a failed call that ends the whole connection.
  func failed(_ operation: String, _ code: Int32, _ text: String) -> ConnectionFailure {
    if let failure { return failure }
    end(with: failureOfHop ?? makeFailure(cause(operation, code, text)))
    return failure ?? makeFailure(.internalError(diagnostic: operation))
  }

  /// The failure of the hop that carries this connection, when that is why it ended.
  var failureOfHop: ConnectionFailure? {
    if case .hopFailed(let failure)? = pipeEnd { return failure }
    return nil
  }

  private func cause(_ operation: String, _ code: Int32, _ text: String) -> ConnectionFailureCause {
    if let reason = mailbox.disconnectReason { return .disconnected(reason: reason) }
    if let pipeEnd { return cause(of: pipeEnd) }
    if step == .keyExchange {
      if mailbox.opening.identification == nil { return .notSSH(banner: mailbox.opening.banner) }
      if let missing = missingAlgorithm { return missing }
    }
    switch SSH2Trouble(code: code) {
    case .disconnected: return .lost(reason: text.isEmpty ? "the connection broke" : text)
    // A long banner, for one; before the exchange it would only be garbage.
    case .tooLarge where step == .authentication:
      return .unsupported(obstacle: LibSSH2Transport.packetObstacle)
    default: break
    }
    return .internalError(diagnostic: "\(operation): \(text) (libssh2 \(code))")
  }

  /// The first kind of algorithm that both sides do not share.
  private var missingAlgorithm: ConnectionFailureCause? {
    guard let offer = mailbox.opening.offer, let session else { return nil }
    let kinds: [(String, SSH2Method, [String])] = [
      ("key exchange", .keyExchange, offer.keyExchange),
      ("host key", .hostKey, offer.hostKey),
      ("cipher", .cipherToServer, offer.cipherToServer),
      ("cipher", .cipherToClient, offer.cipherToClient),
      ("MAC", .macToServer, offer.macToServer),
      ("MAC", .macToClient, offer.macToClient),
    ]
    for (kind, method, offered) in kinds {
      let proposed = proposals[method] ?? []
      guard !proposed.isEmpty, !offered.contains(where: proposed.contains) else { continue }
      // A server that has host certificates only is worth its own words.
      if method == .hostKey, let cause = hostKeyNegotiation(offered, proposed) { return cause }
      let supported = session.supported(method)
      if offered.contains(where: supported.contains) {
        return .oldAlgorithmsOnly(kind: kind, offered: offered)
      }
      return .noCommonAlgorithm(kind: kind, offered: offered, supported: proposed)
    }
    return nil
  }
}
