internal import TermindApplication
internal import TermindInfrastructure

/// The end of a mirror.
extension TransferJob {
  /// What a mirror has to know at its end.
  struct Mirroring {
    /// Whether what was in the way goes now, so that nothing should be there any more.
    var isFinishing = false
    /// Whether a person left something out.
    var hasLeftOut = false

    /// Looks at an event of the copy.
    ///
    /// - Returns: Whether it is none to be told, since what was in the way goes later.
    mutating func takes(_ event: TransferEvent, of mirror: TreeMirror) -> Bool {
      if case .leftOut = event { hasLeftOut = true }
      return !isFinishing && mirror.expects(event)
    }
  }

  /// Takes away what only the target has, where all of the source is there.
  ///
  /// - Parameters:
  ///   - mirror: What is to be taken away.
  ///   - source: The files of the source.
  ///   - target: Those of the target.
  ///   - copy: Copies what had something in its way.
  func finish(
    _ mirror: TreeMirror,
    from source: RecoveringFileSystem,
    to target: RecoveringFileSystem,
    copy: @Sendable ([CopyRoot]) async -> Void
  ) async {
    guard isWhole else { return state.withLock { $0.take(TreeMirror.Event.kept) } }
    mirroring.withLock { $0.isFinishing = true }
    await mirror.finish(from: source, to: target) {
      await queue.waitWhilePaused()
    } copy: { roots in
      await copy(roots)
      return isWhole
    } tell: { event in
      state.withLock { $0.take(event) }
    }
    mirroring.withLock { $0.isFinishing = false }
  }

  /// Whether everything was copied.
  private var isWhole: Bool {
    let isComplete = state.withLock { $0.failureCount == 0 && $0.cancelledCount == 0 }
    return isComplete && !mirroring.withLock { $0.hasLeftOut }
  }
}
