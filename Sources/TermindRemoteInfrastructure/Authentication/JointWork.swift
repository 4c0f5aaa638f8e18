/// Lets attempts that want the same thing at the same moment share the work: the first does it, those who
/// come meanwhile wait for its result. Nothing is kept once the result is given.
actor JointWork<Subject: Hashable & Sendable, Value: Sendable> {
  private struct Waiter {
    let number: UInt64
    let continuation: CheckedContinuation<Value?, Never>
  }

  /// Who waits, in order of arrival; a subject stands here as long as somebody works on it.
  private var waiters: [Subject: [Waiter]] = [:]
  private var numbers: UInt64 = 0

  /// Does the work, or waits for the one who does.
  ///
  /// - Parameters:
  ///   - subject: What it is about.
  ///   - isShared: Whether a result is one for those who wait, too; when it is not, the next of them works.
  ///   - work: Gives the result; nil when the task was cancelled meanwhile, then the next one works.
  /// - Returns: The result; nil only for a task that was cancelled itself.
  func value(
    for subject: Subject,
    isShared: @Sendable (Value) -> Bool = { _ in true },
    _ work: @Sendable () async -> Value?
  ) async -> Value? {
    while !Task.isCancelled {
      if waiters[subject] == nil {
        waiters[subject] = []
        let value = await work()
        let shared = value.flatMap { isShared($0) ? $0 : nil }
        for waiter in waiters.removeValue(forKey: subject) ?? [] {
          waiter.continuation.resume(returning: shared)
        }
        if value != nil { return value }
        // Without a result and without a cancellation there is nobody left to ask.
        guard Task.isCancelled else { return nil }
      } else if let value = await result(of: subject) {
        return value
      }
    }
    return nil
  }

  /// How many wait for a subject that is being worked on; nil when nobody works on it.
  func waiting(for subject: Subject) -> Int? { waiters[subject]?.count }

  private func result(of subject: Subject) async -> Value? {
    numbers += 1
    let number = numbers
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Cancelled before it waits: its handler has run, and found nobody.
        if Task.isCancelled { return continuation.resume(returning: nil) }
        waiters[subject]?.append(Waiter(number: number, continuation: continuation))
      }
    } onCancel: {
      Task { await self.leave(subject, number) }
    }
  }

  private func leave(_ subject: Subject, _ number: UInt64) {
    guard let place = waiters[subject]?.firstIndex(where: { $0.number == number }) else { return }
    waiters[subject]?.remove(at: place).continuation.resume(returning: nil)
  }
}
