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
    guard let number = number(for: address) else {
      throw refusal(of: address, "this connection listens there already")
    }
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
    throw refusal(of: listener.asked, reason)
  }

  private func refusal(of address: RemoteListenAddress, _ reason: String) -> ConnectionFailure {
    let name =
      if case .tcp = address { "tcpip-forward" } else { "streamlocal-forward@openssh.com" }
    return makeFailure(.channelRefused(request: name, reason: reason), at: .openingChannel)
  }

  /// The number of a listener's private socket; nil while another listener has the address.
  ///
  /// After a refusal `ssh` goes on leading what comes from an address to the socket that it was told then, so
  /// every order about one address names one socket.
  private func number(for address: RemoteListenAddress) -> UInt32? {
    if let known = listenerNumbers[address] { return listeners[known] == nil ? known : nil }
    lastListenerNumber += 1
    // A port that the server chooses is another one each time.
    if case .tcp(_, 0) = address { return lastListenerNumber }
    listenerNumbers[address] = lastListenerNumber
    return lastListenerNumber
  }

  private func stopListening(_ listener: OpenSSHListener) async {
    // Until `ssh` has heard of it, the address is not free for another one.
    defer { listeners[listener.number] = nil }
    guard failure == nil, let folder else { return }
    // Whether or not the server answers, nothing is taken from it any more.
    _ = await MuxOrder.send(to: folder.control, on: loop, within: limits.openingChannel) {
      MuxMessage.listenRequest($0, at: listener.asked, to: listener.path, isEnd: true)
    }
  }
}
