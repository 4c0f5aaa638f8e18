internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

// The control socket: from the greeting to the messages of the connection layer.
extension OpenSSHConnection {
  private static let proxyRequestNumber: UInt32 = 1

  /// Connects to the master, which is authenticated now.
  func connectLink() {
    guard failure == nil, pipe == nil, let folder else { return }
    do {
      let socket = try LocalSocket.connect(to: folder.control)
      try socket.checkPeer()
      socket.setNonblocking()
      pipe = try SocketPipe(
        socket: socket.descriptor,
        loop: loop,
        keepalive: limits.keepaliveInterval,
        count: limits.keepaliveCount
      ) { [weak self] in
        self?.assumeIsolated { $0.turn() }
      }
      outbound.append(MuxMessage.greeting())
      flush()
      updateInterest()
    } catch {
      fail(.internalError(diagnostic: "the control socket of ssh: \(error)"))
    }
  }

  /// Takes every complete message that has come.
  func dispatch() {
    var used = 0
    unsafe inbound.withBytes { bytes in
      while failure == nil {
        let rest = bytes.count - used
        guard rest >= 4 else { return }
        let length = unsafe Int(
          bytes.loadUnaligned(fromByteOffset: used, as: UInt32.self).bigEndian
        )
        guard length >= 2, length <= ChannelMessage.maximumByteCount else {
          return fail(.lost(reason: "the control socket of ssh carries something else"))
        }
        guard rest >= 4 + length else { return }
        let message = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[(used + 4)..<(used + 4 + length)]
        )
        used += 4 + length
        if phase == .open {
          unsafe take(message)
        } else {
          takeReply(unsafe [UInt8](message))
        }
      }
    }
    guard failure == nil else { return }
    inbound.remove(first: used)
  }

  private func takeReply(_ message: [UInt8]) {
    let reply: MuxMessage.Reply
    do throws(WireError) {
      reply = try MuxMessage.reply(message, to: Self.proxyRequestNumber)
    } catch {
      return fail(.internalError(diagnostic: "the control socket of ssh: \(error.reason)"))
    }
    switch (phase, reply) {
    case (.greeting, .hello(let version)) where MuxMessage.isKnown(version: version):
      phase = .asking
      outbound.append(MuxMessage.proxyRequest(Self.proxyRequestNumber))
    case (.asking, .proxy):
      phase = .open
      opened()
    default:
      fail(.internalError(diagnostic: "the control socket of ssh answers \(reply)"))
    }
  }

  /// Marks the connection as up.
  private func opened() {
    step = .connected
    liftDeadline()
    door?.close()
    door = nil
    agent?.close()
    agent = nil
    attempt = nil
    opening?.resume(returning: .success(()))
    opening = nil
  }

  /// The control socket has ended: the master is going, and says why in its last words.
  func linkEnded() {
    guard failure == nil, pipe != nil else { return }
    pipe?.close()
    pipe = nil
    guard master != nil else { return fail(.lost(reason: "ssh has ended")) }
    loop.schedule(after: limits.closing) { [weak self] in
      self?.assumeIsolated { $0.fail(.lost(reason: "ssh closed its control socket")) }
    }
  }
}
