/// What a measurement is held to.
enum Budget {
  /// Ours divided by the peer's is at least this.
  case ratioAtLeast(Double)
  /// Ours divided by the peer's is at most this.
  case ratioAtMost(Double)
  /// Ours is at most this, in the measurement's unit.
  case oursAtMost(Double)

  /// How the budget is written.
  var text: String {
    switch self {
    case .ratioAtLeast(let limit): "ratio >= \(limit.short)"
    case .ratioAtMost(let limit): "ratio <= \(limit.short)"
    case .oursAtMost(let limit): "ours <= \(limit.short)"
    }
  }

  /// Whether a measurement keeps it; a ratio that is not known does not.
  func isKept(ours: Double, ratio: Double?) -> Bool {
    switch self {
    case .ratioAtLeast(let limit): (ratio ?? -.infinity) >= limit
    case .ratioAtMost(let limit): (ratio ?? .infinity) <= limit
    case .oursAtMost(let limit): ours <= limit
    }
  }
}
