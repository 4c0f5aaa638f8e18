import Testing

@testable import TermindInfrastructure

@Suite("Locked") struct LockedTests {
  @Test("no increment of many threads is lost")
  func noLostUpdate() async {
    let counter = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { counter.withLock { $0 += 1 } } }
      }
    }
    #expect(counter.withLock { $0 } == 8_000)
  }

  @Test("a thrown error leaves the lock open")
  func throwing() {
    let value = Locked([1])
    #expect(throws: EventLoopError.cancelled) {
      try value.withLock { (_: inout [Int]) throws(EventLoopError) in throw .cancelled }
    }
    #expect(value.withLock { $0 } == [1])
  }
}
