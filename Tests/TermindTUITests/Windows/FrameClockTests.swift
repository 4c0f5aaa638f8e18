import Testing

@testable import TermindTUI

@Suite("The clock of frames") @MainActor struct FrameClockTests {
  /// A clock that stands until it is set on, and the work that was put off.
  @MainActor private final class Time {
    var now = ContinuousClock.now
    var later: [(due: ContinuousClock.Instant, work: @MainActor @Sendable () -> Void)] = []
    var frames = 0
    var showsSomething = true

    func makeClock() -> FrameClock {
      let source = FrameClock.Source(
        now: { self.now },
        run: { wait, work in self.later.append((self.now + wait, work)) }
      )
      return FrameClock(source) {
        self.frames += 1
        return self.showsSomething
      }
    }

    /// Lets a time pass and does what is due in it, in its order.
    func pass(_ duration: Duration) {
      let end = now + duration
      while let next = later.indices.min(by: { later[$0].due < later[$1].due }),
        later[next].due <= end
      {
        let (due, work) = later.remove(at: next)
        now = max(now, due)
        work()
      }
      now = end
    }
  }

  @Test("changes of one turn are one frame, and without any nothing is put off")
  func coalesced() {
    let time = Time()
    let clock = time.makeClock()
    for _ in 0..<5 { clock.requestFrame() }
    #expect(time.frames == 0)
    #expect(time.later.count == 1)
    time.pass(.zero)
    #expect(time.frames == 1)
    #expect(time.later.isEmpty)
  }

  @Test("an answer is drawn before the request returns, with what was put off before")
  func answer() {
    let time = Time()
    let clock = time.makeClock()
    // A flood that has used up what may come early.
    for _ in 0..<100 {
      clock.requestFrame()
      time.pass(.milliseconds(1))
    }
    clock.requestFrame()
    let before = time.frames
    clock.requestFrame(.answer)
    #expect(time.frames == before + 1)
    time.pass(.seconds(1))
    #expect(time.frames == before + 1)
    #expect(time.later.isEmpty)
  }

  @Test("what changes after an answer waits for its own time")
  func afterAnswer() {
    let time = Time()
    let clock = time.makeClock()
    for _ in 0..<100 {
      clock.requestFrame()
      time.pass(.milliseconds(1))
    }
    clock.requestFrame()
    clock.requestFrame(.answer)
    let before = time.frames
    clock.requestFrame()
    time.pass(.milliseconds(8))
    #expect(time.frames == before)
    time.pass(.milliseconds(9))
    #expect(time.frames == before + 1)
    #expect(time.later.isEmpty)
  }

  @Test("a frame that showed nothing is not counted")
  func nothing() {
    let time = Time()
    let clock = time.makeClock()
    time.showsSomething = false
    for _ in 0..<50 {
      clock.requestFrame()
      time.pass(.zero)
    }
    #expect(time.frames == 50)
  }
}
