internal import TermindDomain

/// The files of a pack, each with what an earlier attempt left.
extension TreeCopy {
  /// What came of an attempt at a file.
  private enum Outcome {
    /// It is there, has failed, or is left out.
    case done
    /// It is to be tried again, because of a pause or of a connection that was lost.
    case again(CopyWork, lost: FileError?)
  }

  /// Copies the files of a pack.
  ///
  /// - Returns: How the connection was lost meanwhile.
  func run(_ pack: CopyPack, _ request: TreeCopyRequest, _ tally: TransferTally) async
    -> FileError?
  {
    let queue = request.queue
    let control = CopyControl()
    let unwanted = await queue.begin(pack, control)
    let outcomes: [Outcome]
    if pack.work.count == 1, unwanted.isEmpty {
      outcomes = [await runAlone(pack.work[0], control, request, tally)]
    } else {
      let wanted = pack.work.filter { !unwanted.contains($0.item.number) }
      // Under a limit each file waits for its own share.
      let isLimited = await request.bandwidth?.bytesPerSecond != nil
      let together = isLimited ? [] : wanted.filter { $0.isSmall && $0.stale == nil }
      outcomes = await withTaskGroup(of: [Outcome].self) { group in
        group.addTask { await attempt(together, control, request, tally) }
        for work in wanted where isLimited || !work.isSmall || work.stale != nil {
          group.addTask { [await attempt(work, control, request, tally)] }
        }
        for work in pack.work where unwanted.contains(work.item.number) {
          group.addTask { [await leaveOut(work, request, tally)] }
        }
        var outcomes: [Outcome] = []
        for await part in group { outcomes += part }
        return outcomes
      }
    }
    var again: [CopyWork] = []
    var lost: FileError?
    for case .again(let work, let error) in outcomes {
      again.append(work)
      lost = lost ?? error
    }
    again.sort { $0.item.number < $1.item.number }
    await queue.end(pack, again: again, isLost: lost != nil)
    return lost
  }

  /// Copies a file that a person may leave out while it runs.
  private func runAlone(
    _ work: CopyWork,
    _ control: CopyControl,
    _ request: TreeCopyRequest,
    _ tally: TransferTally
  ) async -> Outcome {
    let task = Task { await attempt(work, control, request, tally) }
    await request.queue.begin(work.item.number) { task.cancel() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Copies small files that no attempt left anything of, in few round trips for all of them.
  private func attempt(
    _ work: [CopyWork],
    _ control: CopyControl,
    _ request: TreeCopyRequest,
    _ tally: TransferTally
  ) async -> [Outcome] {
    guard !control.isPausing else { return work.map { .again($0, lost: nil) } }
    await tally.add(work.map { .started($0.item) })
    let results = await copier.copySmall(
      work.map { self.request(for: $0, control, request) }
    ) { tally.observe(.progressed(work[$0].item, $1)) }
    await tally.add(
      zip(work, results).compactMap { each, result in
        guard case .success(let result?) = result else { return nil }
        return .finished(each.item, result)
      }
    )
    return await withTaskGroup(of: Outcome.self) { group in
      for (each, result) in zip(work, results) {
        switch result {
        case .success(_?): continue
        case .success(nil): group.addTask { await attempt(each, control, request, tally) }
        case .failure(let failure): group.addTask { await take(failure, of: each, request, tally) }
        }
      }
      return await group.reduce(into: [Outcome]()) { $0.append($1) }
    }
  }

  private func request(
    for work: CopyWork,
    _ control: CopyControl,
    _ request: TreeCopyRequest
  ) -> CopyRequest {
    var options = request.options
    options.replaces = work.item.replaces
    return CopyRequest(
      source: FileLocation(request.source, work.item.source),
      target: FileLocation(request.target, work.item.target),
      options: options,
      checkpoint: work.checkpoint,
      control: control,
      bandwidth: request.bandwidth,
      expectedSize: work.item.size
    )
  }

  private func attempt(
    _ work: CopyWork,
    _ control: CopyControl,
    _ request: TreeCopyRequest,
    _ tally: TransferTally
  ) async -> Outcome {
    let item = work.item
    guard !control.isPausing else { return .again(work, lost: nil) }
    await tally.add(.started(item))
    do throws(CopyFailure) {
      if let result = try await settle(work, request) {
        await tally.add(.finished(item, result))
        return .done
      }
      let result = try await copier.copy(self.request(for: work, control, request)) {
        tally.observe(.progressed(item, $0))
      }
      await tally.add(.finished(item, result))
      return .done
    } catch {
      return await take(error, of: work, request, tally)
    }
  }

  /// Decides what follows a failed attempt.
  private func take(
    _ failure: CopyFailure,
    of work: CopyWork,
    _ request: TreeCopyRequest,
    _ tally: TransferTally
  ) async -> Outcome {
    let item = work.item
    var next = work
    next.checkpoint = failure.checkpoint
    next.stale = failure.checkpoint == nil ? failure.leftBehind : nil
    let isSkipped = await request.queue.isSkipped(item.number)
    switch failure.reason {
    case .paused:
      await tally.add(.paused(item))
      return .again(next, lost: nil)
    case .cancelled where isSkipped:
      await tally.add(.leftOut(item, failure.leftBehind == nil ? nil : failure))
      return .done
    case .operation(let step, let error):
      guard case .connectionLost = error.reason, request.recover != nil,
        await !request.queue.isDropped
      else { break }
      let place = failure.checkpoint?.milestones.last?.offset ?? 0
      let hasGoneOn = place > work.checkpoint?.milestones.last?.offset ?? 0
      next.losses = hasGoneOn ? 0 : work.losses + 1
      next.wasNaming = step == .renaming
      guard next.losses < Self.lossLimit else { break }
      await tally.add(.paused(item))
      return .again(next, lost: error)
    default: break
    }
    await tally.add(.failed(item, failure))
    return .done
  }

  /// Looks after what an earlier attempt left.
  ///
  /// - Returns: A result when the file turns out to be there: its name was given, and only the answer was lost.
  /// - Throws: Why the rest cannot be removed.
  private func settle(
    _ work: CopyWork,
    _ request: TreeCopyRequest
  ) async throws(CopyFailure) -> CopyResult? {
    guard let stale = work.stale else { return nil }
    let (item, files) = (work.item, request.target)
    // The next attempt looks after it in its turn.
    func unsettled(_ error: FileError) -> CopyFailure {
      var failure = CopyFailure(.operation(work.wasNaming ? .renaming : .writing, error))
      failure.leftBehind = stale
      return failure
    }
    do throws(FileError) {
      try await files.removeFile(stale)
      return nil
    } catch {
      guard error.reason == .notFound else { throw unsettled(error) }
    }
    // Nobody else knows the temporary name: it is gone because it became the file's.
    guard work.wasNaming, !item.replaces else { return nil }
    do throws(FileError) {
      let found = try await files.attributes(of: item.target, followingLinks: false)
      guard found.kind == .regular, let size = found.size, size == item.size else { return nil }
      return CopyResult(byteCount: size, digest: [], hasReplaced: false, warnings: [])
    } catch {
      guard error.reason == .notFound else { throw unsettled(error) }
      return nil
    }
  }

  private func leaveOut(
    _ work: CopyWork,
    _ request: TreeCopyRequest,
    _ tally: TransferTally
  ) async -> Outcome {
    let failure = await given(up: work, request)
    await tally.add(.leftOut(work.item, failure.leftBehind == nil ? nil : failure))
    return .done
  }

  /// Removes what attempts at a file left, and tells what could not be removed.
  func given(up work: CopyWork, _ request: TreeCopyRequest) async -> CopyFailure {
    var failure = CopyFailure(.cancelled)
    guard let path = work.checkpoint?.partial ?? work.stale else { return failure }
    let files = request.target
    // Also for a task that was cancelled: what it left has to go.
    let problem = await Task { () -> FileError? in
      do throws(FileError) {
        try await files.removeFile(path)
        return nil
      } catch { return error }
    }.value
    if let problem, problem.reason != .notFound {
      failure.leftBehind = path
      failure.leftBehindReason = problem
    }
    return failure
  }
}
