internal import TermindDomain
internal import TermindInfrastructure

/// When the peer was last heard, and how many signs of life it owes.
struct KeepaliveState {
  private(set) var lastLife = ContinuousClock.now
  private(set) var missing = 0
  var isAsking = false
  var timer: LoopTimer?

  mutating func noteLife() {
    lastLife = .now
    missing = 0
  }

  mutating func noteMissing() { missing += 1 }

  mutating func stop() {
    timer?.cancel()
    timer = nil
  }
}

// A peer that was silent for an interval is asked on a channel, with a request that it must refuse, or for a channel
// that it must refuse; the answer, like every other byte, proves that it lives. Not with a global request: libssh2
// 1.10 keeps the answers of those in its queue for ever, and would take one for the answer to a listen. One question is open at a time, and each interval without a byte
// counts as one missing sign, so a machine that slept asks before it judges.
extension LibSSH2Connection {
  func startKeepalive() {
    keepalive.noteLife()
    scheduleKeepalive(after: limits.keepaliveInterval)
  }

  private func scheduleKeepalive(after delay: Duration) {
    keepalive.timer = loop.schedule(after: delay) { [weak self] in
      self?.assumeIsolated { $0.checkLife() }
    }
  }

  private func checkLife() {
    guard failure == nil else { return }
    let silence = keepalive.lastLife.duration(to: .now)
    guard silence >= limits.keepaliveInterval else {
      return scheduleKeepalive(after: limits.keepaliveInterval - silence)
    }
    guard keepalive.missing < limits.keepaliveCount - 1 else {
      let seconds = (limits.keepaliveInterval * limits.keepaliveCount).wholeSeconds
      return fail(.keepaliveTimedOut(seconds: seconds))
    }
    keepalive.noteMissing()
    askForLife()
    scheduleKeepalive(after: limits.keepaliveInterval)
  }

  private func askForLife() {
    guard !keepalive.isAsking else { return }
    let programs = channels.lazy.filter { $0.isProgram && !$0.isOver }
    guard
      let handle = terminals.first(where: { !$0.isOver })?.handle ?? programs.first?.handle
    else { return askByOpening() }
    keepalive.isAsking = true
    let attempt = { handle.isFreed ? SSH2Result.done : handle.setEnvironment("TERMIND_ALIVE", "1") }
    let first = attempt()
    flush()
    updateInterest()
    guard first == .again else {
      keepalive.isAsking = false
      return
    }
    operations.append(
      Operation(attempt: attempt) { [weak self] _ in
        self?.assumeIsolated { $0.keepalive.isAsking = false }
      }
    )
  }

  /// Without a program to ask about, the server is asked for a channel of a kind that it cannot know.
  private func askByOpening() {
    guard let session, openings.enter() else { return }
    keepalive.isAsking = true
    let attempt = { () -> SSH2Result in
      let (result, handle) = session.openChannel(type: "alive@termind", window: 1_024, message: [])
      if let handle { self.closing.append(handle) }
      return result
    }
    let first = attempt()
    flush()
    updateInterest()
    guard first == .again else { return answered() }
    operations.append(
      Operation(attempt: attempt) { [weak self] _ in self?.assumeIsolated { $0.answered() } }
    )
  }

  private func answered() {
    keepalive.isAsking = false
    openings.leave()
  }
}
