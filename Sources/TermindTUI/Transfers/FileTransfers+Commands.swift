import TermindApplication

/// Copies that were asked for on a command line: they stand among the drops until somebody clears them.
extension FileTransfers {
  /// Shows what a command copies.
  ///
  /// - Parameters:
  ///   - ends: Whose files its ends are; nil where a host would not be found again.
  ///   - stop: Ends the command.
  ///   - make: Makes the batch of a number.
  /// - Returns: The batch.
  func show(
    between ends: Ends?,
    stop: @escaping () -> Void,
    _ make: (Int) -> TransferCommandBatch
  ) -> TransferCommandBatch {
    lastNumber += 1
    let work = make(lastNumber)
    jobs[lastNumber] = Running(work: work, origin: .command(ends, stop: stop))
    list.set(work.batch)
    record(lastNumber)
    look()
    onChange?()
    return work
  }

  /// Takes the end of a command's batch: its client was told, and panes show what is there now.
  func end(_ work: TransferCommandBatch) {
    let batch = work.batch
    jobs[work.number] = nil
    forget(work.number)
    list.set(batch)
    finished()
    onCommandEnd?(batch)
  }

  /// Whether a batch is, or was, one of a command.
  func isOfCommand(_ number: Int) -> Bool {
    guard let running = jobs[number] else { return list.batch(number) != nil }
    return running.isCommand
  }
}
