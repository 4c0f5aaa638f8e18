public import TermindApplication
internal import TermindDomain

/// Words and numbers of transfers.
public enum TransferText {
  /// The sign of a batch: where the data goes.
  public static func sign(_ batch: TransferBatch) -> String {
    switch (batch.source.place, batch.target.place) {
    case (.thisMachine, .server): "↑"
    case (.server, .thisMachine): "↓"
    default: "⇄"
    }
  }

  /// What is copied from where to where, in a line.
  public static func title(_ batch: TransferBatch) -> String {
    "\(FileText.names(batch.names)) of \(batch.source.name) → \(place(batch.target))"
  }

  /// An end: `web1:/var/www`.
  public static func place(_ end: TransferEnd) -> String { "\(end.name):\(end.directory.text)" }

  /// How far a batch is, in a few characters: a share, else what is done.
  public static func progress(_ batch: TransferBatch) -> String {
    switch batch.state {
    case .waiting: return "lost"
    case .failed: return "failed"
    case .running, .paused, .done, .cancelled: return share(batch)
    }
  }

  /// How much of a batch is there, in a few characters, whatever it does.
  static func share(_ batch: TransferBatch) -> String {
    // What never began is no share of anything.
    if case .failed = batch.state, batch.foundCount == 0 { return "" }
    guard let share = batch.share else { return FileText.size(batch.byteCount) }
    return "\(Int(share * 100))%"
  }

  /// What a batch does, in a few words.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - timeToRetry: When a lost connection is tried again.
  /// - Returns: The words.
  public static func state(_ batch: TransferBatch, timeToRetry: Duration? = nil) -> String {
    switch batch.state {
    case .running:
      let verb = batch.isMove ? "moving" : "copying"
      return batch.isPlanned ? verb : "\(verb), looking for more"
    case .paused: return "paused"
    case .waiting:
      guard let timeToRetry else { return "waits for you" }
      return "connection lost, again in \(timeToRetry.components.seconds + 1) s"
    case .failed: return "failed"
    case .done:
      if batch.failureCount > 0 {
        return "done, \(FileText.grouped(UInt64(batch.failureCount))) failed"
      }
      return batch.isMove ? "moved" : "done"
    case .cancelled: return "cancelled"
    }
  }

  /// How much of a batch is there, in a line: files, bytes, speed and the time that is left.
  public static func amounts(_ batch: TransferBatch) -> String {
    let done = FileText.grouped(UInt64(batch.doneCount))
    let of = batch.isPlanned || !batch.isOpen ? "of" : "of at least"
    var parts = ["\(done) \(of) \(FileText.count(UInt64(batch.foundCount), "file"))"]
    parts.append("\(FileText.size(batch.byteCount)) of \(FileText.size(batch.foundBytes))")
    if batch.isOpen, let rate = batch.rate.bytesPerSecond { parts.append(speed(rate)) }
    if let left = batch.timeLeft { parts.append("\(time(left)) left") }
    if batch.failureCount > 0 {
      parts.append("\(FileText.grouped(UInt64(batch.failureCount))) failed")
    }
    if batch.skippedCount > 0 {
      parts.append("\(FileText.grouped(UInt64(batch.skippedCount))) left out")
    }
    return parts.joined(separator: " · ")
  }

  /// Bytes a second: `1.2 M/s`.
  public static func speed(_ bytesPerSecond: UInt64) -> String {
    "\(FileText.size(bytesPerSecond))/s"
  }

  /// A time to wait: `0:42`, `12:03`, `3:10:22`, `2 days`.
  public static func time(_ duration: Duration) -> String {
    let seconds = max(duration.components.seconds, 0)
    if seconds >= 86_400 { return FileText.count(UInt64(seconds / 86_400), "day") }
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
    guard seconds >= 3_600 else { return "\(minutes):\(two(rest))" }
    return "\(seconds / 3_600):\(two(minutes)):\(two(rest))"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// What a row does, in a word.
  public static func state(_ row: TransferRow) -> String {
    switch row.state {
    case .queued: "waits"
    case .running: "copying"
    case .paused: "paused"
    case .done: "done"
    case .skipped: "left out"
    case .cancelled: "cancelled"
    case .failed, .missing: "failed"
    }
  }

  /// The reason of a row that failed, in a sentence; nil for all others.
  public static func reason(_ row: TransferRow) -> String? {
    switch row.state {
    case .failed(let failure): ErrorText.sentence(failure, copying: row.item.source)
    case .missing(let error): ErrorText.sentence(error.about(row.item.source))
    case .queued, .running, .paused, .done, .skipped, .cancelled: nil
    }
  }

  /// The path of a row under the directory that it is copied from.
  public static func name(_ row: TransferRow, in batch: TransferBatch) -> String {
    guard let names = batch.source.directory.names(to: row.item.source), !names.isEmpty else {
      return row.item.source.text
    }
    return names.map(\.text).joined(separator: "/")
  }

  /// A note, in a sentence.
  public static func sentence(_ note: TransferNote) -> String {
    switch note {
    case .skipped(let path, let skip): ErrorText.sentence(skip, of: path)
    case .warned(let path, let error):
      "\(ErrorText.sentence(error.about(path))) What was copied is there."
    case .notRemoved(let error): "Still at its old place: \(ErrorText.sentence(error))"
    case .notDeleted(let error): "Not deleted: \(ErrorText.sentence(error))"
    case .surplusKept: "Nothing was deleted, since not everything was copied."
    case .changed(let path):
      "\(ErrorText.plain(path.text)): it is new, or has changed since it was copied; it stays at its old place."
    case .leftBehind(let path, let failure): ErrorText.sentence(failure, copying: path)
    }
  }
}
