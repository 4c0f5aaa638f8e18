/// Finds the edges of extended grapheme clusters, one scalar at a time (UAX #29).
///
/// Incremental: the answers do not depend on how the text was cut into pieces. The rules are in the
/// generator of the transition table, Scripts/generate-unicode.
@frozen public struct GraphemeBreaker: Hashable, Sendable {
  /// What is known of a scalar in its text.
  @frozen public struct Step: Hashable, Sendable {
    /// Whether a cluster starts with it.
    public let startsCluster: Bool

    /// The columns that it takes alone: 0, 1 or 2.
    public let columns: Int

    @inlinable init(startsCluster: Bool, columns: Int) {
      self.startsCluster = startsCluster
      self.columns = columns
    }
  }

  @usableFromInline var state: UInt8

  /// Creates a breaker at the start of a text.
  @inlinable public init() { state = ScalarTable.start }

  /// Forgets the text so far; the next scalar starts a cluster.
  @inlinable public mutating func reset() { state = ScalarTable.start }

  /// Reads the next scalar and tells whether a cluster starts with it.
  @inlinable public mutating func isBoundary(before scalar: UInt32) -> Bool {
    step(scalar).startsCluster
  }

  /// Reads the next scalar and tells in one look-up whether a cluster starts with it and how wide it is.
  @inlinable public mutating func step(_ scalar: UInt32) -> Step {
    if scalar < 0x300, scalar >= 0x20, scalar &- 0x7F > 0x30 {
      // Printable ASCII, Latin-1 letters and Latin Extended belong to no class.
      let startsCluster = state != ScalarTable.prepend
      state = ScalarTable.plain
      return Step(startsCluster: startsCluster, columns: 1)
    }
    let properties = ScalarProperties.of(scalar)
    return Step(
      startsCluster: advance(over: properties.rawValue &>> 2),
      columns: properties.columns
    )
  }

  /// Reads the next scalar, known by the number of its class.
  @inlinable mutating func advance(over breakClass: UInt8) -> Bool {
    let place = Int(state) &<< 5 | Int(breakClass)
    let entry = unsafe ScalarTable.transitions.utf8Start[place] ^ 0x40
    state = entry & 0x0F
    return entry & 0x10 != 0
  }
}
