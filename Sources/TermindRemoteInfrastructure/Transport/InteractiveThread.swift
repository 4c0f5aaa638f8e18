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
  }

  /// Carries the session to the thread.
  private struct Loan: @unchecked Sendable {  // lint:allow one borrower at a time
    let session: SSH2SessionHandle
  }

  private let commands = BlockingQueue<Command>()
  private let listener = Locked<CheckedContinuation<Event, Never>?>(nil)

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
    let listener = listener
    try NamedThread.start(name: "ssh-interactive") {
      Self.run(loan, request, commands, listener)
    }
  }

  /// Calls libssh2 once, until it returns or asks.
  func call() async -> Event { await order(.call) }

  /// Answers what was asked, and follows the call on.
  func answer(_ answers: [SecretBytes]) async -> Event { await order(.answers(answers)) }

  /// Ends the thread as soon as the call that it is in has returned.
  func stop() { commands.put(.stop) }

  private func order(_ command: Command) async -> Event {
    let event = await withCheckedContinuation { continuation in
      listener.withLock { $0 = continuation }
      commands.put(command)
    }
    // Orders what the thread wrote before what follows here, for tools too, which see locks and not how a
    // continuation is resumed.
    listener.withLock { _ in }
    return event
  }

  private static func run(
    _ loan: Loan,
    _ request: @Sendable (SSH2SessionHandle) -> SSH2Result,
    _ commands: BlockingQueue<Command>,
    _ listener: Locked<CheckedContinuation<Event, Never>?>
  ) {
    @Sendable func tell(_ event: Event) {
      let waiting = listener.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      waiting?.resume(returning: event)
    }
    var isStopped = false
    while !isStopped, case .call = commands.take() {
      loan.session.mailbox.answerRound = { challenge in
        guard !isStopped else { return [] }
        tell(.asked(challenge))
        guard case .answers(let answers) = commands.take() else {
          isStopped = true
          return []
        }
        return answers
      }
      let result = request(loan.session)
      loan.session.mailbox.answerRound = nil
      tell(.returned(result))
    }
  }
}
