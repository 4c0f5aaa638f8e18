import TermindInfrastructure

/// A client's side of the connection to the server, blocking.
struct ServerLink {
  let socket: LocalSocket
  private var input = FrameBuffer(limit: ServerMessage.limit)

  init(_ socket: LocalSocket) { self.socket = socket }

  /// What a wait for the server ended with.
  enum Event {
    case message(ServerMessage)
    /// The server closed the connection: it is dead, or has nothing more to say.
    case ended
    /// A message is not whole yet.
    case nothing
  }

  /// Sends messages at once, with descriptors beside the first byte.
  func send(_ messages: [ClientMessage], descriptors: [OwnedDescriptor] = [])
    throws(LocalSocketError)
  {
    var bytes = messages.flatMap(\.frame)[...]
    var descriptors = descriptors
    while !bytes.isEmpty {
      let count = try socket.send(bytes, descriptors: descriptors)
      descriptors = []
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next message that is already here.
  mutating func buffered() -> Event {
    do throws(WireError) {
      guard let frame = try input.next() else { return .nothing }
      return .message(try ServerMessage(frame))
    } catch { return .ended }
  }

  /// Receives once; call it when the socket is readable.
  mutating func receive() -> Event {
    do throws(LocalSocketError) {
      guard let part = try socket.receive() else { return .nothing }
      if part.bytes.isEmpty { return .ended }
      input.append(part.bytes)
      return buffered()
    } catch { return .ended }
  }

  /// Waits for a message.
  ///
  /// - Parameter milliseconds: The longest wait.
  /// - Returns: The message or the end; `.nothing` when the time is over.
  mutating func next(milliseconds: Int) -> Event {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(milliseconds))
    if case .message(let message) = buffered() { return .message(message) }
    while true {
      let left = Int((end - clock.now) / .milliseconds(1))
      guard left > 0, DescriptorWait.readable([socket.descriptor], milliseconds: left)[0] else {
        return .nothing
      }
      switch receive() {
      case .nothing: continue
      case let event: return event
      }
    }
  }
}
