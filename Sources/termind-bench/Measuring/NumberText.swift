extension Double {
  /// The number with a precision that fits its size, for a person.
  var short: String {
    guard isFinite else { return "-" }
    switch abs(self) {
    case 100...: return "\(Int(rounded()))"
    case 10...: return Self.trimmed(rounded(digits: 1))
    case 1...: return Self.trimmed(rounded(digits: 2))
    default: return Self.trimmed(rounded(digits: 3))
    }
  }

  /// Rounds to so many digits after the point.
  func rounded(digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { value, _ in value * 10 }
    return (self * scale).rounded() / scale
  }

  private static func trimmed(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}

extension String {
  /// The text with blanks after it, at least `width` characters and one blank long.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }

  /// The text with blanks before it, at least `width` characters long.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double { seconds * 1000 }

  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
