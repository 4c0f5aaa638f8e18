/// A string sequence (OSC, DCS, APC, PM, SOS) while it is collected.
struct StringSequence {
  enum Kind {
    case osc, dcs
    /// APC, PM and SOS: nothing here listens to them.
    case ignored
  }

  /// Most bytes kept of a string: a clipboard text of 1 MiB in base64, and its head.
  static let most = 1_398_104 + 256

  private(set) var kind = Kind.ignored
  private(set) var bytes: [UInt8] = []
  /// Whether the string was longer than what is kept.
  private(set) var isTooLong = false

  /// Whether BEL and not ST ended the string.
  var endedByBell = false

  mutating func begin(_ kind: Kind) {
    self.kind = kind
    last = 0
    isTooLong = false
    if bytes.capacity > 65_536 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
  }

  /// The last byte that came, kept or not: 0xC2 before 0x9C makes U+009C.
  private(set) var last: UInt8 = 0

  var endsWithC1Lead: Bool { last == 0xC2 }

  /// Passes over a control character that is no part of the string.
  mutating func skip() { last = 0 }

  /// Removes the lead byte of an 8-bit terminator.
  mutating func dropLast() {
    if !isTooLong { _ = bytes.popLast() }
  }

  mutating func append(_ part: Slice<UnsafeRawBufferPointer>) {
    if let end = unsafe part.last { last = end }
    guard kind != .ignored else { return }
    let room = Self.most - bytes.count
    if unsafe part.count > room { isTooLong = true }
    unsafe bytes.append(contentsOf: part.prefix(room))
  }

  mutating func append(_ byte: UInt8) {
    last = byte
    guard kind != .ignored else { return }
    if bytes.count < Self.most { bytes.append(byte) } else { isTooLong = true }
  }
}
