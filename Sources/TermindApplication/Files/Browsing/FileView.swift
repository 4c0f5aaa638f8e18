import TermindDomain

/// Which entries of a listing are in sight.
public struct FileFilter: Hashable, Sendable {
  /// Whether names with a leading full stop are shown.
  public var showsHidden: Bool
  /// Parts of the name in either case, apart by blanks, all of which must be there; empty shows all.
  public var text: String

  /// Makes a filter.
  public init(showsHidden: Bool = false, text: String = "") {
    self.showsHidden = showsHidden
    self.text = text
  }

  /// Whether a text is filtered by.
  public var isActive: Bool { text.contains { $0 != " " } }

  fileprivate var words: [[UInt8]] {
    text.split(separator: " ").map { $0.utf8.map(FileFilter.lower) }
  }

  fileprivate static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// Whether a word stands somewhere in a name.
  fileprivate static func contains(_ name: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, name.count >= word.count else { return word.isEmpty }
    for start in 0...(name.count - word.count) where lower(name[start]) == first {
      var place = 1
      while place < word.count, lower(name[start + place]) == word[place] { place += 1 }
      if place == word.count { return true }
    }
    return false
  }
}

/// What has to be worked out anew: the rows in sight, in order.
///
/// A value that can be taken to another thread; a directory of 100,000 entries is sorted and filtered there.
public struct FileViewRequest: Sendable {
  /// The entries.
  let rows: FileRows
  /// How they are to be sorted.
  let order: FileOrder
  /// Which are to be seen.
  let filter: FileFilter
  /// The state of the model that this belongs to.
  let revision: UInt64

  /// How many entries there are to look at.
  public var count: Int { rows.rows.count }

  /// Works it out here and now.
  public func make() -> FileView {
    var rows = rows
    rows.sort(by: order)
    let words = filter.words
    var places: [Int] = []
    places.reserveCapacity(rows.sorted.count)
    var hidden = 0
    for place in rows.sorted {
      let name = rows.rows[place].entry.name
      if !filter.showsHidden, name.isHidden {
        hidden += 1
        continue
      }
      if words.allSatisfy({ FileFilter.contains(name.bytes, $0) }) { places.append(place) }
    }
    return FileView(rows: rows, places: places, hiddenCount: hidden, revision: revision)
  }

  /// Works it out on another thread.
  @concurrent public func prepared() async -> FileView { make() }
}

/// The rows in sight of one listing.
public struct FileView: Sendable {
  /// The entries, sorted.
  let rows: FileRows
  /// The places of those in sight.
  let places: [Int]
  /// How many were left out for their leading full stop.
  let hiddenCount: Int
  /// The state of the model that it belongs to.
  let revision: UInt64
}
