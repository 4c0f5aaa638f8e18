import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Prints what a transfer command tells: objects for scripts; for people a line that says how far it is, and what went wrong.
struct TransferCommandOutput {
  private let request: TransferCommandRequest
  private let telling: TransferCommandArguments.Telling
  private let showsProgress: Bool
  private var hasProgress = false
  private var rate = TransferRate()

  init(_ request: TransferCommandRequest, _ telling: TransferCommandArguments.Telling) {
    self.request = request
    self.telling = telling
    showsProgress =
      telling != .json && telling != .quiet && StandardStream.error.isTerminal
  }

  /// Prints an error; the exit status that goes with it.
  func fail(_ error: ControlError) -> UInt8 {
    if hasProgress { StandardStream.error.say(Self.clearing) }
    return RecordOutput.fail(error, isJSON: telling == .json)
  }

  /// Takes the line that says how far it is away.
  mutating func clearProgress() {
    if hasProgress { StandardStream.error.say(Self.clearing) }
    hasProgress = false
  }

  private static let clearing = "\r\u{1B}[K"

  /// Shows a line.
  mutating func show(_ line: TransferCommandLine) throws(ControlError) {
    guard telling != .json else { return try CommandOutput.write(ControlOutput.encode(line)) }
    switch line.event {
    case .progress: showProgress(line)
    case .note:
      clearProgress()
      StandardStream.error.say(ControlOutput.safe(line.message ?? "") + "\n")
    case .failed, .warning, .skipped, .omitted:
      clearProgress()
      let text = line.message ?? "\(line.files ?? 0) lines were left out."
      // What was left out as wished is only worth a word to those who want all.
      if line.event == .failed || telling != .quiet {
        StandardStream.error.say("termind: \(ControlOutput.safe(text))\n")
      }
    case .copied, .directory, .link, .removed:
      guard telling == .verbose || request.isDryRun else { return }
      clearProgress()
      try CommandOutput.write(ControlOutput.safe(Self.text(line)) + "\n")
    case .end:
      clearProgress()
      guard telling == .verbose || request.isDryRun || showsProgress else { return }
      StandardStream.error.say(TransferCommandText.summary(line) + "\n")
    }
  }

  private static func text(_ line: TransferCommandLine) -> String {
    let would = line.dryRun == true ? "would " : ""
    let target = line.target ?? ""
    return switch line.event {
    case .copied: "\(would)\(would.isEmpty ? "copied" : "copy") \(line.source ?? "") to \(target)"
    case .directory: "\(would)\(would.isEmpty ? "made" : "make") \(target)/"
    case .link: "\(would)\(would.isEmpty ? "linked" : "link") \(target)"
    default: "\(would)\(would.isEmpty ? "removed" : "remove") \(target)"
    }
  }

  private mutating func showProgress(_ line: TransferCommandLine) {
    guard showsProgress else { return }
    rate.note(line.bytes ?? 0, at: .now)
    // `try?`: what is no terminal has no width; nothing is shown there.
    let columns = (try? TerminalDevice.standard(2).size())?.columns ?? 80
    let text = TransferCommandText.progress(line, bytesPerSecond: rate.bytesPerSecond)
    StandardStream.error.say(Self.clearing + text.prefix(max(columns - 1, 10)))
    hasProgress = true
  }
}

/// How fast bytes come, over the last seconds.
nonisolated struct TransferRate: Sendable {
  private static let span = Duration.seconds(4)
  private var marks: [(bytes: UInt64, at: ContinuousClock.Instant)] = []

  mutating func note(_ bytes: UInt64, at time: ContinuousClock.Instant) {
    marks.append((bytes, time))
    while marks.count > 2, marks[0].at.advanced(by: Self.span) < time { marks.removeFirst() }
  }

  /// Nil until there is something to tell.
  var bytesPerSecond: UInt64? {
    guard let first = marks.first, let last = marks.last, last.bytes > first.bytes else {
      return nil
    }
    let seconds = (last.at - first.at) / .seconds(1)
    return seconds > 0.2 ? UInt64(Double(last.bytes - first.bytes) / seconds) : nil
  }
}

/// The words of a transfer command.
nonisolated enum TransferCommandText {
  /// How far it is, in one line.
  static func progress(_ line: TransferCommandLine, bytesPerSecond: UInt64?) -> String {
    let (files, bytes) = (line.files ?? 0, line.bytes ?? 0)
    let (found, foundBytes) = (line.foundFiles ?? 0, line.foundBytes ?? 0)
    let isPlanned = line.planned == true
    let of = isPlanned ? "of" : "of at least"
    var parts = [
      "\(FileText.grouped(files)) \(of) \(FileText.count(found, "file"))",
      "\(FileText.size(bytes)) \(of) \(FileText.size(foundBytes))",
    ]
    if isPlanned, foundBytes > 0 { parts.append("\(min(bytes * 100 / foundBytes, 100))%") }
    if let bytesPerSecond, bytesPerSecond > 0 {
      parts.append("\(FileText.size(bytesPerSecond))/s")
      if isPlanned, foundBytes > bytes {
        parts.append("\(time((foundBytes - bytes) / bytesPerSecond)) left")
      }
    }
    return parts.joined(separator: ", ")
  }

  private static func time(_ seconds: UInt64) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func padded(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }

  /// What became of it, in one line.
  static func summary(_ line: TransferCommandLine) -> String {
    let isDry = line.dryRun == true
    var parts = ["\(FileText.count(line.files ?? 0, "file")) (\(FileText.size(line.bytes ?? 0)))"]
    for (count, thing, things) in [
      (line.directories, "directory", "directories"), (line.links, "link", "links"),
    ] {
      if let count, count > 0 { parts.append(FileText.count(count, thing, things)) }
    }
    var text = parts.joined(separator: ", ") + (isDry ? " would be copied" : " copied")
    for (count, words) in [
      (line.removed, isDry ? "would be removed" : "removed"), (line.same, "the same"),
      (line.skipped, "left out"), (line.failed, "failed"),
    ] {
      if let count, count > 0 { text += ", \(FileText.grouped(count)) \(words)" }
    }
    return text + (line.cancelled == true ? "; stopped." : ".")
  }
}
