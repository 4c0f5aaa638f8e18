import Synchronization

/// The source of the stamps that tell entries of different tables apart.
private let nextStamp = Atomic<UInt64>(1)

/// An append-only list of distinct values; each is known by its place.
///
/// Every entry carries a stamp that no other entry of the process has, so that two tables can be compared in
/// one step: equal stamps at a place mean that the tables are equal up to that place.
struct InternTable<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private(set) var stamps: [UInt64] = []
  private var places: [Value: UInt32] = [:]
  private let first: Value
  private let limit: Int

  /// Makes a table whose place 0 holds `first`, which also stands in once `limit` entries exist.
  init(first: Value, limit: Int) {
    self.first = first
    self.limit = limit
    removeAll()
  }

  var count: Int { values.count }

  subscript(place: UInt32) -> Value { values[Int(place)] }

  mutating func intern(_ value: Value) -> UInt32 {
    if let place = places[value] { return place }
    guard values.count < limit else { return 0 }
    let place = UInt32(values.count)
    append(value)
    return place
  }

  func place(of value: Value) -> UInt32? { places[value] }

  /// Forgets everything but place 0.
  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    stamps.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    append(first)
  }

  /// Whether the other table's entries are the first entries of this one.
  func extends(_ other: InternTable) -> Bool {
    let last = other.count - 1
    return last < count && stamps[last] == other.stamps[last]
  }

  private mutating func append(_ value: Value) {
    places[value] = UInt32(values.count)
    values.append(value)
    stamps.append(nextStamp.wrappingAdd(1, ordering: .relaxed).oldValue)
  }
}
