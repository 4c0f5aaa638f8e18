import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// The time of day for the tab bar.
enum WallClock {
  /// The text of a minute since 1970; each frame shows it.
  private static var known: (minute: Int64, text: String)?

  /// Hours and minutes of the local time, `14:07`.
  static func text(_ date: Date = Date()) -> String {
    let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
    let minute = seconds / 60
    if let known, known.minute == minute { return known.text }
    let time = LocalTime(at: seconds)
    let text = "\(digits(time.hour)):\(digits(time.minute))"
    known = (minute, text)
    return text
  }

  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// A moment (seconds since 1970) as a local date and time, `2026-11-30 14:07`.
  static func date(_ time: Int64) -> String {
    let local = LocalTime(at: time)
    return "\(local.year)-\(digits(local.month))-\(digits(local.day)) "
      + "\(digits(local.hour)):\(digits(local.minute))"
  }

  /// The time of a file in twelve columns: `Nov 30 09:40` in this year, else `Jan  1  2049`.
  static func fileTime(_ time: FileTime) -> String {
    let local = LocalTime(at: time.seconds)
    return FileText.time(
      year: local.year,
      month: local.month,
      day: local.day,
      hour: local.hour,
      minute: local.minute,
      thisYear: LocalTime(at: seconds).year
    )
  }

  /// The present moment, seconds since 1970.
  nonisolated static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }

  /// How long ago a time (seconds since 1970) was: `2 min`, `3 h`, `5 d`.
  static func age(since time: Int64) -> String { AgeText.short(seconds - time) }

  /// How long the text stays true.
  static func timeToNextMinute(_ date: Date = Date()) -> Duration {
    let seconds = date.timeIntervalSince1970
    let left = 60 - seconds.truncatingRemainder(dividingBy: 60)
    return .milliseconds(Int(left * 1000) + 5)
  }
}
