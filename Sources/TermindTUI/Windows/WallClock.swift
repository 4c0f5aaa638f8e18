import FoundationEssentials

/// The time of day for the tab bar.
enum WallClock {
  /// Hours and minutes of the local time, `14:07`.
  static func text(_ date: Date = Date()) -> String {
    let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
    let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// How long ago a time (seconds since 1970) was: `2 min`, `3 h`, `5 d`.
  static func age(since time: Int64) -> String {
    let seconds = max(Int64(Date().timeIntervalSince1970) - time, 0)
    switch seconds {
    case ..<60: return "now"
    case ..<3_600: return "\(seconds / 60) min"
    case ..<86_400: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) d"
    }
  }

  /// How long the text stays true.
  static func timeToNextMinute(_ date: Date = Date()) -> Duration {
    let seconds = date.timeIntervalSince1970
    let left = 60 - seconds.truncatingRemainder(dividingBy: 60)
    return .milliseconds(Int(left * 1000) + 5)
  }
}
