public import TermindDomain

/// One entry of a listing, with what it is sorted by.
public struct FileRow: Hashable, Sendable {
  /// The entry.
  public let entry: FileEntry
  /// The name in the order of people: letters of both cases together, numbers by their value.
  private let key: [UInt8]
  /// The first eight bytes of the key, which decide nearly every comparison.
  private let head: UInt64

  /// Prepares an entry.
  public init(_ entry: FileEntry) {
    self.entry = entry
    key = Self.key(of: entry.name.bytes)
    var head: UInt64 = 0
    for place in 0..<8 { head = head << 8 | (place < key.count ? UInt64(key[place]) : 0) }
    self.head = head
  }

  /// Its name.
  public var name: FileName { entry.name }
  /// Whether it is a directory itself; a link to one is none.
  public var isDirectory: Bool { entry.attributes.kind == .directory }

  /// Whether its name stands before another's; names that read alike are told apart by their bytes.
  func isNamedBefore(_ other: FileRow) -> Bool {
    if head != other.head { return head < other.head }
    let count = min(key.count, other.key.count)
    var place = min(8, count)
    while place < count {
      if key[place] != other.key[place] { return key[place] < other.key[place] }
      place += 1
    }
    if key.count != other.key.count { return key.count < other.key.count }
    return entry.name < other.entry.name
  }

  /// Bytes that sort as the name should: `web2` before `web10`, `Makefile` beside `make`.
  private static func key(of name: [UInt8]) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.count + 2)
    var place = 0
    while place < name.count {
      let byte = name[place]
      guard 0x30...0x39 ~= byte else {
        key.append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
        place += 1
        continue
      }
      var end = place
      while end < name.count, 0x30...0x39 ~= name[end] { end += 1 }
      let digits = name[place..<end].drop { $0 == 0x30 }
      // A longer number is a larger one; its length stands before it.
      key.append(0x30)
      key.append(UInt8(min(digits.count, 255)))
      key.append(contentsOf: digits)
      place = end
    }
    return key
  }
}

/// The entries of a directory as far as they are known, sorted.
public struct FileRows: Sendable {
  /// The entries in the order in which they came.
  public private(set) var rows: [FileRow] = []
  /// The places in `rows`, sorted.
  public private(set) var sorted: [Int] = []
  /// By what they are sorted.
  public private(set) var order: FileOrder
  /// What was listed but can be no name.
  public private(set) var rejectedNames: [String] = []

  /// The most rejected names that are kept.
  private static let rejectedLimit = 100

  /// Makes an empty listing.
  public init(order: FileOrder = FileOrder()) { self.order = order }

  /// Takes further entries; they are sorted among themselves and merged, so that a listing that grows costs little more
  /// than one that is there at once.
  public mutating func add(_ batch: [FileListingBatch]) {
    let start = rows.count
    for batch in batch {
      for entry in batch.entries { rows.append(FileRow(entry)) }
      let room = max(Self.rejectedLimit - rejectedNames.count, 0)
      rejectedNames += batch.rejectedNames.prefix(room)
    }
    guard rows.count > start else { return }
    let new = places(from: start)
    sorted = sorted.isEmpty ? new : merged(sorted, new)
  }

  /// Sorts them in another way.
  public mutating func sort(by order: FileOrder) {
    guard order != self.order else { return }
    self.order = order
    sorted = places(from: 0)
  }

  private func places(from start: Int) -> [Int] {
    let order = order
    return (start..<rows.count).sorted { order.precedes(rows[$0], rows[$1]) }
  }

  private func merged(_ left: [Int], _ right: [Int]) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(left.count + right.count)
    var next = 0
    for place in left {
      while next < right.count, order.precedes(rows[right[next]], rows[place]) {
        result.append(right[next])
        next += 1
      }
      result.append(place)
    }
    result += right[next...]
    return result
  }
}
