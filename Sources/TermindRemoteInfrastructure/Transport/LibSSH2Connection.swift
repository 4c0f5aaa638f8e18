internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// One SSH connection to one hop: the only owner of a libssh2 session, its pipe and its channels.
///
/// Pinned to one event loop. Whatever arrives, whatever a channel wants to send and whatever an operation
/// waits for meets in `turn()`, which never waits itself.
@safe
actor LibSSH2Connection: LoopConnection {
  /// An operation that libssh2 could not finish yet; tried again when bytes have arrived.
  struct Operation {
    let attempt: () -> SSH2Result
    let end: (Result<SSH2Result, ConnectionFailure>) -> Void
  }

  nonisolated let loop: EventLoop
  nonisolated let context: HopContext
  nonisolated let limits: TransportLimits
  /// Whether somebody types into one of its terminals.
  nonisolated let typing = TypingSign()

  var step = ConnectionStep.resolving
  var failure: ConnectionFailure?
  let mailbox = SessionMailbox()
  var session: SSH2SessionHandle?
  var pipe: (any BytePipe)?
  var pipeEnd: PipeEnd?
  /// The pipe takes no more; what the peer said last may still be read.
  private var writeEnd: PipeEnd?
  /// While the session is lent to the thread that answers keyboard-interactive, nothing here touches it.
  var lender: InteractiveThread?
  /// The thread stands in its callback: the queues are free, the session is not.
  var isAsking = false
  /// Tells why host key algorithms do not meet.
  var hostKeyNegotiation: @Sendable ([String], [String]) -> ConnectionFailureCause? = { _, _ in nil
  }
  /// The algorithms that may be used.
  var proposals: [SSH2Method: [String]] = [:]
  /// The blob of the key request under way.
  var offeredKey: [UInt8] = []
  /// Who is told and asked while the connection is being opened.
  var prompts: (any ConnectionPrompting)?
  var operations: [Operation] = []
  var terminals: [TerminalService] = []
  var channels: [ByteService] = []
  var listeners: [ListenerService] = []
  var listenings = OpeningQueue()
  var forwards: [ForwardID: ForwardedPipe] = [:]
  var forwardNumbers: UInt64 = 0
  /// Channels that only wait for the peer's close.
  var closing: [SSH2ChannelHandle] = []
  var openings = OpeningQueue()
  var attempts: [UInt64: any AbandonableAttempt] = [:]
  var attemptNumbers: UInt64 = 0
  var keepalive = KeepaliveState()
  /// Bytes that came before the connection was up.
  var openingByteCount = 0
  let scratchMemory: ScratchMemory
  private var deadline: LoopTimer?
  private var deadlineNumber: UInt64 = 0
  private var isTurnScheduled = false
  var waits = ConnectionWaits()
  private var firstTerminal = 0
  private var firstChannel = 0
  private var firstSender = 0
  private lazy var bulkScratch = ScratchMemory(byteCount: limits.bulkReadSize)

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(loop: EventLoop, context: HopContext, limits: TransportLimits) {
    self.loop = loop
    self.context = context
    self.limits = limits
    scratchMemory = ScratchMemory(byteCount: limits.readSize)
  }

  /// Where channels are read to; its content is only valid until the next read.
  var scratch: UnsafeMutableRawBufferPointer { unsafe scratchMemory.bytes }

  // MARK: The turn

  /// Asks for a turn from any thread.
  nonisolated func wake() {
    loop.run { self.assumeIsolated { $0.turn() } }
  }

  /// Asks for a turn after what else is ready on the loop.
  func scheduleTurn() {
    guard !isTurnScheduled else { return }
    isTurnScheduled = true
    loop.run { [weak self] in
      self?.assumeIsolated { connection in
        connection.isTurnScheduled = false
        connection.turn()
      }
    }
  }

  /// Moves everything one bounded step on: the peer's bytes in, waiting operations, every channel's input
  /// before the output of any, and our bytes out.
  func turn() {
    guard failure == nil, session != nil else { return }
    guard lender == nil else { return turnWhileLent() }
    let mayHaveMoreBytes = receive()
    guard failure == nil else { return }
    retryOperations()
    sendInput()
    guard failure == nil else { return }
    // Terminals first: whatever else the connection carries, a key does not wait for it.
    var hasMore = serviceTerminals() || mayHaveMoreBytes
    guard failure == nil else { return }
    if serviceChannels() { hasMore = true }
    guard failure == nil else { return }
    acceptConnections()
    reapClosing()
    for forward in forwards.values { forward.notify() }
    flush()
    guard failure == nil else { return }
    if hasMore || hasMoreToSend {
      scheduleTurn()
    } else if let pipeEnd {
      // Only now: what had arrived before the end was delivered.
      return end(with: failureOfHop ?? makeFailure(cause(of: pipeEnd)))
    } else if let reason = mailbox.disconnectReason {
      return fail(.disconnected(reason: reason))
    }
    updateInterest()
  }

  /// While the person is asked, only the pipe is watched: what comes waits, and an end ends the attempt.
  private func turnWhileLent() {
    guard isAsking else { return }
    _ = receive()
    flush()
    if let pipeEnd { return end(with: failureOfHop ?? makeFailure(cause(of: pipeEnd))) }
    updateInterest()
  }

  /// Takes bytes from the pipe; true when it may have more.
  private func receive() -> Bool {
    guard let pipe, pipeEnd == nil else { return false }
    let room = limits.inboundMark - mailbox.inbound.count
    guard room > 0, mailbox.outbound.count < limits.outboundLimit else { return false }
    let outcome = unsafe pipe.read(into: mailbox.inbound, limit: room) { bytes in
      unsafe mailbox.opening.observe(bytes)
    }
    switch outcome {
    case .bytes(let count):
      if count > 0 { keepalive.noteLife() }
      noteOpeningBytes(count)
      return count >= room
    case .nothing:
      pipeEnd = writeEnd
      return false
    case .ended(let end):
      // libssh2 is not told: it would drop what it holds for the channels.
      pipeEnd = end
      return false
    }
  }

  private func retryOperations() {
    guard !operations.isEmpty else { return }
    let waiting = operations
    operations = []
    for operation in waiting {
      if let failure {
        operation.end(.failure(failure))
        continue
      }
      let result = operation.attempt()
      if result != .again {
        operation.end(.success(result))
      } else if let failure {
        // Nobody looks at what waits once the connection has ended.
        operation.end(.failure(failure))
      } else {
        operations.append(operation)
      }
    }
  }

  /// Sends what was typed before anything is read, so that a key does not wait for another channel's flood.
  private func sendInput() {
    for terminal in terminals {
      guard failure == nil else { return }
      terminal.carryOutOrders { mailbox.outbound.count < limits.outboundMark }
      awaitSize(of: terminal)
    }
    if !channels.isEmpty {
      // Each turn begins with another one, and leaves room for what is typed meanwhile.
      firstSender = (firstSender + 1) % channels.count
      for channel in channels[firstSender...] + channels[..<firstSender] {
        guard failure == nil else { return }
        channel.carryOutOrders(slice: limits.bulkSendSlice) {
          mailbox.outbound.count < limits.bulkMark
        }
      }
    }
    flush()
  }

  /// Whether a channel could send at once, with nothing to wait for.
  private var hasMoreToSend: Bool {
    let count = mailbox.outbound.count
    return count < limits.outboundMark && terminals.contains(where: \.hasMoreToSend)
      || count < limits.bulkMark && channels.contains(where: \.hasMoreToSend)
  }

  /// Gives every terminal its slice, each turn beginning with another one; tells whether any has more.
  private func serviceTerminals() -> Bool {
    guard !terminals.isEmpty else { return false }
    firstTerminal = (firstTerminal + 1) % terminals.count
    let round = serve(
      terminals[firstTerminal...] + terminals[..<firstTerminal],
      within: limits.turnTime,
      slice: limits.channelSlice,
      scratch: scratchMemory
    )
    guard failure == nil else { return false }
    if let last = round.last { firstTerminal = (firstTerminal + last) % terminals.count }
    for terminal in terminals where terminal.isOver { closing.append(terminal.handle) }
    terminals.removeAll { $0.isOver }
    if firstTerminal >= terminals.count { firstTerminal = 0 }
    return round.hasMore
  }

  /// The same for the channels of plain bytes, in larger slices.
  private func serviceChannels() -> Bool {
    guard !channels.isEmpty else { return false }
    firstChannel = (firstChannel + 1) % channels.count
    let round = serve(
      channels[firstChannel...] + channels[..<firstChannel],
      within: limits.bulkTurnTime,
      slice: limits.bulkSlice,
      scratch: bulkScratch
    )
    guard failure == nil else { return false }
    if let last = round.last { firstChannel = (firstChannel + last) % channels.count }
    for channel in channels where channel.isOver { closing.append(channel.handle) }
    channels.removeAll { $0.isOver }
    if firstChannel >= channels.count { firstChannel = 0 }
    return round.hasMore
  }

  private func reapClosing() {
    guard !closing.isEmpty else { return }
    closing.removeAll { $0.free() == .done }
  }

  /// Writes what fits into the pipe.
  func flush() {
    guard let pipe, pipeEnd == nil, writeEnd == nil, !mailbox.outbound.isEmpty else { return }
    if let end = pipe.write(from: mailbox.outbound) {
      writeEnd = end
      scheduleTurn()
    }
  }

  func updateInterest() {
    guard let pipe else { return }
    let hasRoom =
      mailbox.inbound.count < limits.inboundMark && mailbox.outbound.count < limits.outboundLimit
    let reads = pipeEnd == nil && hasRoom
    let writes = pipeEnd == nil && writeEnd == nil && !mailbox.outbound.isEmpty
    pipe.setInterest(reading: reads, writing: writes)
  }

  // MARK: Waiting

  /// Calls libssh2 until it no longer waits for the peer.
  ///
  /// The connection may have ended since the call was answered, when this returns.
  /// - Throws: The connection's failure, when it ends before the call is answered. What the call itself fails with
  ///   is returned.
  func perform(
    _ attempt: @escaping () -> SSH2Result
  ) async throws(ConnectionFailure) -> SSH2Result {
    if let failure { throw failure }
    let hadBytes = !mailbox.inbound.isEmpty
    let first = attempt()
    flush()
    updateInterest()
    // The call may have read packets that others wait for.
    if hadBytes { scheduleTurn() }
    guard first == .again else { return first }
    if let failure { throw failure }
    let end = await withCheckedContinuation { continuation in
      operations.append(
        Operation(attempt: attempt) { continuation.resume(returning: $0) }
      )
    }
    return try end.get()
  }

  /// Ends the connection with `timedOut` unless the deadline is lifted within `duration`.
  func setDeadline(_ duration: Duration) {
    liftDeadline()
    let number = deadlineNumber
    deadline = loop.schedule(after: duration) { [weak self] in
      self?.assumeIsolated { connection in
        // One that was lifted by what ran in the same turn counts no more.
        guard connection.deadlineNumber == number else { return }
        connection.fail(connection.causeOfSilence(after: duration))
      }
    }
  }

  func liftDeadline() {
    deadlineNumber += 1
    deadline?.cancel()
    deadline = nil
  }

  /// Notes the step and shows it.
  func begin(_ step: ConnectionStep, prompts: any ConnectionPrompting) {
    self.step = step
    prompts.progressed(to: step, at: context)
  }

  // MARK: The end

  func fail(_ cause: ConnectionFailureCause) { end(with: makeFailure(cause)) }

  /// Ends the connection once, for everyone who waits on it.
  func end(with reason: ConnectionFailure, polite: Bool = false) {
    guard failure == nil else { return }
    failure = reason
    liftDeadline()
    keepalive.stop()
    if polite, lender == nil, pipeEnd == nil, let session {
      session.disconnect()
      flush()
    }
    lender?.stop()
    for operation in operations { operation.end(.failure(reason)) }
    operations = []
    waits.endCalls(reason)
    openings.cancelAll(reason)
    listenings.cancelAll(reason)
    let services: [any ChannelService] = terminals + channels
    for service in services {
      // A program whose end was told is over, whatever became of the connection after that.
      service.finish(reason.cause == .cancelled ? .closed : service.programEnd ?? .failed(reason))
    }
    terminals = []
    channels = []
    for listener in listeners { listener.stop(reason) }
    listeners = []
    for forward in forwards.values { forward.notify() }
    closing = []
    prompts = nil
    pipe?.close()
    pipe = nil
    // A lent session is kept, and freed, by the thread that has it.
    session = nil
    waits.tellEnd(reason)
  }

  /// Ends the connection from this side; its waiters see `cancelled`.
  func close() { end(with: makeFailure(.cancelled), polite: true) }

  /// Ends an attempt from any thread, at once.
  nonisolated func cancelAttempt() {
    loop.run { self.assumeIsolated { $0.fail(.cancelled) } }
  }
}
