internal import Glibc

extension SpawnedProcess {
  /// Ends the process when the loop that looks after it is shut down first, so that neither it nor a zombie stays.
  ///
  /// Suspends until the process has ended, or the loop was shut down and the process is collected.
  /// - Parameter loop: The loop that watches the process and collects it, for as long as it runs.
  /// - Returns: Whether the process was collected here; then nothing on the loop hears of its end.
  public func endWithLoop(_ loop: EventLoop) async -> Bool {
    do throws(EventLoopError) {
      try await loop.readable(descriptor.number)
      return false
    } catch {
      guard error == .shutDown else { return false }
    }
    // It may have ended just before, and its number may be another one's by now.
    if collect() != nil { return true }
    signalGroup(SIGKILL)
    await withCheckedContinuation { (collected: CheckedContinuation<Void, Never>) in
      let wait: @Sendable () -> Void = {
        while collect() == nil { _ = DescriptorWait.readable([descriptor]) }
        collected.resume()
      }
      // What was killed is gone in a moment, so that without a thread this one can wait.
      do throws(EventLoopError) { try NamedThread.start(name: "reap", wait) } catch { wait() }
    }
    return true
  }
}
