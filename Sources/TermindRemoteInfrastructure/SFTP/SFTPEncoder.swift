internal import TermindDomain

/// Builds one message: its length, its kind, its number, and what follows.
struct SFTPEncoder {
  private(set) var bytes: [UInt8]

  /// Starts a message; `number` is nil for the one message that has none.
  init(_ kind: SFTPKind, number: UInt32?, capacity: Int = 96) {
    bytes = []
    bytes.reserveCapacity(capacity)
    bytes += [0, 0, 0, 0, kind.rawValue]
    if let number { add(number) }
  }

  mutating func add(_ value: UInt8) { bytes.append(value) }

  mutating func add(_ value: UInt32) {
    bytes.append(UInt8(truncatingIfNeeded: value >> 24))
    bytes.append(UInt8(truncatingIfNeeded: value >> 16))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func add(_ value: UInt64) {
    add(UInt32(truncatingIfNeeded: value >> 32))
    add(UInt32(truncatingIfNeeded: value))
  }

  /// A string of the protocol: its length and its bytes.
  mutating func add(string: some Collection<UInt8>) {
    add(UInt32(truncatingIfNeeded: string.count))
    bytes.append(contentsOf: string)
  }

  mutating func add(string: ArraySlice<UInt8>) {
    add(UInt32(truncatingIfNeeded: string.count))
    bytes.append(contentsOf: string)
  }

  mutating func add(_ path: RemotePath) { add(string: path.bytes) }

  /// Attributes with only what is to be changed.
  mutating func add(_ change: FileAttributeChange) {
    let times = change.times.flatMap(SFTPAttributes.wireTimes)
    var flags: UInt32 = 0
    if change.size != nil { flags |= SFTPAttributes.size }
    if change.owner != nil { flags |= SFTPAttributes.owner }
    if change.permissions != nil { flags |= SFTPAttributes.permissions }
    if times != nil { flags |= SFTPAttributes.times }
    add(flags)
    if let size = change.size { add(size) }
    if let owner = change.owner {
      add(owner.userID)
      add(owner.groupID)
    }
    if let permissions = change.permissions { add(permissions & 0o7777) }
    if let times {
      add(times.accessed)
      add(times.modified)
    }
  }

  /// The whole message, with its length in front.
  consuming func finished() -> [UInt8] {
    let length = UInt32(truncatingIfNeeded: bytes.count - 4)
    bytes[0] = UInt8(truncatingIfNeeded: length >> 24)
    bytes[1] = UInt8(truncatingIfNeeded: length >> 16)
    bytes[2] = UInt8(truncatingIfNeeded: length >> 8)
    bytes[3] = UInt8(truncatingIfNeeded: length)
    return bytes
  }
}
