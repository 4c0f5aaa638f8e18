import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// A transfer that was not over when a server ended, as its file has it.
nonisolated struct KeptTransfer: Codable, Hashable, Sendable {
  /// What is left to do.
  let transfer: SuspendedTransfer
  /// From where, as a restart finds it again.
  let source: SavedPaneContent
  /// To where.
  let target: SavedPaneContent

  /// Takes what is left between two ends.
  @MainActor init(_ transfer: SuspendedTransfer, _ ends: FileTransfers.Ends) {
    self.transfer = transfer
    source = ends.source.saved
    target = ends.target.saved
  }
}

/// Transfers that wait for the next server of Termind.
extension FileTransfers {
  /// How long the end of a server waits for what runs to pause.
  static let pauseLimit = Duration.seconds(3)
  /// How long it then waits for connections to close.
  private static let closeLimit = Duration.seconds(1)

  /// Lets all of them pause at a safe place, and writes down what is left to do.
  ///
  /// A file that does not pause in time is removed at the target, as far as that is still reached, and copied anew.
  func end() async {
    looking?.cancel()
    let open = jobs.filter { $0.value.drop != nil && list.batch($0.key)?.isOpen == true }
    guard !open.isEmpty else { return await writing?.value ?? () }
    let found = Locked<[Int: SuspendedTransfer]>([:])
    if file != nil { await suspend(open, found) }
    let tasks = open.values.compactMap(\.task)
    for task in tasks { task.cancel() }
    await BoundedWait.run(within: file == nil ? Self.pauseLimit : Self.closeLimit) { finish in
      Task {
        for task in tasks { await task.value }
        finish()
      }
    }
    // What the file holds was not read yet: it stays as it is.
    guard hasRead else { return }
    // A command forgets itself as it ends; one that does not end in time is left as after a kill.
    kept = kept.filter { jobs[$0.key]?.isCommand == true }
    for (number, transfer) in found.withLock({ $0 }) {
      guard let ends = open[number]?.ends else { continue }
      kept[number] = [KeptTransfer(transfer, ends)]
    }
    keep()
    await writing?.value
  }

  private func suspend(
    _ open: [Int: Running],
    _ found: Locked<[Int: SuspendedTransfer]>
  ) async {
    let tasks = open.map { number, running in
      Task {
        if let left = await running.drop?.job.suspend() { found.withLock { $0[number] = left } }
      }
    }
    await BoundedWait.run(within: Self.pauseLimit) { finish in
      Task {
        for task in tasks { await task.value }
        finish()
      }
    }
    // Whatever has not paused by now is left out.
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Brings back what an earlier server left; it waits until somebody lets it go on.
  ///
  /// - Parameter routes: Finds the way to hosts that were only typed.
  /// - Returns: What is to be told of it.
  func bringBack(_ routes: RouteBuilder) async -> [String] {
    guard let file else { return [] }
    let (value, problem) = await file.read()
    hasRead = true
    var problems = problem.map { [$0] } ?? []
    for each in value ?? [] {
      guard let source = each.source.filesTarget(services, routes),
        let target = each.target.filesTarget(services, routes)
      else {
        let names = FileText.names(each.transfer.entries.map(\.name))
        let ends = "\(each.transfer.source.name) to \(each.transfer.target.name)"
        problems.append("The copy of \(names) from \(ends) cannot go on: a host is gone.")
        continue
      }
      add(each, from: source, to: target)
    }
    // What began before the file was read stands in it from here on.
    if isBehind { keep() }
    onChange?()
    return problems
  }

  private func add(
    _ each: KeptTransfer,
    from source: PaneContent.FilesTarget,
    to target: PaneContent.FilesTarget
  ) {
    lastNumber += 1
    let left = each.transfer
    let batch = TransferBatch(number: lastNumber, resuming: left)
    let plan = TransferJob.Plan(
      entries: left.entries,
      policy: left.policy,
      newNames: left.newNames,
      policies: left.policies,
      mirror: left.mirror
    )
    let job = job(batch, plan, from: source, to: target, resuming: left)
    let drop = Drop(job: job, source: source, target: target)
    jobs[lastNumber] = Running(drop, isWaiting: true)
    kept[lastNumber] = [each]
    list.set(batch)
  }

  /// Writes down what runs, for a server that comes after this one was killed.
  func record(_ number: Int) {
    guard let running = jobs[number], let ends = running.ends,
      running.task != nil || running.isCommand
    else { return }
    let mark = running.work.recordMark
    guard marks[number] != mark else { return }
    let records = running.work.records
    guard !records.isEmpty else { return }
    marks[number] = mark
    kept[number] = records.map { KeptTransfer($0, ends) }
    keep()
  }

  /// A transfer is over: the next server does not hear of it.
  func forget(_ number: Int) {
    marks[number] = nil
    if kept.removeValue(forKey: number) != nil { keep() }
  }

  /// Writes down what is left to do, one change at a time.
  private func keep() {
    guard let file else { return }
    isBehind = true
    guard hasRead, writing == nil else { return }
    writing = Task { [weak self, log = services.log] in
      while let self, isBehind {
        isBehind = false
        let left = kept.sorted { $0.key < $1.key }.flatMap(\.value)
        do throws(WholeFileError) {
          try await file.write(left.isEmpty ? nil : left)
        } catch { log.write(.warning, "transfers were not kept: \(error)") }
      }
      self?.writing = nil
    }
  }
}
