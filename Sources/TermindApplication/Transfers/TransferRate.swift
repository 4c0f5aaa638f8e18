/// How fast something goes: the mean of the last few seconds.
public struct TransferRate: Hashable, Sendable {
  /// The time that counts.
  public static let span = Duration.seconds(5)
  /// The time between two readings that are kept.
  private static let step = Duration.milliseconds(250)

  private struct Reading: Hashable {
    let time: Duration
    let count: UInt64
  }

  private var readings: [Reading] = []

  /// Makes a rate of which nothing is known.
  public init() {}

  /// Notes how much is done at a time; a number that is smaller than before begins anew.
  public mutating func note(_ count: UInt64, at time: Duration) {
    if let last = readings.last {
      if count < last.count { readings = [] }
      if time - last.time < Self.step { return }
    }
    readings.append(Reading(time: time, count: count))
    // One older than the span is kept, so that a slow one has two readings to compare.
    while readings.count > 2, time - readings[1].time >= Self.span { readings.removeFirst() }
  }

  /// Forgets everything, as after a pause.
  public mutating func reset() { readings = [] }

  /// Bytes a second; nil while too little is known.
  public var bytesPerSecond: UInt64? {
    guard let first = readings.first, let last = readings.last, last.time > first.time else {
      return nil
    }
    let time = last.time - first.time
    return UInt64(Double(last.count - first.count) / (time / .seconds(1)))
  }
}
