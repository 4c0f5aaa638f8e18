/// Reads what libssh2 1.10 drops from packets of the authentication and channel phases.
///
/// libssh2 tells neither the methods nor the partial success of a refusal, nor the text of a refused
/// channel, nor the banner. It keeps each packet's payload in memory that it takes from us, so the
/// payload can be read when it is given back (RFC 4252 sections 5.1 and 5.4, RFC 4254 section 5.1).
/// What is found here only adds knowledge; nothing depends on it being found.
struct PacketObserver {
  /// A refusal of the last request.
  struct Refusal: Hashable {
    var methods: [String]
    var isPartial: Bool
  }

  /// Who made a connection that the server has accepted for us.
  struct ForwardOrigin: Hashable {
    /// Where it was made to.
    var port: Int
    var host: [UInt8]
    /// Who made it, as the server says.
    var from: String
    var fromPort: Int
  }

  var isActive = false
  private(set) var refusal: Refusal?
  private(set) var channelRefusal: String?
  private var openedChannel: UInt32?
  private var passwordChange: String?
  /// Our numbers of the channels whose program has told how it ended.
  private var endedChannels: Set<UInt32> = []
  private var banners: [String] = []
  /// Whether the server was asked to listen for us.
  var isListening = false
  private var origins: [ForwardOrigin] = []
  private var live: Set<UInt> = []

  /// Takes the refusal seen since the last call.
  mutating func takeRefusal() -> Refusal? {
    defer { refusal = nil }
    return refusal
  }

  /// Takes the text of the last refused channel.
  mutating func takeChannelRefusal() -> String? {
    defer { channelRefusal = nil }
    return channelRefusal
  }

  /// Takes the server's words about a password that it wants changed (RFC 4252 section 8).
  ///
  /// Its number means other things to other methods: only what came after a password tells something.
  mutating func takePasswordChange() -> String? {
    defer { passwordChange = nil }
    return passwordChange
  }

  /// Takes our number of the channel that was opened last.
  mutating func takeOpenedChannel() -> UInt32? {
    defer { openedChannel = nil }
    return openedChannel
  }

  /// Whether a channel was told how its program ended; that is forgotten with the call.
  mutating func takeProgramEnd(of channel: UInt32) -> Bool { endedChannels.remove(channel) != nil }

  /// Takes the banners seen since the last call.
  mutating func takeBanners() -> [String] {
    defer { banners.removeAll() }
    return banners
  }

  mutating func allocated(_ address: UInt) {
    guard isActive else { return }
    live.insert(address)
  }

  /// Looks at memory before it is given back.
  mutating func releasing(_ address: UInt, _ memory: UnsafeRawBufferPointer) {
    guard isActive else { return }
    live.remove(address)
    unsafe read(memory)
  }

  /// Looks at a channel request before it is given back, also while nothing else is looked at.
  ///
  /// libssh2 answers zero for a program that never told its status (RFC 4254 section 6.10).
  mutating func releasingRequest(_ memory: UnsafeRawBufferPointer) {
    guard let kind = unsafe Self.string(memory, at: 5, limit: 64) else { return }
    guard kind.bytes == Self.exitStatus || kind.bytes == Self.exitSignal else { return }
    endedChannels.insert(unsafe Self.number(memory, at: 1))
  }

  /// Notes who connected when the server opens a forwarded connection, which libssh2 reads and forgets (RFC 4254
  /// section 7.2).
  mutating func releasingOpen(_ memory: UnsafeRawBufferPointer) {
    guard isListening, let kind = unsafe Self.string(memory, at: 1, limit: 64),
      kind.bytes == Self.forwarded,
      let host = unsafe Self.string(memory, at: kind.end + 12, limit: 1_024),
      let from = unsafe Self.string(memory, at: host.end + 4, limit: 1_024),
      from.end + 4 <= memory.count
    else { return }
    let origin = ForwardOrigin(
      port: Int(unsafe Self.number(memory, at: host.end)),
      host: host.bytes,
      from: String(decoding: from.bytes, as: UTF8.self),
      fromPort: Int(unsafe Self.number(memory, at: from.end))
    )
    if origins.count >= Self.originBound { origins.removeFirst() }
    origins.append(origin)
  }

  /// Takes who made the next connection to a place at which the server listens for us.
  mutating func takeOrigin(host: String, port: Int) -> ForwardOrigin? {
    let name = Array(host.utf8)
    guard let place = origins.firstIndex(where: { $0.port == port && $0.host == name }) else {
      return nil
    }
    return origins.remove(at: place)
  }

  /// Forgets who knocked at a place, once every connection from there was taken.
  mutating func forgetOrigins(host: String, port: Int) {
    guard !origins.isEmpty else { return }
    let name = Array(host.utf8)
    origins.removeAll { $0.port == port && $0.host == name }
  }

  private static let forwarded = Array("forwarded-tcpip".utf8)
  private static let originBound = 1_024
  private static let exitStatus = Array("exit-status".utf8)
  private static let exitSignal = Array("exit-signal".utf8)

  /// Looks for banners, which libssh2 1.10 keeps until the session ends.
  ///
  /// - Parameter memory: Gives the usable bytes at an address that was allocated and not released.
  mutating func scan(_ memory: (UInt) -> UnsafeRawBufferPointer) {
    for address in live {
      let bytes = unsafe memory(address)
      guard unsafe bytes.first == 53, let text = unsafe Self.banner(bytes) else { continue }
      banners.append(text)
      live.remove(address)
    }
  }

  mutating func stop() {
    isActive = false
    live.removeAll()
  }

  private mutating func read(_ memory: UnsafeRawBufferPointer) {
    guard let kind = unsafe memory.first else { return }
    switch kind {
    case 51: if let found = unsafe Self.refusal(memory) { refusal = found }
    case 53: if let text = unsafe Self.banner(memory) { banners.append(text) }
    case 60: passwordChange = unsafe Self.banner(memory)
    case 91: if memory.count >= 17 { openedChannel = unsafe Self.number(memory, at: 1) }
    case 92: if let text = unsafe Self.channelRefusal(memory) { channelRefusal = text }
    default: break
    }
  }

  static func refusal(_ memory: UnsafeRawBufferPointer) -> Refusal? {
    guard let names = unsafe string(memory, at: 1, limit: 1_024), names.end < memory.count,
      unsafe memory[names.end] <= 1
    else { return nil }
    let isListOfNames = names.bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isListOfNames else { return nil }
    let methods = names.bytes.split(separator: UInt8(ascii: ","))
      .map { String(decoding: $0, as: UTF8.self) }
    return Refusal(methods: methods, isPartial: unsafe memory[names.end] == 1)
  }

  static func banner(_ memory: UnsafeRawBufferPointer) -> String? {
    guard let text = unsafe string(memory, at: 1, limit: 65_536),
      let language = unsafe string(memory, at: text.end, limit: 64),
      language.bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  static func channelRefusal(_ memory: UnsafeRawBufferPointer) -> String? {
    guard memory.count >= 13, let text = unsafe string(memory, at: 9, limit: 4_096) else {
      return nil
    }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private static func number(_ memory: UnsafeRawBufferPointer, at start: Int) -> UInt32 {
    var number: UInt32 = 0
    for index in start..<(start + 4) { unsafe number = number << 8 | UInt32(memory[index]) }
    return number
  }

  private static func string(
    _ memory: UnsafeRawBufferPointer,
    at start: Int,
    limit: Int
  ) -> (bytes: [UInt8], end: Int)? {
    guard start + 4 <= memory.count else { return nil }
    let length = unsafe Int(number(memory, at: start))
    let end = start + 4 + length
    guard length <= limit, end <= memory.count else { return nil }
    return (unsafe Array(memory[(start + 4)..<end]), end)
  }
}
