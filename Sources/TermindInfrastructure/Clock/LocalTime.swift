internal import Glibc

/// The time of day where the person is, as the system's time zone has it.
public struct LocalTime: Hashable, Sendable {
  /// The year, such as 2026.
  public let year: Int
  /// From 1 to 12.
  public let month: Int
  /// From 1 to 31.
  public let day: Int
  /// From 0 to 23.
  public let hour: Int
  /// From 0 to 59.
  public let minute: Int

  /// Converts a moment; a change of the system's time zone is noticed.
  ///
  /// A Foundation calendar says the same, but takes longer to be made than a whole frame to be drawn.
  /// - Parameter time: Seconds since 1970.
  public init(at time: Int64) {
    var time = time_t(time)
    var parts = unsafe tm()
    tzset()
    unsafe _ = localtime_r(&time, &parts)
    year = unsafe Int(parts.tm_year) + 1900
    month = unsafe Int(parts.tm_mon) + 1
    day = unsafe Int(parts.tm_mday)
    hour = unsafe Int(parts.tm_hour)
    minute = unsafe Int(parts.tm_min)
  }
}
