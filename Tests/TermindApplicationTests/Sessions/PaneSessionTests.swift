import TermindApplication
import TermindDomain
import Testing

@Suite("Pane session") struct PaneSessionTests {
  func failure(_ cause: ConnectionFailureCause) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: 0,
      hopCount: 1,
      endpoint: SSHEndpoint(host: "web1"),
      step: .connecting,
      cause: cause
    )
  }

  var lost: ConnectionFailure { failure(.lost(reason: "reset")) }

  /// An SSH session that runs since zero.
  func liveSession() -> PaneSession {
    var session = PaneSession(kind: .ssh, hopCount: 2)
    _ = session.handle(.start)
    _ = session.handle(.opened, from: session.generation, at: .zero)
    return session
  }

  @Test("a start opens an attempt that may ask, and its progress is shown")
  func connecting() {
    var session = PaneSession(kind: .ssh, hopCount: 2)
    #expect(session.handle(.start) == [.open(SessionGeneration(rawValue: 1), silent: false)])
    #expect(session.handle(.start) == [])
    let attempt = session.generation
    #expect(session.handle(.progressed(.authentication, hop: 1), from: attempt, at: .zero) == [])
    let progress = PaneProgress(hop: 1, hopCount: 2, step: .authentication, isSilent: false)
    #expect(session.state == .connecting(progress))
    _ = session.handle(.asked(.credentials), from: attempt, at: .zero)
    #expect(session.state == .waiting(.credentials, progress))
    _ = session.handle(.answered, from: attempt, at: .zero)
    #expect(session.state == .connecting(progress))
    _ = session.handle(.opened, from: attempt, at: .seconds(3))
    #expect(session.state == .live(since: .seconds(3)))
    #expect(session.handle(.start) == [])
  }

  @Test("a first failure stays with its reason and is not retried")
  func firstFailure() {
    var session = PaneSession(kind: .ssh, hopCount: 1)
    _ = session.handle(.start)
    let refused = failure(.refused)
    let effects = session.handle(
      .openFailed(.connection(refused)),
      from: session.generation,
      at: .zero
    )
    #expect(effects == [])
    #expect(session.state == .failed(.connection(refused), stop: .firstFailure))
    #expect(session.handle(.start) == [.open(session.generation, silent: false)])
  }

  @Test("loss resets the modes, leaves a mark, and is retried silently")
  func lossAndRecovery() {
    var session = liveSession()
    let effects = session.handle(.ended(.failed(lost)), from: session.generation, at: .seconds(90))
    #expect(
      effects == [
        .resetModes, .mark(.lost(lost)), .schedule(session.generation, after: .seconds(1)),
      ]
    )
    #expect(session.state == .lost(lost, retryAt: .seconds(91), attempt: 1))
    #expect(session.timeToRetry(at: .seconds(90.25)) == .seconds(0.75))
    #expect(session.timeToRetry(at: .seconds(99)) == .zero)
    let timer = session.generation
    let opening = session.handle(.timerFired, from: timer, at: .seconds(91))
    #expect(opening == [.open(session.generation, silent: true)])
    #expect(session.handle(.timerFired, from: timer, at: .seconds(91)) == [])
    let again = session.handle(
      .openFailed(.connection(failure(.refused))),
      from: session.generation,
      at: .seconds(92)
    )
    #expect(again == [.schedule(session.generation, after: .seconds(2))])
    _ = session.handle(.timerFired, from: session.generation, at: .seconds(94))
    _ = session.handle(.opened, from: session.generation, at: .seconds(95))
    #expect(session.state == .live(since: .seconds(95)))
  }

  @Test("what needs the person ends the recovery with Retry")
  func recoveryStops() {
    var session = liveSession()
    _ = session.handle(.ended(.failed(lost)), from: session.generation, at: .seconds(1))
    _ = session.handle(.timerFired, from: session.generation, at: .seconds(2))
    let needed = failure(.interactionRequired("password"))
    let effects = session.handle(
      .openFailed(.connection(needed)),
      from: session.generation,
      at: .seconds(3)
    )
    #expect(effects == [])
    #expect(session.state == .failed(.connection(needed), stop: .personNeeded))
    #expect(session.state.canStart)
  }

  @Test("the retry key during the wait connects at once, and may ask")
  func retryAtOnce() {
    var session = liveSession()
    _ = session.handle(.ended(.failed(lost)), from: session.generation, at: .seconds(1))
    let timer = session.generation
    #expect(
      session.handle(.start) == [.cancelTimer(timer), .open(timer.following, silent: false)]
    )
    #expect(session.handle(.timerFired, from: timer, at: .seconds(2)) == [])
  }

  @Test("a program that exits is not retried")
  func exits() {
    var session = liveSession()
    let effects = session.handle(
      .ended(.exited(status: 3)),
      from: session.generation,
      at: .seconds(1)
    )
    #expect(effects == [.resetModes, .mark(.ended(.exited(status: 3)))])
    #expect(session.state == .ended(.exited(status: 3)))
    #expect(!session.state.isLive)
    #expect(session.handle(.start) == [.open(session.generation, silent: false)])
    // A new first attempt: its failure is not retried either.
    _ = session.handle(.openFailed(.connection(lost)), from: session.generation, at: .seconds(2))
    #expect(session.state == .failed(.connection(lost), stop: .firstFailure))
  }

  @Test("callbacks of a retired attempt are dropped, and a late channel is closed")
  func retired() {
    var session = PaneSession(kind: .ssh, hopCount: 1)
    _ = session.handle(.start)
    let old = session.generation
    #expect(session.handle(.cancel) == [.cancelOpening(old)])
    #expect(session.state == .failed(.cancelled, stop: .cancelled))
    #expect(session.handle(.opened, from: old, at: .zero) == [.closeChannel(old)])
    #expect(session.handle(.progressed(.keyExchange, hop: 0), from: old, at: .zero) == [])
    #expect(session.handle(.openFailed(.connection(lost)), from: old, at: .zero) == [])
    #expect(session.handle(.ended(.closed), from: old, at: .zero) == [])
    #expect(session.handle(.asked(.hostKey), from: old, at: .zero) == [])
    #expect(session.state == .failed(.cancelled, stop: .cancelled))
  }

  @Test("cancelling the wait keeps the reason")
  func cancelWait() {
    var session = liveSession()
    _ = session.handle(.ended(.failed(lost)), from: session.generation, at: .seconds(1))
    let timer = session.generation
    #expect(session.handle(.cancel) == [.cancelTimer(timer)])
    #expect(session.state == .failed(.connection(lost), stop: .cancelled))
    #expect(session.handle(.cancel) == [])
  }

  @Test("a pane that is closed ends whatever it has, and nothing after that counts")
  func closing() {
    var live = liveSession()
    let channel = live.generation
    #expect(live.handle(.close) == [.closeChannel(channel)])
    #expect(live.handle(.ended(.closed), from: channel, at: .zero) == [])
    #expect(live.state == .closed)
    #expect(live.handle(.start) == [])
    #expect(live.handle(.close) == [])
    var waiting = PaneSession(kind: .ssh, hopCount: 1)
    _ = waiting.handle(.start)
    _ = waiting.handle(.asked(.hostKey), from: waiting.generation, at: .zero)
    #expect(waiting.handle(.close) == [.cancelOpening(SessionGeneration(rawValue: 1))])
    var idle = PaneSession(kind: .local)
    #expect(idle.handle(.close) == [])
  }

  @Test("a local program starts, fails, ends and starts again")
  func local() {
    var session = PaneSession(kind: .local)
    _ = session.handle(.start)
    #expect(
      session.state
        == .connecting(PaneProgress(hop: 0, hopCount: 0, step: .openingChannel, isSilent: false))
    )
    let missing = PaneFailure.launch(path: "/bin/none", diagnostic: "No such file")
    _ = session.handle(.openFailed(missing), from: session.generation, at: .zero)
    #expect(session.state == .failed(missing, stop: nil))
    _ = session.handle(.start)
    _ = session.handle(.opened, from: session.generation, at: .zero)
    let effects = session.handle(
      .ended(.signalled(name: "KILL")),
      from: session.generation,
      at: .seconds(1)
    )
    #expect(effects == [.resetModes, .mark(.ended(.signalled(name: "KILL")))])
    #expect(session.state == .ended(.signalled(name: "KILL")))
  }

  @Test("an empty pane starts nothing")
  func empty() {
    var session = PaneSession(kind: .empty)
    #expect(session.handle(.start) == [])
    #expect(session.state == .idle)
  }

  @Test("generations only grow, and at most one thing is open, whatever comes", arguments: 0..<40)
  func randomEvents(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var session = PaneSession(kind: .ssh, hopCount: 3)
    var open: Set<SessionGeneration> = []
    var timers: Set<SessionGeneration> = []
    var now = Duration.zero
    for _ in 0..<300 {
      now += .milliseconds(Int.random(in: 0...20_000, using: &random))
      let before = session.generation
      let source = SessionGeneration(
        rawValue: UInt64(max(0, Int(before.rawValue) - Int.random(in: 0...2, using: &random)))
      )
      let effects: [PaneEffect]
      if Int.random(in: 0..<4, using: &random) == 0 {
        effects = session.handle(Bool.random(using: &random) ? .start : .cancel)
      } else {
        let events: [PaneEvent] = [
          .progressed(.hostKey, hop: 9), .asked(.hostKey), .answered, .opened,
          .openFailed(.connection(failure(.refused))), .ended(.failed(lost)),
          .ended(.exited(status: 0)), .timerFired,
        ]
        let event = events.randomElement(using: &random) ?? .answered
        effects = session.handle(event, from: source, at: now)
        if case .openFailed = event { open.remove(source) }
        if case .ended = event { open.remove(source) }
        if case .timerFired = event { timers.remove(source) }
      }
      #expect(session.generation >= before)
      for effect in effects {
        switch effect {
        case .open(let generation, _): open.insert(generation)
        case .cancelOpening(let generation), .closeChannel(let generation):
          open.remove(generation)
        case .schedule(let generation, _): timers.insert(generation)
        case .cancelTimer(let generation): timers.remove(generation)
        case .resetModes, .mark: break
        }
      }
      #expect(open.count <= 1)
      #expect(timers.count <= 1)
    }
  }
}

extension SessionGeneration {
  /// The number after this one.
  var following: SessionGeneration { SessionGeneration(rawValue: rawValue + 1) }
}
