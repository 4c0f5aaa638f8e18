/// The grapheme clusters of several scalars that cells refer to, by number.
///
/// As with styles, clusters that no cell uses are forgotten when the table grows past its limit.
struct ClusterTable {
  /// Most scalars of one cluster; more are dropped, as no script needs them.
  static let longest = 16

  private var clusters: [[UInt32]] = []
  private var numbers: [[UInt32]: UInt32] = [:]
  private var free: [UInt32] = []
  private static let smallestLimit = 4_096
  /// Clusters that may exist before unused ones are forgotten: twice those that were used the last time.
  private var limit = Self.smallestLimit

  var isOverLimit: Bool { numbers.count > limit }

  subscript(index: UInt32) -> [UInt32] {
    Int(index) < clusters.count ? clusters[Int(index)] : []
  }

  /// The number of a cluster, new when it is not yet known.
  mutating func intern(_ scalars: [UInt32]) -> UInt32 {
    if let known = numbers[scalars] { return known }
    let index: UInt32
    if let reused = free.popLast() {
      index = reused
      clusters[Int(index)] = scalars
    } else {
      index = UInt32(clusters.count)
      clusters.append(scalars)
    }
    numbers[scalars] = index
    return index
  }

  /// Forgets every cluster whose number is not marked.
  mutating func keepOnly(_ marked: [Bool]) {
    free.removeAll(keepingCapacity: true)
    numbers.removeAll()
    for index in clusters.indices.reversed() {
      if marked[index] {
        numbers[clusters[index]] = UInt32(index)
      } else {
        clusters[index] = []
        free.append(UInt32(index))
      }
    }
    limit = max(Self.smallestLimit, numbers.count * 2)
  }

  /// An unset mark for every number.
  func emptyMarks() -> [Bool] { [Bool](repeating: false, count: clusters.count) }
}
