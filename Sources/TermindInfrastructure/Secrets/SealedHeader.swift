/// The first bytes of a sealed file: how its key is made, and what follows.
///
/// Numbers are big-endian. The passphrase gives a key that opens the wrapped key, and that one opens
/// the content. The content's seal covers the whole header. The checksum covers what stands before it,
/// so that a header that was damaged by accident is not taken for a wrong passphrase.
struct SealedHeader: Equatable {
  /// Why bytes are no header.
  enum Fault: Error, Equatable {
    case notSealed
    case truncated
    case damaged
    case newer(version: Int)
  }

  static let magic = Array("tmsealed".utf8)
  static let version: UInt32 = 1
  static let byteCount = 172
  /// No content is larger: 64 MiB.
  static let contentLimit = 64 << 20

  var cost: SealCost
  var salt: [UInt8]
  var keyNonce: [UInt8]
  var wrappedKey: [UInt8] = []
  var contentNonce: [UInt8] = []
  /// The bytes that follow, with the seal's tag.
  var contentByteCount = 0

  private static let wrappedByteCount = Sodium.keyByteCount + Sodium.tagByteCount
  private static let checkedByteCount = byteCount - Sodium.checksumByteCount

  /// A header for a new passphrase; its key is wrapped afterwards.
  init(cost: SealCost) {
    self.cost = cost
    salt = Sodium.random(Sodium.saltByteCount)
    keyNonce = Sodium.random(Sodium.nonceByteCount)
  }

  /// Reads a header from the start of a file.
  init(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    let bytes = Array(bytes.prefix(Self.byteCount))
    guard bytes.starts(with: Self.magic.prefix(bytes.count)) else { throw .notSealed }
    guard bytes.count == Self.byteCount else { throw .truncated }
    let version = Self.number(bytes[8..<12])
    if version != UInt64(Self.version) {
      // One wrong bit in the number must not look like another program's file.
      var repaired = bytes
      repaired.replaceSubrange(8..<12, with: Self.bytes(UInt64(Self.version), 4))
      guard !Self.isGenuine(repaired), version > Self.version else { throw .damaged }
      throw .newer(version: Int(version))
    }
    guard Self.isGenuine(bytes),
      let cost = SealCost(
        passes: UInt32(Self.number(bytes[12..<16])),
        memoryKiB: UInt32(Self.number(bytes[16..<20]))
      )
    else { throw .damaged }
    self.cost = cost
    salt = Array(bytes[20..<36])
    keyNonce = Array(bytes[36..<60])
    wrappedKey = Array(bytes[60..<108])
    contentNonce = Array(bytes[108..<132])
    let count = Self.number(bytes[132..<140])
    guard count >= UInt64(Sodium.tagByteCount), count <= UInt64(Self.contentLimit) else {
      throw .damaged
    }
    contentByteCount = Int(count)
  }

  /// The header as it stands in the file.
  var bytes: [UInt8] {
    var bytes = keyContext
    bytes += keyNonce
    bytes += wrappedKey
    bytes += contentNonce
    bytes += Self.bytes(UInt64(contentByteCount), 8)
    return bytes + Sodium.checksum(bytes[...])
  }

  /// What the wrapped key's seal covers: everything that its key is made from.
  var keyContext: [UInt8] {
    var bytes = Self.magic
    bytes += Self.bytes(UInt64(Self.version), 4)
    bytes += Self.bytes(UInt64(cost.passes), 4)
    bytes += Self.bytes(UInt64(cost.memoryKiB), 4)
    return bytes + salt
  }

  private static func isGenuine(_ bytes: [UInt8]) -> Bool {
    Sodium.checksum(bytes[..<checkedByteCount]).elementsEqual(bytes[checkedByteCount...])
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
  }
}
