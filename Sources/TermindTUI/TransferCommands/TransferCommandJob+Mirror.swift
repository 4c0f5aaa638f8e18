import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// Making one directory hold what another one holds.
nonisolated extension TransferCommandJob {
  /// What a comparison has found.
  private actor Found {
    private(set) var surplus = MirrorSurplus()
    /// Files of one size and time that hold other bytes.
    private(set) var contents: [[FileName]] = []

    func take(_ difference: TreeDifference) {
      surplus.take(difference)
      if difference.kind == .content { contents.append(difference.names) }
    }
  }

  /// The directories of a mirror, links in their paths resolved.
  private struct Pair {
    let source: OpenedHost
    let from: RemotePath
    let target: OpenedHost
    let to: RemotePath
  }

  func mirror(
    _ place: TransferCommandPlace,
    _ source: OpenedHost,
    _ target: OpenedHost
  ) async throws(ControlError) {
    let pair = try await pair(place, source, target)
    if request.isDryRun { return try await preview(pair) }
    var work = TransferCommandBatch.Work(policy: request.policy)
    work.add(CopyRoot(source: pair.from, target: pair.to), FileAttributes(kind: .directory))
    let batch = await show(
      [pair.from.name ?? pair.to.name].compactMap { $0 },
      source.shown(pair.from.parent ?? pair.from),
      target.shown(pair.to.parent ?? pair.to),
      work
    )
    let found = Found()
    if request.deletes { try await compare(pair, by: .sizeAndTime) { await found.take($0) } }
    let mirror = TreeMirror(source: pair.from, target: pair.to, surplus: await found.surplus)
    tally.withLock {
      $0.planning = 1
      $0.expected = mirror
    }
    await copyTrees(
      [CopyRoot(source: pair.from, target: pair.to)],
      (source, target),
      policy: request.policy,
      as: batch
    )
    tally.withLock { $0.expected = nil }
    if request.comparesContents, request.policy != .skip { try await mend(pair, batch) }
    guard request.deletes, !Task.isCancelled else { return }
    await finish(mirror, pair, batch)
  }

  /// Takes away what does not belong there, if all of the source is there.
  private func finish(_ mirror: TreeMirror, _ pair: Pair, _ batch: TransferCommandBatch) async {
    guard !mirror.surplus.isEmpty else { return }
    guard tally.withLock({ $0.isWhole }) else { return tell(.kept, pair, batch) }
    await mirror.finish(from: pair.source.files, to: pair.target.files) {
      await batch.queue.waitWhilePaused()
    } copy: { roots in
      tally.withLock { $0.planning = 1 }
      await copyTrees(roots, (pair.source, pair.target), policy: request.policy, as: batch)
      return tally.withLock { $0.isWhole }
    } tell: {
      tell($0, pair, batch)
    }
  }

  private func tell(_ event: TreeMirror.Event, _ pair: Pair, _ batch: TransferCommandBatch) {
    batch.take(event)
    tally.withLock { tally in
      switch event {
      case .removed(let path, let count): tally.remove(path, count: count, pair.target.name)
      case .notRemoved(let error):
        tally.fail(ErrorText.sentence(error), TransferCommandTally.code(error))
      case .kept:
        tally.fail("Nothing was deleted, since not everything was copied.", .notPossible)
      }
    }
  }

  private func pair(
    _ place: TransferCommandPlace,
    _ source: OpenedHost,
    _ target: OpenedHost
  ) async throws(ControlError) -> Pair {
    let (typed, to) = (try path(place), try path(request.target))
    let from = try await resolved(typed, source)
    guard let kind = try await kind(of: from, source) else {
      throw ControlError(.notFound, "\(source.text(typed)): there is no such directory.")
    }
    guard kind == .directory else {
      throw ControlError(.notPossible, "\(source.text(typed)) is no directory; cp copies files.")
    }
    let there = try await self.kind(of: to, target)
    guard there == nil || there == .directory else {
      throw ControlError(.notPossible, "\(target.text(to)) is no directory.")
    }
    let resolved = try await resolved(to, target)
    do throws(CopyFailure) {
      try await TreeMirror.check(
        source.location(from),
        target.location(resolved),
        deletes: request.deletes,
        isDryRun: request.isDryRun
      )
    } catch {
      if case .refused = error.reason {
        throw ControlError(
          .notPossible,
          "\(source.text(from)) and \(target.text(resolved)) lie in each other; neither can mirror the other."
        )
      }
      throw ControlError(.failed, ErrorText.sentence(error, copying: resolved))
    }
    return Pair(source: source, from: from, target: target, to: resolved)
  }

  // MARK: What differs

  private func compare(
    _ pair: Pair,
    by rule: TreeComparison.Rule,
    _ tell: @Sendable (TreeDifference) async -> Void
  ) async throws(ControlError) {
    do throws(FileError) {
      let summary = try await TreeComparison.run(
        pair.source.location(pair.from),
        pair.target.location(pair.to),
        by: rule,
        tell: tell
      )
      if request.isDryRun { tally.withLock { $0.addSame(summary.same) } }
      for failure in summary.failures {
        tally.withLock { $0.fail(ErrorText.sentence(failure), TransferCommandTally.code(failure)) }
      }
    } catch {
      // A cancelled command tells so by itself.
      guard !error.isCancellation else { return }
      throw Self.failure(error, pair.from, pair.source)
    }
  }

  /// Tells what would be done, and does nothing.
  private func preview(_ pair: Pair) async throws(ControlError) {
    try await compare(pair, by: request.comparesContents ? .contents : .sizeAndTime) { difference in
      let to = pair.to.appending(difference.names)
      let from = pair.from.appending(difference.names)
      let going = await count(difference, to, pair.target)
      tally.withLock { tally in
        switch difference.kind {
        case .onlyInTarget:
          guard request.deletes, !(difference.names.last.map(PartialName.isOurs) ?? false) else {
            return
          }
          tally.remove(to, count: going, pair.target.name)
        case .otherKind where !request.deletes:
          tally.fail(Self.obstacle(pair.target.text(to)), .conflict)
        // What stands in the way stays, and so nothing gets there.
        case .onlyInSource where difference.isObstructed && !request.deletes: break
        default:
          if difference.kind == .otherKind { tally.remove(to, count: going, pair.target.name) }
          if copies(difference) {
            tally.preview(difference, from, to, pair.source.name, pair.target.name)
          }
        }
      }
    }
  }

  /// How much goes from the target with what differs: a directory goes with all that is in it.
  private func count(_ difference: TreeDifference, _ path: RemotePath, _ target: OpenedHost) async
    -> UInt64
  {
    guard request.deletes, let attributes = difference.target, attributes.kind == .directory,
      difference.kind == .onlyInTarget || difference.kind == .otherKind,
      let name = path.name, let directory = path.parent
    else { return 1 }
    let entry = FileEntry(name: name, attributes: attributes)
    // What cannot be looked into is told when it is to go.
    let totals = try? await FileTreeWalk.count([entry], in: directory, of: target.files) { _ in }
    return totals?.entries ?? 1
  }

  private static func obstacle(_ text: String) -> String {
    "\(text): a directory stands where a file should go, or the other way round; --delete removes it."
  }

  /// Whether the rules of the command copy what differs.
  private func copies(_ difference: TreeDifference) -> Bool {
    guard let source = difference.source, let target = difference.target,
      difference.kind != .otherKind, let name = difference.names.last
    else { return true }
    if difference.kind == .content { return true }
    let decision = ConflictRules.decide(
      name,
      source: source,
      target: target,
      policy: request.policy
    ) { _ in false }
    return decision == .replace
  }

  /// Copies what has the size and the time of its source, and other bytes.
  private func mend(_ pair: Pair, _ batch: TransferCommandBatch) async throws(ControlError) {
    let found = Found()
    try await compare(pair, by: .contents) { await found.take($0) }
    let contents = await found.contents
    guard !contents.isEmpty, !Task.isCancelled else { return }
    tally.withLock { $0.planning = 1 }
    let roots = contents.map {
      CopyRoot(source: pair.from.appending($0), target: pair.to.appending($0))
    }
    await copyTrees(roots, (pair.source, pair.target), policy: .overwrite, as: batch)
  }
}
