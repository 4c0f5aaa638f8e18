/// Why a server does not serve a client; the form never changes.
nonisolated enum RefusalCode: UInt8, Sendable {
  /// Another build version; the text is that version.
  case version = 1
  /// Another server owns the data directory.
  case busy = 2
  /// The server cannot start, or cannot do what was asked.
  case failed = 3
  /// The server is about to end.
  case ending = 4
  /// Something would be lost, and force was not given.
  case needsForce = 5
}

/// What the server says to a client.
nonisolated enum ServerMessage: Hashable, Sendable {
  /// The client is served; `leave` gives the terminal back when the server no longer can.
  case welcome(build: String, process: UInt32, leave: [UInt8])
  /// The client is not served.
  case refused(RefusalCode, text: String)
  /// The bytes that give the terminal back have changed.
  case leaveChanged([UInt8])
  /// The terminal was given back but for `unwritten`: the client writes that, and stops.
  case stop(unwritten: [UInt8])
  /// The terminal was given back but for `unwritten`: the client writes that and the text, and exits.
  case goodbye(status: UInt8, text: String, unwritten: [UInt8])
  /// The answer to a request of `termind ctl`, as JSON.
  case reply([UInt8])
  /// What a transfer command or a run of a snippet tells, as JSON.
  case transfer([UInt8])

  private enum Kind: UInt8 {
    case refused = 64
    case goodbye = 65
    case welcome = 66
    case leaveChanged = 67
    case stop = 68
    case reply = 69
    case transfer = 70
  }

  /// The largest payload of a kind, in bytes.
  static func limit(of kind: UInt8) -> Int {
    switch Kind(rawValue: kind) {
    case .reply: 1024 * 1024 * 1024
    case .transfer: 256 * 1024 * 1024
    default: 256 * 1024
    }
  }

  var frame: [UInt8] {
    var writer = WireWriter()
    let kind: Kind
    switch self {
    case .welcome(let build, let process, let leave):
      kind = .welcome
      writer.put(build)
      writer.put(process)
      writer.put(leave)
    case .refused(let code, let text):
      kind = .refused
      writer.put(code.rawValue)
      writer.put(text)
    case .leaveChanged(let leave):
      kind = .leaveChanged
      writer.put(leave)
    case .stop(let unwritten):
      kind = .stop
      writer.put(unwritten)
    case .goodbye(let status, let text, let unwritten):
      kind = .goodbye
      writer.put(status)
      writer.put(text)
      writer.put(unwritten)
    case .reply(let json):
      kind = .reply
      writer.put(json)
    case .transfer(let json):
      kind = .transfer
      writer.put(json)
    }
    return FrameBuffer.frame(kind: kind.rawValue, payload: writer.bytes)
  }

  init(_ frame: FrameBuffer.Frame) throws(WireError) {
    guard let kind = Kind(rawValue: frame.kind) else { throw .unknownKind(frame.kind) }
    var reader = WireReader(frame.payload)
    switch kind {
    case .welcome:
      self = .welcome(
        build: try reader.string(),
        process: try reader.number(),
        leave: try reader.byteString()
      )
    case .refused:
      // A code of a later build is still a refusal.
      let code = RefusalCode(rawValue: try reader.byte()) ?? .failed
      self = .refused(code, text: try reader.string())
    case .leaveChanged: self = .leaveChanged(try reader.byteString())
    case .stop: self = .stop(unwritten: try reader.byteString())
    case .goodbye:
      self = .goodbye(
        status: try reader.byte(),
        text: try reader.string(),
        unwritten: try reader.byteString()
      )
    case .reply: self = .reply(try reader.byteString())
    case .transfer: self = .transfer(try reader.byteString())
    }
  }
}
