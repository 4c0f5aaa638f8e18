internal import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// Brings lost ends of transfers back: after a while by itself, or when the person wants it where only a person can help.
///
/// One attempt serves all who miss the same connections.
public final class ConnectionRecovery: Sendable {
  /// One end, and how it is opened again.
  public struct End: Sendable {
    /// The files, whose connection is replaced.
    public let files: RecoveringFileSystem
    /// Opens another connection.
    public let open: TransferJob.Opening

    /// Makes an end.
    public init(_ files: RecoveringFileSystem, _ open: @escaping TransferJob.Opening) {
      self.files = files
      self.open = open
    }
  }

  /// What is told while a connection is missing.
  public struct Report: Sendable {
    /// Why it is.
    public let error: FileError
    /// When it is tried again, as a reading of `now`; nil waits for a person.
    public let retryAt: Duration?
    /// Whether it is tried now; each attempt was announced before.
    public let isUnderWay: Bool
  }

  private struct Waiting {
    var continuation: CheckedContinuation<Void, Never>?
    var isPoked = false
  }

  private let policy = Locked(ReconnectPolicy())
  private let waiting = Locked(Waiting())
  private let running = Locked<Task<Bool, Never>?>(nil)
  private let limit: Int?
  private let report: @Sendable (Report) -> Void
  private let start = ContinuousClock.now

  /// Makes a recovery for connections that are up.
  ///
  /// - Parameters:
  ///   - limit: How often it tries before it gives up; nil goes on until it is cancelled, and waits for a person where only one
  ///     can help.
  ///   - report: Told why a connection is missing, before each attempt and when it begins.
  public init(limit: Int? = nil, report: @escaping @Sendable (Report) -> Void) {
    self.limit = limit
    self.report = report
  }

  /// The time since it was made.
  public var now: Duration { start.duration(to: .now) }

  /// Notes that the connections are up.
  public func connected() { policy.withLock { $0.connected(at: now) } }

  /// Tries it now.
  public func poke() {
    let continuation = waiting.withLock { waiting in
      defer { waiting.continuation = nil }
      waiting.isPoked = true
      return waiting.continuation
    }
    continuation?.resume()
  }

  /// Brings lost ends back; cancelling gives them up.
  ///
  /// - Parameters:
  ///   - ends: The ends.
  ///   - error: How the loss was noticed.
  /// - Returns: Whether all of them are there.
  public func recover(_ ends: [End], after error: FileError) async -> Bool {
    let task = running.withLock { running in
      if let running { return running }
      let made = Task { await bringBack(ends, error) }
      running = made
      return made
    }
    let isBack = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    running.withLock { if $0 == task { $0 = nil } }
    return isBack
  }

  private func bringBack(_ ends: [End], _ error: FileError) async -> Bool {
    var loss = TransferOpenFailure(error)
    var attempts = 0
    while !Task.isCancelled {
      var delay: Duration?
      switch policy.withLock({ $0.failed(loss.cause, at: now) }) {
      case .retry(let after, _): delay = after
      case .stop: break
      }
      if let limit, delay == nil || attempts >= limit { return false }
      attempts += 1
      // Whoever sees what is reported may want it at once.
      waiting.withLock { $0.isPoked = false }
      report(Report(error: loss.error, retryAt: delay.map { now + $0 }, isUnderWay: false))
      await wait(delay)
      guard !Task.isCancelled else { return false }
      // It is under way now, and shown as such.
      report(Report(error: loss.error, retryAt: now, isUnderWay: true))
      if delay == nil { policy.withLock { $0.retriedByPerson() } }
      do throws(TransferOpenFailure) {
        for end in ends where await end.files.isLost() {
          await end.files.replace(with: try await end.open())
        }
        connected()
        return true
      } catch { loss = error }
    }
    return false
  }

  private func wait(_ delay: Duration?) async {
    let timer = delay.map { delay in
      Task { [weak self] in
        // A cancelled sleep means that somebody else has ended the wait.
        guard (try? await Task.sleep(for: delay)) != nil else { return }
        self?.poke()
      }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiting.withLock { waiting in
          if waiting.isPoked || Task.isCancelled { return true }
          waiting.continuation = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      poke()
    }
    timer?.cancel()
  }
}
