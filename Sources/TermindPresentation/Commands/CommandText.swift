/// The words about commands of shells.
public enum CommandText {
  /// The longest piece of a command in a message.
  private static let longest = 60

  /// How long something took: `340ms`, `2.4s`, `3m 20s`, `1h 5m`.
  public static func duration(_ duration: Duration) -> String {
    let (whole, rest) = duration.components
    let milliseconds = whole * 1_000 + rest / 1_000_000_000_000_000
    switch milliseconds {
    case ..<1_000: return "\(milliseconds)ms"
    case ..<60_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100)s"
    case ..<3_600_000: return "\(milliseconds / 60_000)m \(milliseconds / 1_000 % 60)s"
    default: return "\(milliseconds / 3_600_000)h \(milliseconds / 60_000 % 60)m"
    }
  }

  /// A command in one row: its first line, with an ellipsis where more follows; continued lines are joined.
  public static func row(_ command: String) -> String {
    let joined = joined(command)
    guard let end = joined.firstIndex(where: \.isNewline) else { return joined }
    return joined[..<end] + " …"
  }

  /// A command with lines joined that end in a backslash.
  public static func joined(_ command: String) -> String {
    let lines = command.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var text = ""
    var isContinued = false
    for (place, line) in lines.enumerated() {
      if place > 0, !isContinued { text += "\n" }
      let backslashes = line.reversed().prefix { $0 == "\\" }.count
      // An even number of them is that many halves of escaped ones.
      isContinued = backslashes % 2 == 1 && place + 1 < lines.count
      let part = isContinued ? line.dropLast() : line
      text += place > 0 && text.last == " " ? part.drop { $0 == " " || $0 == "\t" } : part
    }
    return text
  }

  /// What a notification says about a command that has ended.
  public static func notification(
    name: String,
    command: String?,
    status: Int?,
    duration: Duration
  ) -> String {
    let what = command.map { row($0) } ?? "a command"
    let short = what.count > longest ? what.prefix(longest - 1) + "…" : what[...]
    let end =
      switch status {
      case .some(0): "done"
      case .some(let status): "failed with \(status)"
      case nil: "ended"
      }
    return "\(name): \(short) \(end) after \(Self.duration(duration))"
  }

  /// What stands at the right edge of a prompt's row about the command typed there; empty when it is not worth a word.
  public static func mark(status: Int?, duration: Duration?) -> (failure: String, time: String) {
    let failure = status.map { $0 == 0 ? "" : "✗ \($0)" } ?? ""
    let isLong = duration.map { $0 >= .seconds(1) } ?? false
    return (failure, isLong ? duration.map { Self.duration($0) } ?? "" : "")
  }
}
