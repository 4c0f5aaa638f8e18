import TermindDomain
import TermindInfrastructure

/// What a client says to the server.
///
/// `hello` and `shutDown` never change their form: they are how builds of different age understand
/// each other.
nonisolated enum ClientMessage: Hashable, Sendable {
  /// Comes first, always.
  case hello(protocolNumber: UInt32, build: String)
  /// Asks for a window; two descriptors come with it, the terminal's input and output.
  case attach(AttachRequest, originalModes: TerminalModes)
  /// The terminal has a new size.
  case resized
  /// Somebody stops the client from outside: the server gives the terminal back first.
  case wantsStop
  /// The client goes on after a stop, with the terminal raw again; what it found is to be restored.
  case resumed(originalModes: TerminalModes)
  /// The client is about to go (a signal); the window lives on.
  case wantsDetach(reason: String)
  /// A request of `termind ctl`, as JSON.
  case control([UInt8])
  /// A secret of the request that follows.
  case secret(field: String, SecretBytes)
  /// A transfer command, as JSON.
  case transfer([UInt8])
  /// A run of a snippet, as JSON.
  case runSnippet([UInt8])
  /// Stops the transfer command or the run; its end is still told.
  case cancelTransfer
  /// The answers to a question of the transfer command, one a prompt; nil gives up.
  case answer(UInt32, [SecretBytes]?)
  /// Ends the server; without force only when nothing would be lost.
  case shutDown(force: Bool)

  private enum Kind: UInt8 {
    case hello = 1
    case shutDown = 2
    case attach = 3
    case resized = 4
    case wantsStop = 5
    case resumed = 6
    case wantsDetach = 7
    case control = 8
    case secret = 9
    case transfer = 10
    case cancelTransfer = 11
    case answer = 12
    case runSnippet = 13
  }

  /// The largest payload of a kind, in bytes.
  static func limit(of kind: UInt8) -> Int {
    switch Kind(rawValue: kind) {
    case .control, .transfer, .runSnippet: 16 * 1024 * 1024
    case .attach: 1024 * 1024
    case .secret, .answer: 128 * 1024
    default: 4096
    }
  }

  var frame: [UInt8] {
    var writer = WireWriter()
    let kind: Kind
    switch self {
    case .hello(let protocolNumber, let build):
      kind = .hello
      writer.put(protocolNumber)
      writer.put(build)
    case .attach(let request, let modes):
      kind = .attach
      request.write(to: &writer)
      modes.write(to: &writer)
    case .resized: kind = .resized
    case .wantsStop: kind = .wantsStop
    case .resumed(let modes):
      kind = .resumed
      modes.write(to: &writer)
    case .wantsDetach(let reason):
      kind = .wantsDetach
      writer.put(reason)
    case .control(let json):
      kind = .control
      writer.put(json)
    case .secret(let field, let bytes):
      kind = .secret
      writer.put(field)
      writer.put(bytes.copyBytes())
    case .transfer(let json):
      kind = .transfer
      writer.put(json)
    case .runSnippet(let json):
      kind = .runSnippet
      writer.put(json)
    case .cancelTransfer: kind = .cancelTransfer
    case .answer(let number, let answers):
      kind = .answer
      writer.put(number)
      writer.put(answers != nil)
      writer.put(UInt32(clamping: answers?.count ?? 0))
      for answer in answers ?? [] { writer.put(answer.copyBytes()) }
    case .shutDown(let force):
      kind = .shutDown
      writer.put(force)
    }
    return FrameBuffer.frame(kind: kind.rawValue, payload: writer.bytes)
  }

  init(_ frame: FrameBuffer.Frame) throws(WireError) {
    guard let kind = Kind(rawValue: frame.kind) else { throw .unknownKind(frame.kind) }
    var reader = WireReader(frame.payload)
    switch kind {
    case .hello: self = .hello(protocolNumber: try reader.number(), build: try reader.string())
    case .attach:
      self = .attach(
        try AttachRequest(from: &reader),
        originalModes: try TerminalModes(from: &reader)
      )
    case .resized: self = .resized
    case .wantsStop: self = .wantsStop
    case .resumed: self = .resumed(originalModes: try TerminalModes(from: &reader))
    case .wantsDetach: self = .wantsDetach(reason: try reader.string())
    case .control: self = .control(try reader.byteString())
    case .secret:
      let field = try reader.string()
      var bytes = try reader.byteString()
      self = .secret(field: field, SecretBytes(wiping: &bytes))
    case .transfer: self = .transfer(try reader.byteString())
    case .runSnippet: self = .runSnippet(try reader.byteString())
    case .cancelTransfer: self = .cancelTransfer
    case .answer: self = try Self.answer(from: &reader)
    case .shutDown: self = .shutDown(force: try reader.flag())
    }
    // A later build may add fields to hello; everything else must be whole.
    if kind != .hello, !reader.isAtEnd { throw .malformed }
  }

  private static func answer(from reader: inout WireReader) throws(WireError) -> ClientMessage {
    let number = try reader.number()
    let isGiven = try reader.flag()
    var answers: [SecretBytes] = []
    for _ in 0..<(try reader.number()) {
      var bytes = try reader.byteString()
      answers.append(SecretBytes(wiping: &bytes))
    }
    return .answer(number, isGiven ? answers : nil)
  }
}

extension TerminalModes {
  nonisolated func write(to writer: inout WireWriter) {
    for flag in flags { writer.put(flag) }
    writer.put(line)
    writer.put(characters)
    for speed in speeds { writer.put(speed) }
  }

  nonisolated init(from reader: inout WireReader) throws(WireError) {
    var flags: [UInt32] = []
    for _ in 0..<4 { flags.append(try reader.number()) }
    let line = try reader.byte()
    let characters = try reader.byteString()
    let speeds = [try reader.number(), try reader.number()]
    guard
      let modes = TerminalModes(flags: flags, line: line, characters: characters, speeds: speeds)
    else { throw .malformed }
    self = modes
  }
}
