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
    let (kept, removed) = moving.withLock { ($0.kept, $0.removed) }
    let batch = batch
    guard batch.isOpen else { return nil }
    // Those that the plan had not come to yet.
    let known = Set(files.map(\.item.number))
    let open = Set(batch.rows.filter { $0.state == .paused }.map(\.item.number))
    let others = resumed.withLock { $0 }.filter {
      open.contains($0.item.number) && !known.contains($0.item.number)
    }
    return SuspendedTransfer(
      batch,
      entries: plan.entries.filter { !removed.contains($0.name) },
      policy: plan.policy,
      newNames: plan.newNames,
      policies: plan.policies,
      kept: kept,
      files: files + others
    )
  }

  /// Gives up what an earlier server left of it: removes what lies at the target under temporary names.
  @concurrent
  public func giveUp() async {
    guard let left = takeSuspended() else { return }
    let partials = left.files.compactMap { file in file.leftBehind.map { (file.item, $0) } }
    do throws(TransferOpenFailure) {
      if !partials.isEmpty {
        let target = try await openTarget()
        for (item, path) in partials { await remove(path, of: item, target) }
        await target.close()
      }
    } catch {
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
