import Testing

@testable import TermindInfrastructure

@Suite("The main thread's loop") @MainActor struct MainLoopTests {
  @Test("a watch calls while its descriptor is ready and it is not paused")
  func reading() throws {
    let loop = try MainLoop()
    let (near, far) = try LocalSocket.pair()
    near.setNonblocking()
    var calls = 0
    let watch = try #require(loop.watch(near.descriptor, .reading) { calls += 1 })
    _ = try far.send([1])
    loop.turn(milliseconds: 0)
    #expect(calls == 0)
    watch.setRunning(true)
    loop.turn(milliseconds: 1_000)
    loop.turn(milliseconds: 1_000)
    #expect(calls == 2)
    _ = try near.receive()
    loop.turn(milliseconds: 0)
    #expect(calls == 2)
    _ = try far.send([1])
    watch.setRunning(false)
    loop.turn(milliseconds: 0)
    #expect(calls == 2)
  }

  @Test("one descriptor is watched for reading and writing by two watches")
  func both() throws {
    let loop = try MainLoop()
    let (near, far) = try LocalSocket.pair()
    var calls: [String] = []
    let reading = try #require(loop.watch(near.descriptor, .reading) { calls.append("read") })
    let writing = try #require(loop.watch(near.descriptor, .writing) { calls.append("write") })
    reading.setRunning(true)
    writing.setRunning(true)
    loop.turn(milliseconds: 1_000)
    #expect(calls == ["write"])
    writing.setRunning(false)
    _ = try far.send([1])
    loop.turn(milliseconds: 1_000)
    #expect(calls == ["write", "read"])
  }

  @Test("a watch that a handler of the same turn drops hears no more, and its place is used again")
  func dropped() throws {
    let loop = try MainLoop()
    let (first, other) = try LocalSocket.pair()
    var watches: [MainLoop.Watch] = []
    var calls = 0
    for descriptor in [first.descriptor, other.descriptor] {
      let watch = try #require(
        loop.watch(descriptor, .writing) {
          calls += 1
          watches = []
        }
      )
      watches.append(watch)
    }
    for watch in watches { watch.setRunning(true) }
    loop.turn(milliseconds: 1_000)
    #expect(calls == 1)
    var again = 0
    let watch = try #require(loop.watch(first.descriptor, .writing) { again += 1 })
    watch.setRunning(true)
    loop.turn(milliseconds: 1_000)
    #expect(again == 1)
    #expect(calls == 1)
  }
}
