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
    guard limits.keepaliveInterval > .zero else { return }
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
    // What cannot be asked is not missed; a peer that is gone for good is noticed by the system.
    if askForLife() { keepalive.noteMissing() }
    scheduleKeepalive(after: limits.keepaliveInterval)
  }

  /// Asks unless a question is open; false when there is nothing to ask about.
  private func askForLife() -> Bool {
    guard !keepalive.isAsking else { return true }
    let open = channels.lazy.filter { !$0.isOver }
    let program =
      terminals.first { !$0.isOver }?.handle ?? open.first { $0.isProgram }?.handle
    if let program { return ask(about: program) }
    // While a channel is being opened, which a server may take minutes for, no other can be.
    if askByOpening() { return true }
    guard let connection = open.first?.handle else { return false }
    return ask(about: connection)
  }

  /// Sends a request on a channel that the peer refuses.
  private func ask(about handle: SSH2ChannelHandle) -> Bool {
    keepalive.isAsking = true
    let attempt = { handle.isFreed ? SSH2Result.done : handle.setEnvironment("TERMIND_ALIVE", "1") }
    let first = attempt()
    flush()
    updateInterest()
    guard first == .again else {
      keepalive.isAsking = false
      return true
    }
    operations.append(
      Operation(attempt: attempt) { [weak self] _ in
        self?.assumeIsolated { $0.keepalive.isAsking = false }
      }
    )
    return true
  }

  /// Without a program to ask about, the server is asked for a channel of a kind that it cannot know; false while
  /// another one is being opened.
  private func askByOpening() -> Bool {
    guard let session, openings.enter() else { return false }
    keepalive.isAsking = true
    let attempt = { () -> SSH2Result in
      let (result, handle) = session.openChannel(type: "alive@termind", window: 1_024, message: [])
      if let handle { self.closing.append(handle) }
      return result
    }
    let first = attempt()
    flush()
    updateInterest()
    guard first == .again else {
      answered()
      return true
    }
    operations.append(
      Operation(attempt: attempt) { [weak self] _ in self?.assumeIsolated { $0.answered() } }
    )
    return true
  }

  private func answered() {
    keepalive.isAsking = false
    openings.leave()
  }
}
