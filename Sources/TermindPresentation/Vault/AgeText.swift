/// Spans of time as a list shows them.
public enum AgeText {
  /// A span that goes on to now: `now`, `2 min`, `3 h`, `5 d`.
  public static func short(_ seconds: Int64) -> String {
    seconds < 60 ? "now" : duration(seconds)
  }

  /// A span in its largest unit: `12 s`, `2 min`, `3 h`, `5 d`.
  public static func duration(_ seconds: Int64) -> String {
    switch max(seconds, 0) {
    case let seconds where seconds < 60: "\(seconds) s"
    case let seconds where seconds < 3_600: "\(seconds / 60) min"
    case let seconds where seconds < 86_400: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
