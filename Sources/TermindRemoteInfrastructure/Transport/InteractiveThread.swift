internal import TermindDomain
internal import TermindInfrastructure

/// A short-lived thread on which libssh2 may wait for the person.
///
/// libssh2 asks for the answers of a keyboard-interactive round, and for a new password, in a callback that must
/// not return before it has them. So these alone are called on a thread of their own, which borrows the session: the
/// connection lends it for each call and keeps off until the call ends or stands still in the callback.
/// See Docs/Decisions/0002-keyboard-interactive.md.
final class InteractiveThread: Sendable {
  /// What the thread is told.
  private enum Command: Sendable {
    case call
    case answers([SecretBytes])
    case stop
  }

  /// How far a call came.
  enum Event: Sendable {
    /// It returned; the session is no longer borrowed.
    case returned(SSH2Result)
    /// It stands in the callback and waits for `answer`; the queues may be used, the session may not.
    case asked(InteractiveChallenge)
    /// The thread has ended, since it was stopped; it takes no more orders.
    case stopped
  }

  /// Carries the session to the thread.
  private struct Loan: @unchecked Sendable {  // lint:allow one borrower at a time
    let session: SSH2SessionHandle
  }

  /// Who waits for the next event.
  private struct Listening {
    var continuation: CheckedContinuation<Event, Never>?
    /// The thread takes no more orders, so nobody may wait for one to be carried out.
    var isOver = false
  }

  private let commands = BlockingQueue<Command>()
  private let listening = Locked(Listening())

  /// Starts the thread; it ends with `stop`.
  ///
  /// - Parameters:
  ///   - session: What is borrowed.
  ///   - request: The call; made again, the same way, while it says `again`.
  /// - Throws: When the system has no thread left.
  init(
    session: SSH2SessionHandle,
    _ request: @escaping @Sendable (SSH2SessionHandle) -> SSH2Result
  ) throws(EventLoopError) {
    let loan = Loan(session: session)
    let commands = commands
    let listening = listening
    try NamedThread.start(name: "ssh-interactive") {
      Self.run(loan, request, commands, listening)
      Self.tell(.stopped, listening)
    }
  }

  /// Calls libssh2 once, until it returns or asks.
  ///
  /// - Returns: How far it came; `stopped` when `stop` came first.
  func call() async -> Event { await order(.call) }

  /// Answers what was asked, and follows the call on.
  ///
  /// - Returns: How far it came; `stopped` when `stop` came first.
  func answer(_ answers: [SecretBytes]) async -> Event { await order(.answers(answers)) }

  /// Ends the thread as soon as the call that it is in has returned.
  func stop() { commands.put(.stop) }

  /// Gives an order and waits for the event that follows it, one at a time.
  private func order(_ command: Command) async -> Event {
    let event = await withCheckedContinuation { continuation in
      let isOver = listening.withLock { listening in
        if !listening.isOver { listening.continuation = continuation }
        return listening.isOver
      }
      guard !isOver else { return continuation.resume(returning: .stopped) }
      commands.put(command)
    }
    // Orders what the thread wrote before what follows here, for tools too, which see locks and not how a
    // continuation is resumed.
    listening.withLock { _ in }
    return event
  }

  private static func tell(_ event: Event, _ listening: Locked<Listening>) {
    let waiting = listening.withLock { listening in
      if case .stopped = event { listening.isOver = true }
      defer { listening.continuation = nil }
      return listening.continuation
    }
    waiting?.resume(returning: event)
  }

  private static func run(
    _ loan: Loan,
    _ request: @Sendable (SSH2SessionHandle) -> SSH2Result,
    _ commands: BlockingQueue<Command>,
    _ listening: Locked<Listening>
  ) {
    var isStopped = false
    while !isStopped, case .call = commands.take() {
      loan.session.mailbox.answerRound = { challenge in
        guard !isStopped else { return [] }
        tell(.asked(challenge), listening)
        guard case .answers(let answers) = commands.take() else {
          isStopped = true
          return []
        }
        return answers
      }
      let result = request(loan.session)
      loan.session.mailbox.answerRound = nil
      tell(.returned(result), listening)
    }
  }
}
