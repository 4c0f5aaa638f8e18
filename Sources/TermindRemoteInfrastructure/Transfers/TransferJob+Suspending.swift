public import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// A transfer that is stopped with the server of Termind, and goes on with another one.
extension TransferJob {
  /// Takes what an earlier server left of it, once.
  func takeSuspended() -> SuspendedTransfer? {
    suspended.withLock { suspended in
      defer { suspended = nil }
      return suspended
    }
  }

  /// Stops it at a safe place, to go on another day; what is not done by then is not among what goes on by itself.
  ///
  /// Cancelling ends the wait for files under way. The run has to be cancelled afterwards.
  /// - Returns: What is needed to go on; nil when it is over.
  public func suspend() async -> SuspendedTransfer? {
    guard state.withLock({ $0.isOpen }) else { return nil }
    isSuspended.withLock { $0 = true }
    if let left = suspended.withLock({ $0 }) { return left }
    state.withLock { $0.pause() }
    let files = await withTaskCancellationHandler {
      await queue.suspend()
    } onCancel: {
      Task { await queue.stopWaiting() }
    }
    let batch = batch
    guard batch.isOpen else { return nil }
    // Those that the plan had not come to yet.
    let known = Set(files.map(\.item.number))
    let open = Set(batch.rows.filter { $0.state == .paused }.map(\.item.number))
    let others = resumed.withLock { $0 }.filter {
      open.contains($0.item.number) && !known.contains($0.item.number)
    }
    return left(of: batch, files: files + others)
  }

  private func left(of batch: TransferBatch, files: [SuspendedFile]) -> SuspendedTransfer {
    let (kept, removed) = moving.withLock { ($0.kept, $0.removed) }
    return SuspendedTransfer(
      batch,
      entries: plan.entries.filter { !removed.contains($0.name) },
      policy: plan.policy,
      newNames: plan.newNames,
      policies: plan.policies,
      mirror: plan.mirror,
      hasLeftOut: mirroring.withLock { $0.hasLeftOut },
      kept: kept,
      series: series,
      files: files
    )
  }

  // MARK: A server that is killed

  /// How much of it a record has to tell: it is written anew when that has grown.
  public var recordMark: Int {
    let (kept, removed) = moving.withLock { ($0.kept.count, $0.removed.count) }
    return state.withLock { $0.begun.count } + kept + removed
  }

  /// What another server needs to go on when this one ends without a word; nil when it is over.
  ///
  /// It names no temporary files: they are found by their series.
  public var record: SuspendedTransfer? {
    if let left = suspended.withLock({ $0 }) { return left }
    let batch = batch
    guard batch.isOpen else { return nil }
    var left = left(of: batch, files: [])
    left.wasCutOff = true
    return left
  }

  /// Removes what a server that was killed left at the target under temporary names.
  func removePartials(of left: SuspendedTransfer, _ target: any RemoteFileSystem) async {
    guard left.wasCutOff == true else { return }
    let directory = left.target.directory
    var failures = await FileTreeWalk.removePartials(
      of: series,
      in: directory,
      isDeep: false,
      of: target
    )
    for entry in left.entries where entry.attributes.kind == .directory {
      failures += await FileTreeWalk.removePartials(
        of: series,
        in: left.root(of: entry.name).target,
        isDeep: true,
        of: target
      )
    }
    state.withLock { batch in
      for failure in failures { batch.take(.warned(failure.path ?? directory, failure)) }
    }
  }

  /// Gives up what an earlier server left of it: removes what lies at the target under temporary names.
  @concurrent
  public func giveUp() async {
    guard let left = takeSuspended() else { return }
    let partials = left.files.compactMap { file in file.leftBehind.map { (file.item, $0) } }
    do throws(TransferOpenFailure) {
      if !partials.isEmpty || left.wasCutOff == true {
        let target = try await openTarget()
        for (item, path) in partials { await remove(path, of: item, target) }
        await removePartials(of: left, target)
        await target.close()
      }
    } catch {
      let directory = left.target.directory
      if left.wasCutOff == true {
        state.withLock { $0.take(.warned(directory, error.error.about(directory))) }
      }
      for (item, path) in partials { note(path, of: item, isLeft: error.error) }
    }
    state.withLock { $0.state = .cancelled }
  }

  private func remove(
    _ path: RemotePath,
    of item: TransferItem,
    _ files: any RemoteFileSystem
  ) async {
    do throws(FileError) {
      try await files.removeFile(path)
    } catch {
      if error.reason != .notFound { note(path, of: item, isLeft: error) }
    }
  }

  private func note(_ path: RemotePath, of item: TransferItem, isLeft error: FileError) {
    let failure = CopyFailure(.cancelled, leftBehind: path, leftBehindReason: error)
    state.withLock { $0.take(.leftOut(item, failure)) }
  }
}
