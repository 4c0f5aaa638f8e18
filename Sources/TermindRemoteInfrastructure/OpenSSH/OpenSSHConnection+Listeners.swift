internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

// Places at which the server listens for us.
extension OpenSSHConnection {
  /// Asks the server to listen.
  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener {
    if let failure { throw failure }
    guard phase == .open, let folder, let master else {
      throw makeFailure(.lost(reason: "ssh is ending"), at: .openingChannel)
    }
    listenerNumbers += 1
    let number = listenerNumbers
    let listener: OpenSSHListener
    do {
      listener = try OpenSSHListener(
        number: number,
        path: folder.listener(number),
        address: address,
        master: master.number,
        loop: loop,
        receiver: receiver
      ) { [weak self] in
        await self?.stopListening($0)
      }
    } catch {
      throw makeFailure(
        .internalError(diagnostic: "a socket to listen at: \(error)"),
        at: .openingChannel
      )
    }
    listeners[number] = listener
    let reply = await MuxOrder.send(to: folder.control, on: loop, within: limits.openingChannel) {
      MuxMessage.listenRequest($0, at: address, to: listener.path)
    }
    if let failure { throw failure }
    switch reply {
    case .done: break
    case .port(let port): listener.took(port: Int(port))
    case .hello, .proxy: return try refuse(listener, "ssh answers something else")
    case .refused(let text): return try refuse(listener, text)
    }
    guard !Task.isCancelled else {
      await listener.close()
      throw makeFailure(.cancelled, at: .openingChannel)
    }
    return listener
  }

  private func refuse(
    _ listener: OpenSSHListener,
    _ reason: String
  ) throws(ConnectionFailure) -> any RemoteListener {
    listeners[listener.number] = nil
    _ = listener.end()
    guard !Task.isCancelled else { throw makeFailure(.cancelled, at: .openingChannel) }
    let name =
      if case .tcp = listener.address { "tcpip-forward" } else {
        "streamlocal-forward@openssh.com"
      }
    throw makeFailure(.channelRefused(request: name, reason: reason), at: .openingChannel)
  }

  private func stopListening(_ listener: OpenSSHListener) async {
    guard listeners.removeValue(forKey: listener.number) != nil, failure == nil, let folder else {
      return
    }
    // Whether or not the server answers, nothing is taken from it any more.
    _ = await MuxOrder.send(to: folder.control, on: loop, within: limits.openingChannel) {
      MuxMessage.listenRequest($0, at: listener.asked, to: listener.path, isEnd: true)
    }
  }
}
