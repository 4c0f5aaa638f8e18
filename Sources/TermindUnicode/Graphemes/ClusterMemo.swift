/// Remembers what a cluster becomes when one more scalar joins it.
///
/// Text repeats its clusters, so a terminal that keeps clusters by number can find the next number and
/// width here without building the scalars again. Direct-mapped and of a fixed size: a newer entry may
/// push out an older one, and a miss costs only the long way. Forget all when numbers are given anew.
@frozen public struct ClusterMemo: Sendable {
  /// What a cluster became.
  @frozen public struct Entry: Hashable, Sendable {
    /// The caller's number of the longer cluster.
    public let number: UInt32
    /// The columns that it takes.
    public let columns: Int

    /// Makes an entry.
    @inlinable public init(number: UInt32, columns: Int) {
      self.number = number
      self.columns = columns
    }
  }

  /// Pairs of key and value; the key 0 is never used, since no scalar that joins a cluster is 0.
  @usableFromInline var slots: [UInt64]

  private static var size: Int { 1024 }

  /// Creates a memo that knows nothing.
  public init() { slots = [UInt64](repeating: 0, count: Self.size * 2) }

  /// Forgets everything.
  public mutating func removeAll() {
    for index in slots.indices { slots[index] = 0 }
  }

  /// Returns what became of a cluster, when it is remembered.
  ///
  /// - Parameters:
  ///   - cluster: A number below 2 to the power of 43 that stands for the cluster so far.
  ///   - scalar: The scalar that joins it; not 0.
  /// - Returns: What was remembered.
  @inlinable public func entry(of cluster: UInt64, adding scalar: UInt32) -> Entry? {
    let key = Self.key(cluster, scalar)
    let place = Self.place(key)
    guard slots[place] == key else { return nil }
    let value = slots[place + 1]
    return Entry(number: UInt32(truncatingIfNeeded: value >> 2), columns: Int(value & 3))
  }

  /// Remembers what became of a cluster.
  public mutating func remember(_ entry: Entry, of cluster: UInt64, adding scalar: UInt32) {
    let key = Self.key(cluster, scalar)
    let place = Self.place(key)
    slots[place] = key
    slots[place + 1] = UInt64(entry.number) << 2 | UInt64(entry.columns & 3)
  }

  @inlinable static func key(_ cluster: UInt64, _ scalar: UInt32) -> UInt64 {
    cluster &<< 21 | UInt64(scalar & 0x1F_FFFF)
  }

  /// The place of a key's slot pair.
  @inlinable static func place(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 54) &<< 1
  }
}
