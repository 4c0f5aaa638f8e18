internal import TermindDomain

/// The names that were seen of one directory: all their bytes in one place, since there can be very many.
struct NameSet {
  /// Each name behind its length in four bytes.
  private var bytes: [UInt8] = []
  /// Where each name begins, counted from 1, at the place that its hash tells or after it; 0 is free.
  private var places: [Int] = []
  private var count = 0

  /// Adds a name.
  ///
  /// - Parameter name: The name.
  /// - Returns: Whether it was not there before.
  mutating func insert(_ name: FileName) -> Bool {
    // Half of the places stay free, so that the way to one is short.
    if count * 2 >= places.count { grow() }
    let mask = places.count - 1
    var place = Self.hash(name.bytes[...]) & mask
    while places[place] != 0 {
      if self.name(at: places[place]).elementsEqual(name.bytes) { return false }
      place = (place + 1) & mask
    }
    places[place] = bytes.count + 1
    count += 1
    let length = UInt32(name.bytes.count)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
    bytes += name.bytes
    return true
  }

  private func name(at place: Int) -> ArraySlice<UInt8> {
    let start = place - 1
    let length = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    return bytes[(start + 4)..<(start + 4 + length)]
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: max(old.count * 2, 64))
    let mask = places.count - 1
    for start in old where start != 0 {
      var place = Self.hash(name(at: start)) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = start
    }
  }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize() & Int.max
  }
}
