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
  /// Elements are moved in place: a copy of a record counts a reference for each of its texts. It is inlinable
  /// because for an unknown type of element each move is a call: for 10,000 hosts 11 ms instead of 1 ms.
  /// - Parameter name: What an element is called; of equal names none changes its place to the other.
  @inlinable public mutating func sort(byName name: (Element) -> String) {
    var sources = NameOrder(map(name)).indices
    unsafe withUnsafeMutableBufferPointer { elements in
      for start in sources.indices where sources[start] != start {
        // Each place gets its element from the next place on the way, until the way is closed.
        let first = unsafe elements.moveElement(from: start)
        var place = start
        while sources[place] != start {
          let next = sources[place]
          unsafe elements.initializeElement(at: place, to: elements.moveElement(from: next))
          sources[place] = place
          place = next
        }
        unsafe elements.initializeElement(at: place, to: first)
        sources[place] = place
      }
    }
  }
}

/// The order of names, found without moving what they name: records are large, and lists have thousands.
@usableFromInline
struct NameOrder {
  /// The places of the names in their order.
  @usableFromInline let indices: [Int]

  @usableFromInline
  init(_ names: [String]) {
    let keys = names.map { $0.lowercased() }
    let places = keys.enumerated().map { Place(index: $0.offset, key: $0.element) }
    indices = places.sorted { left, right in
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
      var key = key
      (start, isASCII) = key.withUTF8 { bytes in
        var high: UInt64 = 0
        var low: UInt64 = 0
        for place in 0..<8 {
          high = unsafe high << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0)
        }
        for place in 8..<16 {
          low = unsafe low << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0)
        }
        // A shorter name comes first, as zeros do.
        return unsafe (UInt128(high) << 64 | UInt128(low), bytes.allSatisfy { $0 < 0x80 })
      }
    }
  }
}
