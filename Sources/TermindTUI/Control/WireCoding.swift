/// Why bytes of the local socket make no message.
nonisolated enum WireError: Error, Hashable, Sendable {
  /// A field goes beyond the end, or is not what its kind asks for.
  case malformed
  /// A frame says that it is larger than its kind may be.
  case tooLarge(kind: UInt8, size: Int)
  /// A kind that this side does not take.
  case unknownKind(UInt8)
}

/// Puts the fields of a message together; numbers are little endian, byte strings carry their length.
nonisolated struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: UInt8) { bytes.append(value) }

  mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

  mutating func put(_ value: UInt32) {
    for shift in [0, 8, 16, 24] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func put(_ value: [UInt8]) {
    put(UInt32(clamping: value.count))
    bytes += value
  }

  mutating func put(_ value: String) { put(Array(value.utf8)) }

  mutating func put(_ values: [String]) {
    put(UInt32(clamping: values.count))
    for value in values { put(value) }
  }
}

/// Takes the fields of a message apart.
nonisolated struct WireReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var isAtEnd: Bool { place == bytes.endIndex }

  mutating func byte() throws(WireError) -> UInt8 {
    guard place < bytes.endIndex else { throw .malformed }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func flag() throws(WireError) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw .malformed
    }
  }

  mutating func number() throws(WireError) -> UInt32 {
    guard bytes.endIndex - place >= 4 else { throw .malformed }
    defer { place += 4 }
    return (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32($1 * 8) }
  }

  mutating func byteString() throws(WireError) -> [UInt8] {
    let count = Int(try number())
    guard count <= bytes.endIndex - place else { throw .malformed }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func string() throws(WireError) -> String {
    String(decoding: try byteString(), as: UTF8.self)
  }

  /// A list of strings, of at most `limit`.
  mutating func strings(limit: Int = 4096) throws(WireError) -> [String] {
    let count = Int(try number())
    guard count <= limit else { throw .malformed }
    var values: [String] = []
    for _ in 0..<count { values.append(try string()) }
    return values
  }
}

/// Cuts the stream of a local socket into frames: four bytes of length, one byte of kind, the payload.
nonisolated struct FrameBuffer {
  /// One frame.
  struct Frame: Hashable {
    let kind: UInt8
    let payload: ArraySlice<UInt8>
  }

  static let headerSize = 5
  private var bytes: [UInt8] = []
  private var start = 0
  private let limit: (UInt8) -> Int

  /// - Parameter limit: The largest payload of a kind, in bytes.
  init(limit: @escaping (UInt8) -> Int) { self.limit = limit }

  mutating func append(_ more: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Overwrites what was taken, when it held a secret.
  mutating func wipeTaken() {
    for place in 0..<start { bytes[place] = 0 }
  }

  /// The next whole frame; a header that promises too much is an error at once, before its payload is
  /// kept.
  mutating func next() throws(WireError) -> Frame? {
    guard bytes.count - start >= Self.headerSize else { return nil }
    var reader = WireReader(bytes[start...])
    let size = Int(try reader.number())
    let kind = try reader.byte()
    guard size <= limit(kind) else { throw .tooLarge(kind: kind, size: size) }
    let first = start + Self.headerSize
    guard bytes.count - first >= size else { return nil }
    start = first + size
    return Frame(kind: kind, payload: bytes[first..<first + size])
  }

  static func frame(kind: UInt8, payload: [UInt8]) -> [UInt8] {
    var writer = WireWriter()
    writer.put(UInt32(clamping: payload.count))
    writer.put(kind)
    return writer.bytes + payload
  }
}
