import Testing

@testable import TermindTUI

@Suite("When a window may draw") struct FrameScheduleTests {
  private let start = ContinuousClock.now
  private let interval = Duration.nanoseconds(1_000_000_000 / FrameSchedule.framesPerSecond)

  /// Draws whenever it is allowed, and returns when that was.
  private func flood(
    _ schedule: inout FrameSchedule,
    from first: Duration = .zero,
    for time: Duration
  ) -> [Duration] {
    var times: [Duration] = []
    var now = first
    while true {
      now += schedule.wait(at: start + now, for: .change)
      if now >= first + time { return times }
      schedule.drew(at: start + now)
      times.append(now)
    }
  }

  @Test("the first frame is drawn at once, and so is one after a rest")
  func afterRest() {
    var schedule = FrameSchedule()
    #expect(schedule.wait(at: start, for: .change) == .zero)
    schedule.drew(at: start)
    #expect(schedule.wait(at: start + .seconds(1), for: .change) == .zero)
  }

  @Test("a few frames after a rest come early, but not all in one moment")
  func early() {
    var schedule = FrameSchedule()
    let times = flood(&schedule, for: .milliseconds(50))
    #expect(times.prefix(4) == [.zero, .milliseconds(2), .milliseconds(4), .milliseconds(6)])
    #expect(times[4] == interval)
    #expect(times[5] == interval * 2)
  }

  @Test("a flood is drawn 120 times a second")
  func flood() {
    var schedule = FrameSchedule()
    let first = flood(&schedule, for: .seconds(1))
    #expect(first.count <= FrameSchedule.framesPerSecond + FrameSchedule.earlyFrames + 1)
    #expect(first.count >= FrameSchedule.framesPerSecond)
    let second = flood(&schedule, from: .seconds(1), for: .seconds(10))
    #expect(abs(second.count - 10 * FrameSchedule.framesPerSecond) <= 1)
  }

  @Test("a flood whose frames take long is drawn less often, and a hold-up is not paid for in full")
  func costly() {
    var schedule = FrameSchedule()
    var now = start
    for _ in 0..<20 {
      schedule.drew(at: now, cost: .milliseconds(3))
      now += schedule.wait(at: now, for: .change)
    }
    let begin = now
    for _ in 0..<40 {
      schedule.drew(at: now, cost: .milliseconds(3))
      now += schedule.wait(at: now, for: .change)
    }
    // Drawing takes an eighth of the time.
    #expect(begin.duration(to: now) == .milliseconds(3) * FrameSchedule.costFactor * 40)
    #expect(schedule.wait(at: now, for: .answer) == .zero)
    schedule.drew(at: now, cost: .seconds(5))
    #expect(schedule.wait(at: now, for: .change) <= FrameSchedule.mostPrice)
  }

  @Test("an answer within a flood is drawn at once, and the flood pays for it")
  func answer() {
    var schedule = FrameSchedule()
    let last = flood(&schedule, for: .seconds(1)).last ?? .zero
    let now = start + last + .microseconds(10)
    #expect(schedule.wait(at: now, for: .change) > .milliseconds(8))
    #expect(schedule.wait(at: now, for: .answer) == .zero)
    let before = schedule.wait(at: now, for: .change)
    schedule.drew(at: now)
    #expect(schedule.wait(at: now, for: .change) == before + interval)
  }

  @Test("keys without end do not get frames without end")
  func bounded() {
    var schedule = FrameSchedule()
    _ = flood(&schedule, for: .seconds(1))
    var count = 0
    for millisecond in 1_000..<3_000 {
      let now = start + .milliseconds(millisecond)
      if schedule.wait(at: now, for: .answer) == .zero {
        schedule.drew(at: now)
        count += 1
      }
    }
    #expect(count <= 2 * FrameSchedule.framesPerSecond + FrameSchedule.earlyAnswers + 2)
    #expect(count >= 2 * FrameSchedule.framesPerSecond)
  }

  @Test("keys at a person's pace are answered at once for as long as they go on")
  func typing() {
    var schedule = FrameSchedule()
    _ = flood(&schedule, for: .seconds(1))
    var now = Duration.seconds(1)
    for _ in 0..<600 {
      now += .milliseconds(33)
      _ = flood(&schedule, from: now - .milliseconds(33), for: .milliseconds(33))
      #expect(schedule.wait(at: start + now, for: .answer) == .zero)
      schedule.drew(at: start + now)
    }
  }
}
