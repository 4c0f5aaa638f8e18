internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// One SSH connection to one hop, carried by an `ssh` in master mode whose control socket is in proxy mode.
///
/// The only owner of the process, the socket and the channels. Pinned to one event loop. The socket carries messages of
/// the connection layer; `ssh` does the cryptography and knows nothing of what runs in the channels.
@safe
actor OpenSSHConnection: LoopConnection {
  /// How far the control socket is.
  enum LinkPhase {
    /// The greetings cross.
    case greeting
    /// Proxy mode was asked for.
    case asking
    /// The socket carries messages of the connection layer.
    case open
  }

  nonisolated let loop: EventLoop
  nonisolated let context: HopContext
  nonisolated let limits: TransportLimits
  nonisolated let surroundings: OpenSSHSurroundings
  /// Whether somebody types into one of its terminals.
  nonisolated let typing = TypingSign()

  /// The version of `ssh`, once it is known.
  var version = ""
  var step = ConnectionStep.resolving
  var failure: ConnectionFailure?
  /// What is known and asked while the connection is being opened.
  var attempt: OpenSSHAttempt?
  var folder: MasterFolder?
  var master: MasterProcess?
  var door: HelperDoor?
  var agent: AttemptAgent?
  var log: MasterLog
  /// Who waits for the connection to be up.
  var opening: CheckedContinuation<Result<Void, ConnectionFailure>, Never>?
  /// What ended the carrier's channel, when that is why the master ends.
  var carrierFailure: ConnectionFailure?

  // The control socket.
  var pipe: SocketPipe?
  var phase = LinkPhase.greeting
  let inbound = ByteQueue()
  let outbound = ByteQueue()
  var writer: ChannelMessageWriter { ChannelMessageWriter(queue: outbound) }

  // Channels.
  var channels: [UInt32: ProxiedChannel] = [:]
  var channelNumbers: UInt32 = 0
  /// Channels whose input waits for room in the outbound queue, the longest waiting first.
  var waiting: [UInt32] = []
  var listeners: [UInt32: OpenSSHListener] = [:]
  var lastListenerNumber: UInt32 = 0
  /// The socket of each address that was asked for, by its number.
  var listenerNumbers: [RemoteListenAddress: UInt32] = [:]

  // Waiting.
  var deadlineLength: Duration?
  private var deadline: LoopTimer?
  private var isTurnScheduled = false
  private var askingCount = 0
  var waits = ConnectionWaits()
  private var exitWaiters: [CheckedContinuation<Void, Never>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(
    loop: EventLoop,
    context: HopContext,
    limits: TransportLimits,
    surroundings: OpenSSHSurroundings
  ) {
    self.loop = loop
    self.context = context
    self.limits = limits
    self.surroundings = surroundings
    log = MasterLog(limits: limits)
  }

  // MARK: The turn

  /// Moves bytes between the control socket and the channels, one bounded step.
  func turn() {
    guard failure == nil, let pipe else { return }
    var end: PipeEnd?
    let room = limits.inboundMark - inbound.count
    if outbound.count < limits.outboundLimit, room > 0 {
      let outcome = unsafe pipe.read(into: inbound, limit: room) { _ in }
      if case .ended(let how) = outcome { end = how }
      dispatch()
    }
    guard failure == nil else { return }
    serveWaiting()
    flush()
    guard failure == nil else { return }
    if end != nil { return linkEnded() }
    updateInterest()
    continueSending()
  }

  /// Asks for another turn when input waits that the control socket would take: nothing else would wake it.
  func continueSending() {
    guard failure == nil, !isTurnScheduled, !waiting.isEmpty,
      outbound.count < Self.byteMark
    else { return }
    isTurnScheduled = true
    later { connection in
      connection.isTurnScheduled = false
      connection.turn()
    }
  }

  /// Writes what fits into the control socket.
  func flush() {
    guard let pipe, !outbound.isEmpty else { return }
    if pipe.write(from: outbound) != nil { linkEnded() }
  }

  func updateInterest() {
    pipe?.setInterest(
      reading: outbound.count < limits.outboundLimit,
      writing: !outbound.isEmpty
    )
  }

  // MARK: Waiting

  /// Ends the connection with `timedOut` unless the deadline is set anew or lifted within `duration`.
  func setDeadline(_ duration: Duration) {
    deadline?.cancel()
    deadline = nil
    deadlineLength = duration
    guard askingCount == 0 else { return }
    deadline = loop.schedule(after: duration) { [weak self] in
      self?.assumeIsolated { $0.fail(.timedOut(seconds: duration.wholeSeconds)) }
    }
  }

  func liftDeadline() {
    deadline?.cancel()
    deadline = nil
    deadlineLength = nil
  }

  /// The person is being asked, which takes as long as it takes.
  func beginAsking() {
    askingCount += 1
    deadline?.cancel()
    deadline = nil
  }

  func endAsking() {
    askingCount -= 1
    if askingCount == 0, failure == nil, let deadlineLength { setDeadline(deadlineLength) }
  }

  /// Notes the step and shows it.
  func begin(_ step: ConnectionStep) {
    guard failure == nil else { return }
    self.step = step
    attempt?.prompts.progressed(to: step, at: context)
  }

  /// Runs `body` on the loop, unless the connection is forgotten by then.
  nonisolated func later(
    _ body: @escaping @Sendable (isolated OpenSSHConnection) -> Void
  ) {
    loop.run { [weak self] in self?.assumeIsolated(body) }
  }

  // MARK: The end

  func fail(_ cause: ConnectionFailureCause) { end(with: makeFailure(cause)) }

  /// Ends the connection with a cause of the current step and gives the failure back.
  func ended(_ cause: ConnectionFailureCause) -> ConnectionFailure {
    fail(cause)
    return failure ?? makeFailure(cause)
  }

  /// Ends the connection once, for everyone who waits on it.
  func end(with reason: ConnectionFailure) {
    guard failure == nil else { return }
    failure = reason
    liftDeadline()
    pipe?.close()
    pipe = nil
    door?.close()
    door = nil
    agent?.close()
    agent = nil
    attempt = nil
    master?.stop(grace: limits.closing)
    waits.endCalls(reason)
    opening?.resume(returning: .failure(reason))
    opening = nil
    endChannels(reason)
    waits.tellEnd(reason)
    if master == nil { folder = nil }
  }

  /// The process is gone, and with it what was made for it.
  func masterIsGone() {
    master = nil
    folder?.remove()
    folder = nil
    for waiter in exitWaiters { waiter.resume() }
    exitWaiters = []
  }

  /// The loop was shut down, and the process with it.
  func loopIsGone() {
    end(with: makeFailure(.cancelled))
    masterIsGone()
  }

  /// Ends the connection from this side, and returns once its process is gone; its waiters see `cancelled`.
  func close() async {
    end(with: makeFailure(.cancelled))
    guard master != nil else { return }
    await withCheckedContinuation { exitWaiters.append($0) }
  }

  /// Ends an attempt from any thread, at once.
  nonisolated func cancelAttempt() {
    loop.run { self.assumeIsolated { $0.fail(.cancelled) } }
  }
}
