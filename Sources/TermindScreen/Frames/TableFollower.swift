/// What a frame writer remembers of a canvas's table, without sharing its storage.
struct TableFollower<Value: Hashable & Sendable>: Sendable {
  enum Change {
    /// Nothing is new.
    case same
    /// Entries from this place on are new.
    case extended(from: Int)
    /// It is another table: old places lead to new ones, `nil` where the value is not in it.
    case replaced([UInt32?])
  }

  private var values: [Value] = []
  private var lastStamp: UInt64 = 0

  mutating func follow(_ table: InternTable<Value>) -> Change {
    let known = values.count
    if known > 0, known <= table.count, table.stamps[known - 1] == lastStamp {
      if known == table.count { return .same }
      values.append(contentsOf: table.values[known...])
      lastStamp = table.stamps[table.count - 1]
      return .extended(from: known)
    }
    let map = values.map { table.place(of: $0) }
    values.removeAll(keepingCapacity: true)
    values.append(contentsOf: table.values)
    lastStamp = table.stamps[table.count - 1]
    return .replaced(map)
  }
}
