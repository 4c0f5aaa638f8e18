import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// What becomes of transfers in the windows.
extension WindowServer {
  /// The time from which on the end of a transfer rings.
  private static let longTime = Duration.seconds(20)

  /// Hears of transfers.
  func watchTransfers() {
    transfers.onChange = { [weak self] in
      guard let self else { return }
      for window in windows.values { window.transfersChanged() }
    }
    transfers.onProblem = { [weak self] text in
      guard let self else { return }
      for window in windows.values { window.show(Notice(.problem, text)) }
    }
    transfers.onEnd = { [weak self] in self?.ended($0, after: $1) }
    // Whoever ran the command is told by it.
    transfers.onCommandEnd = { [weak self] batch in
      self?.filesChanged(at: batch.target.place, batch.target.directory, except: nil)
    }
  }

  private func ended(_ batch: TransferBatch, after time: Duration) {
    endWhenIdle()
    filesChanged(at: batch.target.place, batch.target.directory, except: nil)
    if batch.isMove { filesChanged(at: batch.source.place, batch.source.directory, except: nil) }
    let notice = notice(of: batch)
    if notice.kind == .problem {
      services.log.write(.warning, "transfer \(batch.number): \(notice.text)")
    }
    for window in windows.values {
      window.show(notice)
      if time >= Self.longTime { window.ring() }
    }
  }

  /// What is said of a transfer that is over.
  private func notice(of batch: TransferBatch) -> Notice {
    let count = FileText.count(UInt64(batch.doneCount), "file")
    let done = "\(count) (\(FileText.size(batch.byteCount)))"
    let verb = batch.isMove ? "moved" : "copied"
    let place = TransferText.place(batch.target)
    let key = looks.keymap.keysText(for: .showTransfers)
    let more = key.map { " \($0) shows them." } ?? ""
    switch batch.state {
    case .failed(let error): return Notice(.problem, ErrorText.sentence(error))
    case .cancelled:
      let left = batch.notes.contains { if case .leftBehind = $0 { true } else { false } }
      return Notice(
        left ? .problem : .info,
        "Cancelled; \(done) \(verb) to \(place)."
          + (left ? " Not all that was begun could be removed.\(more)" : "")
      )
    case .running, .paused, .waiting, .done: break
    }
    guard batch.failureCount == 0 else {
      let failed = FileText.grouped(UInt64(batch.failureCount))
      return Notice(.problem, "\(failed) not \(verb) to \(place); \(done) were.\(more)")
    }
    guard batch.stayingCount == 0 else {
      let staying = FileText.count(UInt64(batch.stayingCount), "entry stays", "entries stay")
      return Notice(.problem, "\(done) copied to \(place); \(staying) at the old place.\(more)")
    }
    let skipped = batch.skippedCount > 0 ? ", \(batch.skippedCount) left out" : ""
    let deleted = batch.deletedCount > 0 ? ", \(batch.deletedCount) deleted there" : ""
    guard batch.notDeletedCount == 0 else {
      return Notice(
        .problem,
        "\(done) \(verb) to \(place)\(deleted), \(batch.notDeletedCount) could not be deleted.\(more)"
      )
    }
    return Notice(.done, "\(done) \(verb) to \(place)\(skipped)\(deleted).")
  }

  /// What is copied into the directory that a pane shows.
  func transfer(into files: FilesController) -> TransferBatch? {
    files.model.directory.flatMap { transfers.batch(into: $0, of: files.target.place) }
  }

  /// What runs, for the sidebar.
  var runningTransfers: [Sidebar.Running] {
    transfers.list.open.map { batch in
      Sidebar.Running(
        sign: TransferText.sign(batch),
        name: FileText.names(batch.names),
        state: batch.isPaused ? "‖" + TransferText.progress(batch) : TransferText.progress(batch)
      )
    }
  }

  /// What runs, for the status line: how many, how far, how fast.
  var transferSummary: String {
    let open = transfers.list.open
    guard !open.isEmpty else { return "" }
    let rate = open.reduce(UInt64(0)) {
      $0 &+ ($1.state == .running ? $1.rate.bytesPerSecond ?? 0 : 0)
    }
    let speed = rate > 0 ? " \(TransferText.speed(rate))" : ""
    let progress = open.count == 1 ? " \(TransferText.progress(open[0]))" : ""
    let isIdle = open.allSatisfy { $0.state != .running }
    return "\(isIdle ? "‖" : "⇅") \(open.count)\(progress)\(speed)"
  }
}
