import TermindDomain
import TermindPresentation

/// Writes what becomes of a pane's connection into the history.
final class ConnectionRecord {
  private let services: Services
  private let target: PaneContent.SSHTarget
  private let kind: ConnectionEvent.Kind
  private let started = WallClock.seconds
  private var event: ConnectionEvent?

  /// Begins with an attempt.
  init(
    of target: PaneContent.SSHTarget,
    _ services: Services,
    kind: ConnectionEvent.Kind = .terminal
  ) {
    self.target = target
    self.kind = kind
    self.services = services
  }

  /// The connection is up.
  func connected() { write(.connected) }

  /// The attempt failed, or was given up.
  func failed(_ failure: ConnectionFailure) {
    write(
      failure.cause == .cancelled ? .cancelled : .failed(ErrorText.explain(failure).state)
    )
  }

  /// The connection is over; further calls do nothing.
  func ended() {
    guard var event else { return }
    self.event = nil
    event.ended = WallClock.seconds
    services.record(event)
  }

  private func write(_ outcome: ConnectionEvent.Outcome) {
    let event = ConnectionEvent(
      target: target.line,
      host: target.host,
      kind: kind,
      started: started,
      outcome: outcome
    )
    if outcome == .connected { self.event = event }
    services.record(event)
  }
}
