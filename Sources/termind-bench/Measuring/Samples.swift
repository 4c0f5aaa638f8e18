/// Figures of repeated runs.
struct Samples {
  private(set) var values: [Double] = []

  /// Adds the figure of one run.
  mutating func add(_ value: Double) { values.append(value) }

  /// The middle figure; of an even number the mean of both in the middle.
  var median: Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The smallest figure that `part` of the figures do not exceed; `part` is from 0 to 1.
  func percentile(_ part: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let place = (Double(sorted.count) * part).rounded(.up)
    return sorted[min(max(Int(place) - 1, 0), sorted.count - 1)]
  }
}
