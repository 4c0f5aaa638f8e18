extension HostRecord {
  /// The longest name, in UTF-8 bytes.
  public static let maximumNameLength = 255

  /// Whether a name may be saved: not empty, no blanks at its ends, nothing invisible, not too long.
  public static func isValidName(_ name: String) -> Bool {
    FieldRules.problem(ofName: name) == nil
  }
}

extension Sequence<HostRecord> {
  /// The hosts by name, letters of both cases together; equal ones by exact name.
  public func sortedByName() -> [HostRecord] { sorted(byName: \.name) }
}

extension Sequence {
  /// The elements by name, letters of both cases together; equal ones by exact name.
  ///
  /// - Parameter name: What an element is called.
  /// - Returns: The elements in order; those of one name stay as they stand.
  public func sorted(byName name: (Element) -> String) -> [Element] {
    var elements = Array(self)
    elements.sort(byName: name)
    return elements
  }
}

extension Array {
  /// Puts the elements in the order of their names, letters of both cases together.
  ///
  /// Elements are exchanged in place: a copy of a record counts a reference for each of its texts.
  /// - Parameter name: What an element is called; of equal names none changes its place to the other.
  public mutating func sort(byName name: (Element) -> String) {
    var sources = NameOrder(map(name)).indices
    for start in indices where sources[start] != start {
      // Each place gets its element from the next place on the way, until the way is closed.
      var place = start
      while sources[place] != start {
        let next = sources[place]
        swapAt(place, next)
        sources[place] = place
        place = next
      }
      sources[place] = place
    }
  }
}

/// The order of names, found without moving what they name: records are large, and lists have thousands.
struct NameOrder {
  /// The places of the names in their order.
  let indices: [Int]

  init(_ names: [String]) {
    let keys = names.map { $0.lowercased() }
    let order = keys.enumerated().map { Place(index: $0.offset, key: $0.element) }
    indices = order.sorted { left, right in
      // Of names in ASCII the first bytes mostly decide; all other comparisons are the strings'.
      if left.isASCII, right.isASCII, left.start != right.start {
        return left.start < right.start
      }
      let (first, second) = (left.index, right.index)
      return (keys[first], names[first], first) < (keys[second], names[second], second)
    }.map(\.index)
  }

  private struct Place {
    let index: Int
    let start: UInt128
    let isASCII: Bool

    init(index: Int, key: String) {
      self.index = index
      var start: UInt128 = 0
      var count = 0
      var all: UInt8 = 0
      for byte in key.utf8 {
        all |= byte
        if count < 16 { start = start << 8 | UInt128(byte) }
        count += 1
      }
      // A shorter name comes first, as zeros do.
      self.start = count < 16 ? start << UInt128(8 * (16 - count)) : start
      isASCII = all < 0x80
    }
  }
}
