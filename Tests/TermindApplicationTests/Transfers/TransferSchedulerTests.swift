import TermindApplication
import TermindDomain
import Testing

@Suite("Slots for transfers") struct TransferSchedulerTests {
  private actor Counter {
    private(set) var running = 0
    private(set) var most = 0
    private(set) var done = 0
    private var gate: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    func enter() {
      running += 1
      most = max(most, running)
    }

    func leave() {
      running -= 1
      done += 1
    }

    func hold() async {
      if isOpen { return }
      await withCheckedContinuation { gate.append($0) }
    }

    func open() {
      isOpen = true
      for waiter in gate { waiter.resume() }
      gate = []
    }
  }

  private static let place: Set<FilePlace> = [.server("a"), .thisMachine]
  private static let source = TransferSource(rawValue: 1)

  @Test("never runs more than the limits, and everything in the end")
  func limits() async {
    let scheduler = TransferScheduler(limits: TransferLimits(total: 4, perHost: 3))
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          _ = await scheduler.withSlot(places: Self.place, source: Self.source) {
            await counter.enter()
            await Task.yield()
            await counter.leave()
          }
        }
      }
    }
    #expect(await counter.most <= 3)
    #expect(await counter.done == 40)
    #expect(await scheduler.runningCount == 0)
    #expect(await scheduler.waitingCount == 0)
  }

  @Test("a task that is cancelled while it waits gives its place back")
  func cancelled() async {
    let scheduler = TransferScheduler(limits: TransferLimits(total: 1, perHost: 1))
    let counter = Counter()
    let first = Task {
      await scheduler.withSlot(places: Self.place, source: Self.source) { await counter.hold() }
    }
    while await scheduler.runningCount == 0 { await Task.yield() }
    let second = Task {
      await scheduler.withSlot(places: Self.place, source: Self.source) { true }
    }
    while await scheduler.waitingCount == 0 { await Task.yield() }
    second.cancel()
    #expect(await second.value == nil)
    #expect(await scheduler.waitingCount == 0)
    await counter.open()
    #expect(await first.value != nil)
    #expect(await scheduler.withSlot(places: Self.place, source: Self.source) { 5 } == 5)
  }

  @Test("higher limits let more run at once")
  func raised() async {
    let scheduler = TransferScheduler(limits: TransferLimits(total: 1, perHost: 1))
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          _ = await scheduler.withSlot(places: Self.place, source: Self.source) {
            await counter.enter()
            await counter.hold()
            await counter.leave()
          }
        }
      }
      while await scheduler.waitingCount != 2 { await Task.yield() }
      await scheduler.setLimits(TransferLimits(total: 3, perHost: 3))
      while await counter.running != 3 { await Task.yield() }
      await counter.open()
    }
    #expect(await counter.done == 3)
  }

  @Test("bytes are paid for in time")
  func bandwidth() async {
    let clock = ContinuousClock()
    let limit = BandwidthLimit(bytesPerSecond: 1_000_000, clock: clock)
    let start = clock.now
    for _ in 0..<4 { await limit.take(25_000) }
    #expect(start.duration(to: clock.now) >= .milliseconds(90))
    await limit.setRate(nil)
    // At the old rate this would take a quarter of an hour.
    await limit.take(1_000_000_000)
    #expect(start.duration(to: clock.now) < .seconds(300))
  }

  @Test("another rate holds for those who wait already")
  func raised() async {
    let clock = ContinuousClock()
    let limit = BandwidthLimit(bytesPerSecond: 1_000, clock: clock)
    let start = clock.now
    await withTaskGroup(of: Void.self) { group in
      // At this rate the last one waits for more than an hour.
      for _ in 0..<20 { group.addTask { await limit.take(262_144) } }
      group.addTask { await limit.setRate(100_000_000) }
    }
    #expect(start.duration(to: clock.now) < .seconds(300))
  }
}
