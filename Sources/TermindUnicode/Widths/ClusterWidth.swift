/// How many terminal columns one grapheme cluster takes.
///
/// The widest scalar decides, except that VS16 right after an emoji base makes two columns, VS15 after
/// a wide emoji base one, and a pair of regional indicators (a flag) takes two.
public enum ClusterWidth {
  /// Returns 0, 1 or 2 for the scalars of one cluster; 0 only when nothing in it is visible.
  @inlinable public static func columns(of cluster: some Sequence<UInt32>) -> Int {
    var measure = ClusterMeasure()
    for scalar in cluster { measure.append(scalar) }
    return measure.columns
  }
}

/// Measures one cluster scalar by scalar, for a caller that meets them one at a time.
@frozen public struct ClusterMeasure: Hashable, Sendable {
  /// Columns of the scalars so far: 0, 1 or 2.
  @inlinable public var columns: Int { measured }

  @usableFromInline var measured: Int

  @usableFromInline var previous: ScalarProperties

  /// Creates the measure of an empty cluster.
  @inlinable public init() {
    measured = 0
    previous = ScalarProperties(.control, widthCode: 0)
  }

  /// Creates the measure of a cluster that starts with `scalar`.
  @inlinable public init(first scalar: UInt32) {
    previous = ScalarProperties.of(scalar)
    measured = previous.columns
  }

  /// Adds the next scalar of the same cluster.
  @inlinable public mutating func append(_ scalar: UInt32) {
    append(scalar, alone: nil)
  }

  /// Adds the next scalar of the same cluster, with a person's own widths.
  public mutating func append(_ scalar: UInt32, overrides: WidthOverrides) {
    append(scalar, alone: overrides[scalar])
  }

  @inlinable mutating func append(_ scalar: UInt32, alone: Int?) {
    let properties = ScalarProperties.of(scalar)
    switch scalar {
    case 0xFE0F: if previous.widensWithVS16 { measured = 2 }
    case 0xFE0E: if previous.narrowsWithVS15 { measured = 1 }
    default:
      let isFlag =
        properties.breakClass == .regionalIndicator && previous.breakClass == .regionalIndicator
      measured = isFlag ? 2 : max(measured, alone ?? properties.columns)
    }
    previous = properties
  }
}
