/// Words to find among bytes, with ASCII letters alike in both cases where asked for.
///
/// Two of its bytes, the ones that are rarest in text, are looked for at eight places at a time.
struct BytePattern {
  /// Lower-case where case is ignored.
  let bytes: [UInt8]
  let ignoresCase: Bool
  private let first: Int
  private let second: Int
  private let firstWord: UInt64
  private let secondWord: UInt64
  private let firstFold: UInt64
  private let secondFold: UInt64

  /// Takes bytes that are not empty.
  init(_ given: [UInt8], ignoresCase: Bool) {
    precondition(!given.isEmpty)
    let bytes = ignoresCase ? given.map(Self.folded) : given
    self.bytes = bytes
    self.ignoresCase = ignoresCase
    let order = bytes.indices.sorted { Self.frequency(bytes[$0]) < Self.frequency(bytes[$1]) }
    first = order[0]
    second = order.count > 1 ? order[1] : order[0]
    firstWord = UInt64(bytes[first]) &* 0x0101_0101_0101_0101
    secondWord = UInt64(bytes[second]) &* 0x0101_0101_0101_0101
    firstFold = Self.fold(bytes[first], ignoresCase)
    secondFold = Self.fold(bytes[second], ignoresCase)
  }

  private static func fold(_ byte: UInt8, _ ignoresCase: Bool) -> UInt64 {
    ignoresCase && (0x61...0x7A).contains(byte) ? 0x2020_2020_2020_2020 : 0
  }

  @inline(__always)
  private static func folded(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// How common a byte is in the output of programs, roughly.
  private static func frequency(_ byte: UInt8) -> Int {
    let common = Array(" etaoinrslc0d1u-mp2./f3h:45g6b798wy_vk,=xjqz".utf8)
    let lower = folded(byte)
    if let place = common.firstIndex(of: lower) {
      return byte == lower ? 100 - place : (100 - place) / 4
    }
    // The first byte of an encoded character is that of many others; the last one tells more.
    return byte >= 0xE0 ? 60 : byte >= 0xC0 ? 40 : 20
  }

  /// The first place from `from` on at which the words stand before `end`.
  ///
  /// - Parameters:
  ///   - memory: The bytes.
  ///   - from: The first place to look at.
  ///   - end: The end of the text.
  ///   - readable: The end of the bytes that may be read, at least `end`.
  /// - Returns: The place; nil when there is none.
  @unsafe
  func next(in memory: UnsafeRawPointer, from: Int, end: Int, readable: Int) -> Int? {
    let last = end &- bytes.count
    let fast = min(last, readable &- 8 &- max(first, second))
    var place = from
    while place <= fast {
      let one = unsafe memory.loadUnaligned(fromByteOffset: place &+ first, as: UInt64.self)
      let two = unsafe memory.loadUnaligned(fromByteOffset: place &+ second, as: UInt64.self)
      let odd =
        ((UInt64(littleEndian: one) | firstFold) ^ firstWord)
        | ((UInt64(littleEndian: two) | secondFold) ^ secondWord)
      // A bit for each byte that is zero; those above the lowest may be wrong, and are looked at again.
      var hits = (odd &- 0x0101_0101_0101_0101) & ~odd & 0x8080_8080_8080_8080
      while hits != 0 {
        let candidate = place &+ hits.trailingZeroBitCount &>> 3
        if candidate > last { return nil }
        if unsafe stands(in: memory, at: candidate) { return candidate }
        hits &= hits &- 1
      }
      place &+= 8
    }
    while place <= last {
      if unsafe stands(in: memory, at: place) { return place }
      place &+= 1
    }
    return nil
  }

  @unsafe @inline(__always)
  private func stands(in memory: UnsafeRawPointer, at start: Int) -> Bool {
    let wanted = bytes.span
    for place in wanted.indices {
      let byte = unsafe memory.load(fromByteOffset: start &+ place, as: UInt8.self)
      let want = unsafe wanted[unchecked: place]
      if byte != want, !(ignoresCase && Self.folded(byte) == want) { return false }
    }
    return true
  }
}
