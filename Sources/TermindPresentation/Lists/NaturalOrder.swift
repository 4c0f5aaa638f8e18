/// The order in which people read names: letters of both cases together, numbers by their value.
enum NaturalOrder {
  /// A key whose bytes sort as the name should: `web2` before `web10`.
  static func key(_ name: String) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.utf8.count + 4)
    var digits: [UInt8] = []
    func close() {
      guard !digits.isEmpty else { return }
      let value = digits.drop { $0 == 0x30 }
      // A longer number is a larger one; its length stands before it.
      key.append(0x30)
      key.append(UInt8(min(value.count, 255)))
      key.append(contentsOf: value)
      digits.removeAll(keepingCapacity: true)
    }
    let small = name.utf8.allSatisfy { $0 < 0x80 } ? name : name.lowercased()
    for byte in small.utf8 {
      if (0x30...0x39).contains(byte) {
        digits.append(byte)
      } else {
        close()
        key.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
    }
    close()
    return key
  }

  /// The places of names, sorted; equal ones keep their order.
  static func places(_ names: [String]) -> [Int] {
    let keys = names.map(key)
    return keys.indices.sorted { left, right in
      if keys[left].lexicographicallyPrecedes(keys[right]) { return true }
      return keys[left] == keys[right] && left < right
    }
  }
}
