import TermindDomain
import Testing

@Suite("Who may copy next") struct TransferScheduleTests {
  private static let one = FilePlace.server("one")
  private static let two = FilePlace.server("two")
  private static let pane = TransferSource(rawValue: 1)
  private static let other = TransferSource(rawValue: 2)

  @Test("limits stay in their ranges")
  func limits() {
    #expect(TransferLimits.standard == TransferLimits(total: 30, perHost: 10))
    #expect(TransferLimits(total: 0, perHost: 0) == TransferLimits(total: 1, perHost: 1))
    #expect(TransferLimits(total: 500, perHost: 90) == TransferLimits(total: 100, perHost: 50))
    #expect(TransferLimits(total: 5, perHost: 10).perHost == 5)
  }

  @Test("one host never takes more than its share, and all never more than all")
  func bounds() {
    var schedule = TransferSchedule(limits: TransferLimits(total: 3, perHost: 2))
    for _ in 0..<5 { _ = schedule.enqueue(places: [Self.one, .thisMachine], source: Self.pane) }
    for _ in 0..<5 { _ = schedule.enqueue(places: [Self.two, .thisMachine], source: Self.pane) }
    var started: [TransferTicket] = []
    while let ticket = schedule.startNext() { started.append(ticket) }
    // The hosts take turns: 1 of one, 6 of two, 2 of one.
    #expect(started.map(\.rawValue) == [1, 6, 2])
    schedule.end(started[1])
    #expect(schedule.startNext()?.rawValue == 7)
    schedule.end(started[0])
    // Host two has its two? No: 6 has ended, so 7 runs alone; it is its turn.
    #expect(schedule.startNext() != nil)
    #expect(schedule.runningCount == 3)
  }

  @Test("sources of one host take turns, each in its own order")
  func fairness() {
    var schedule = TransferSchedule(limits: TransferLimits(total: 100, perHost: 50))
    for _ in 0..<3 { _ = schedule.enqueue(places: [Self.one], source: Self.pane) }
    for _ in 0..<2 { _ = schedule.enqueue(places: [Self.one], source: Self.other) }
    var started: [UInt64] = []
    while let ticket = schedule.startNext() { started.append(ticket.rawValue) }
    #expect(started == [1, 4, 2, 5, 3])
  }

  @Test("a source that was moved up goes before the others, on every host")
  func priorities() {
    var schedule = TransferSchedule(limits: TransferLimits(total: 100, perHost: 50))
    for _ in 0..<2 { _ = schedule.enqueue(places: [Self.one], source: Self.pane) }
    for _ in 0..<2 { _ = schedule.enqueue(places: [Self.two], source: Self.other) }
    schedule.setPriority(of: Self.other, to: 1)
    #expect(schedule.startNext()?.rawValue == 3)
    #expect(schedule.startNext()?.rawValue == 4)
    #expect(schedule.startNext()?.rawValue == 1)
    _ = schedule.enqueue(places: [Self.one], source: Self.other)
    schedule.setPriority(of: Self.other, to: -1)
    #expect(schedule.startNext()?.rawValue == 2)
    #expect(schedule.startNext()?.rawValue == 5)
    #expect(schedule.startNext() == nil)
  }

  @Test("a copy between two servers takes a slot of each")
  func crossHost() {
    var schedule = TransferSchedule(limits: TransferLimits(total: 10, perHost: 1))
    let cross = schedule.enqueue(places: [Self.one, Self.two], source: Self.pane)
    _ = schedule.enqueue(places: [Self.one], source: Self.pane)
    let second = schedule.enqueue(places: [Self.two], source: Self.pane)
    #expect(schedule.startNext() == cross)
    #expect(schedule.startNext() == nil)
    schedule.end(cross)
    #expect(schedule.startNext() != nil)
    #expect(schedule.startNext() != nil)
    #expect(schedule.startNext() == nil)
    schedule.end(second)
    #expect(schedule.waitingCount == 0)
  }

  @Test("new limits touch what waits only")
  func liveLimits() {
    var schedule = TransferSchedule(limits: TransferLimits(total: 4, perHost: 4))
    let tickets = (0..<6).map { _ in schedule.enqueue(places: [Self.one], source: Self.pane) }
    for _ in 0..<4 { _ = schedule.startNext() }
    schedule.setLimits(TransferLimits(total: 1, perHost: 1))
    #expect(schedule.runningCount == 4)
    for ticket in tickets[..<3] { schedule.end(ticket) }
    #expect(schedule.startNext() == nil)
    schedule.end(tickets[3])
    #expect(schedule.startNext() == tickets[4])
  }

  @Test("work that waits can be moved and taken back")
  func moving() {
    var schedule = TransferSchedule(limits: TransferLimits(total: 10, perHost: 10))
    let tickets = (0..<3).map { _ in schedule.enqueue(places: [Self.one], source: Self.pane) }
    schedule.moveToFront(tickets[2])
    schedule.end(tickets[0])
    #expect(schedule.startNext() == tickets[2])
    #expect(schedule.startNext() == tickets[1])
    #expect(schedule.startNext() == nil)
    schedule.end(tickets[0])
    #expect(schedule.runningCount == 2)
  }

  @Test("smart keeps small and unknown files on channels")
  func topology() {
    #expect(!TransferTopology.smart.wantsConnection(size: 64_000_000, hasFailed: false))
    #expect(TransferTopology.smart.wantsConnection(size: 64_000_001, hasFailed: false))
    #expect(!TransferTopology.smart.wantsConnection(size: nil, hasFailed: false))
    #expect(!TransferTopology.connectionsPreferred.wantsConnection(size: nil, hasFailed: true))
    #expect(TransferTopology.connectionsPreferred.wantsConnection(size: 1, hasFailed: false))
    #expect(!TransferTopology.channelsOnly.wantsConnection(size: .max, hasFailed: false))
  }
}
