import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// Making one directory hold what another one holds.
nonisolated extension TransferCommandJob {
  /// What only the target has, and what is in the way there.
  private struct Surplus {
    var entries: [(directory: RemotePath, entry: FileEntry)] = []
    var obstacles: [(directory: RemotePath, entry: FileEntry)] = []
    /// Files of one size and time that hold other bytes.
    var contents: [[FileName]] = []

    /// Whether it is what a copy under way, or a paused one, needs.
    static func isOurs(_ difference: TreeDifference) -> Bool {
      difference.names.last.map(PartialName.isOurs) ?? false
    }
  }

  /// The directories of a mirror, links in their paths resolved.
  private struct Pair {
    let source: End
    let from: RemotePath
    let target: End
    let to: RemotePath
  }

  func mirror(
    _ place: TransferCommandPlace,
    _ source: End,
    _ target: End
  ) async throws(ControlError) {
    let pair = try await pair(place, source, target)
    if request.isDryRun { return try await preview(pair) }
    var surplus = Surplus()
    if request.deletes { surplus = try await compare(pair, by: .sizeAndTime) }
    await remove(surplus.obstacles, of: target)
    tally.withLock { $0.planning = 1 }
    await copyTree((source, pair.from), (target, pair.to), policy: request.policy, tree: 0)
    if request.comparesContents, request.policy != .skip { try await mend(pair) }
    // Nothing goes from the target unless all of the source is there.
    guard !Task.isCancelled, !surplus.entries.isEmpty else { return }
    guard tally.withLock({ $0.failed }) == 0 else {
      return tally.withLock {
        $0.fail("Nothing was deleted, since not everything was copied.", .notPossible)
      }
    }
    await remove(surplus.entries, of: target)
  }

  private func pair(
    _ place: TransferCommandPlace,
    _ source: End,
    _ target: End
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
    let refusal = CopyRules.refusal(
      source: from,
      in: source.files.place,
      target: resolved,
      in: target.files.place
    )
    let isInside =
      source.files.place == target.files.place && resolved.contains(from) && request.deletes
    guard refusal == nil, !isInside else {
      throw ControlError(
        .notPossible,
        "\(source.text(from)) and \(target.text(resolved)) lie in each other; neither can mirror the other."
      )
    }
    return Pair(source: source, from: from, target: target, to: resolved)
  }

  // MARK: What differs

  private func compare(_ pair: Pair, by rule: TreeComparison.Rule) async throws(ControlError)
    -> Surplus
  {
    let found = SurplusCollector()
    try await compare(pair, by: rule) { difference in
      await found.take(difference, to: pair.to)
    }
    return await found.surplus
  }

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
      tally.withLock { tally in
        switch difference.kind {
        case .onlyInTarget:
          guard request.deletes, !Surplus.isOurs(difference) else { return }
          tally.remove(to, count: 1, pair.target.name)
        case .otherKind where !request.deletes:
          tally.fail(Self.obstacle(pair.target.text(to)), .conflict)
        // What stands in the way stays, and so nothing gets there.
        case .onlyInSource where difference.isObstructed && !request.deletes: break
        default:
          if difference.kind == .otherKind { tally.remove(to, count: 1, pair.target.name) }
          if copies(difference) {
            tally.preview(difference, from, to, pair.source.name, pair.target.name)
          }
        }
      }
    }
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
  private func mend(_ pair: Pair) async throws(ControlError) {
    let found = try await compare(pair, by: .contents).contents
    tally.withLock { $0.planning = found.count }
    for (index, names) in found.enumerated() where !Task.isCancelled {
      await copyTree(
        (pair.source, pair.from.appending(names)),
        (pair.target, pair.to.appending(names)),
        policy: .overwrite,
        tree: index + 1
      )
    }
  }

  // MARK: Removing

  private func remove(
    _ entries: [(directory: RemotePath, entry: FileEntry)],
    of target: End
  ) async {
    for (directory, entry) in entries where !Task.isCancelled {
      let report = await FileTreeWalk.remove([entry], in: directory, of: target.files) { _ in }
      tally.withLock { tally in
        if report.removed > 0 {
          tally.remove(directory.appending(entry.name), count: report.removed, target.name)
        }
        for failure in report.failures {
          tally.fail(ErrorText.sentence(failure), TransferCommandTally.code(failure))
        }
      }
    }
  }

  /// Collects what a mirror takes away.
  private actor SurplusCollector {
    private(set) var surplus = Surplus()

    func take(_ difference: TreeDifference, to: RemotePath) {
      guard let name = difference.names.last else { return }
      let directory = to.appending(Array(difference.names.dropLast()))
      switch difference.kind {
      case .onlyInTarget:
        guard !Surplus.isOurs(difference), let attributes = difference.target else { return }
        surplus.entries.append((directory, FileEntry(name: name, attributes: attributes)))
      case .otherKind:
        guard let attributes = difference.target else { return }
        surplus.obstacles.append((directory, FileEntry(name: name, attributes: attributes)))
      case .content: surplus.contents.append(difference.names)
      case .onlyInSource, .size, .time, .link: break
      }
    }
  }
}
