import TermindApplication
import TermindDomain
import Testing

@Suite("What a batch of a transfer shows") struct TransferBatchTests {
  private static func batch(_ number: Int = 1, isMove: Bool = false) throws -> TransferBatch {
    TransferBatch(
      number: number,
      names: [try FileName("tree")],
      source: TransferEnd(
        name: "web1",
        place: .server("web1"),
        directory: try #require(RemotePath("/from"))
      ),
      target: TransferEnd(
        name: "local",
        place: .thisMachine,
        directory: try #require(RemotePath("/to"))
      ),
      isMove: isMove
    )
  }

  private static func item(_ number: Int, size: UInt64 = 100) throws -> TransferItem {
    TransferItem(
      number: number,
      source: try #require(RemotePath("/from/\(number)")),
      target: try #require(RemotePath("/to/\(number)")),
      size: size
    )
  }

  private static func result(_ count: UInt64) -> CopyResult {
    CopyResult(byteCount: count, digest: [], hasReplaced: false, warnings: [])
  }

  private static let full = CopyFailure(.operation(.writing, FileError(.diskFull)))

  @Test("counts files and bytes, with those under way, and forgets nothing of a failure")
  func counts() throws {
    var batch = try Self.batch()
    for number in 1...4 { batch.take(.found(try Self.item(number))) }
    #expect(batch.share == nil)
    batch.take(.planned)
    batch.take(.started(try Self.item(1)))
    batch.take(.progressed(try Self.item(1), 40))
    #expect(batch.byteCount == 40 && batch.foundBytes == 400 && batch.share == 0.1)
    batch.take(.finished(try Self.item(1), Self.result(100)))
    batch.take(.progressed(try Self.item(1), 100))
    #expect(batch.byteCount == 100 && batch.doneCount == 1)
    batch.take(.started(try Self.item(2)))
    batch.take(.progressed(try Self.item(2), 30))
    batch.take(.failed(try Self.item(2), Self.full))
    #expect(batch.byteCount == 100 && batch.failureCount == 1 && batch.isOpen)
    batch.take(.started(try Self.item(3)))
    batch.take(.paused(try Self.item(3)))
    batch.take(.leftOut(try Self.item(4), nil))
    #expect(batch.rows.map(\.state) == [.paused, .failed(Self.full), .skipped, .done])
    #expect(batch.skippedCount == 1 && batch.foundBytes == 300)
  }

  @Test("a million files take bounded room: the last done ones, and failures up to a bound")
  func bounded() throws {
    var batch = try Self.batch()
    for number in 1...20_000 {
      let item = try Self.item(number)
      batch.take(.found(item))
      batch.take(.started(item))
      batch.take(number % 4 == 0 ? .failed(item, Self.full) : .finished(item, Self.result(100)))
    }
    #expect(batch.doneCount == 15_000 && batch.failureCount == 5_000)
    #expect(batch.failures.count == TransferBatch.keptFailures)
    #expect(batch.rows.count <= TransferBatch.keptFailures + 2 * TransferBatch.keptFinished)
    batch.take(.planned)
    batch.state = .done
    // More failed than is known by name: everything is looked at again, unless that would make second copies.
    var other = batch
    let all = batch.beginRetry(canRestart: true)
    #expect(all == nil)
    #expect(batch.failureCount == 0 && batch.state == .running && batch.foundCount == 15_000)
    let rest = other.beginRetry(canRestart: false)
    let kept = try #require(rest)
    #expect(kept.files.count == TransferBatch.keptFailures)
  }

  @Test("trying again takes what failed, files as files and directories as trees")
  func retries() throws {
    var batch = try Self.batch()
    batch.take(.found(try Self.item(1)))
    batch.take(.failed(try Self.item(1), Self.full))
    let root = CopyRoot(
      source: try #require(RemotePath("/from/tree")),
      target: try #require(RemotePath("/to/tree"))
    )
    batch.take(.missing(root, FileError(.denied)))
    batch.take(.planned)
    #expect(!batch.canRetry)
    batch.state = .done
    #expect(batch.canRetry)
    let retry = batch.beginRetry(canRestart: true)
    let again = try #require(retry)
    #expect(again.files == [CopyRetry(item: try Self.item(1), failure: Self.full)])
    #expect(again.roots == [root])
    #expect(batch.failures.isEmpty && batch.foundCount == 1)
    #expect(batch.rows.map(\.state) == [.queued])
    batch.take(.finished(try Self.item(1), Self.result(100)))
    #expect(batch.doneCount == 1 && batch.byteCount == batch.foundBytes)
  }

  @Test("a pause outlives a lost connection")
  func pauses() throws {
    var batch = try Self.batch()
    batch.state = .waiting(FileError(.connectionLost("gone")), retryAt: .seconds(1))
    batch.pause()
    guard case .waiting = batch.state else {
      Issue.record("\(batch.state)")
      return
    }
    batch.take(.recovered)
    #expect(batch.state == .paused)
    batch.resume()
    #expect(batch.state == .running && !batch.isPaused)
  }

  @Test("files that were given up are no failures; what could not be removed of them is told")
  func cancelled() throws {
    var batch = try Self.batch()
    for number in 1...2 { batch.take(.found(try Self.item(number))) }
    batch.take(.failed(try Self.item(1), CopyFailure(.cancelled)))
    let left = CopyFailure(
      .cancelled,
      leftBehind: RemotePath("/to/.2.part"),
      leftBehindReason: FileError(.denied)
    )
    batch.take(.failed(try Self.item(2), left))
    #expect(batch.failureCount == 0 && batch.cancelledCount == 2)
    #expect(batch.notes == [.leftBehind(try Self.item(2).source, left)])
  }

  @Test("the rate is the mean of the last seconds, and starts anew after a pause")
  func rate() {
    var rate = TransferRate()
    #expect(rate.bytesPerSecond == nil)
    for second in 0...20 { rate.note(UInt64(second) * 1_000, at: .seconds(second)) }
    #expect(rate.bytesPerSecond == 1_000)
    for second in 21...30 { rate.note(20_000 + UInt64(second - 20) * 5_000, at: .seconds(second)) }
    #expect(rate.bytesPerSecond == 5_000)
    // Readings that are close together change nothing.
    rate.note(900_000, at: .milliseconds(30_100))
    #expect(rate.bytesPerSecond == 5_000)
    rate.note(10, at: .seconds(31))
    #expect(rate.bytesPerSecond == nil)
    rate.reset()
    #expect(rate == TransferRate())
  }

  @Test("the time that is left follows from the rate, once everything was found")
  func timeLeft() throws {
    var batch = try Self.batch()
    batch.take(.found(try Self.item(1, size: 10_000)))
    batch.take(.started(try Self.item(1, size: 10_000)))
    batch.tick(at: .zero)
    batch.take(.progressed(try Self.item(1, size: 10_000), 2_000))
    batch.tick(at: .seconds(2))
    #expect(batch.rate.bytesPerSecond == 1_000)
    #expect(batch.timeLeft == nil)
    batch.take(.planned)
    #expect(batch.timeLeft == .seconds(8))
    batch.pause()
    batch.tick(at: .seconds(3))
    #expect(batch.timeLeft == nil && batch.rate.bytesPerSecond == nil)
  }

  @Test("batches move by one place, and what is over goes only when it is cleared")
  func list() throws {
    var list = TransferList()
    for number in 1...4 { list.set(try Self.batch(number)) }
    #expect(list.move(1, up: true).isEmpty)
    // Up by one: it and all above it go before the one that it passed.
    let changes = list.move(3, up: true)
    #expect(list.batches.map(\.number) == [1, 3, 2, 4])
    #expect(changes.map(\.number) == [1, 3])
    #expect(list.batches.map(\.priority) == [1, 1, 0, 0])
    _ = list.move(3, up: true)
    #expect(list.batches.map(\.number) == [3, 1, 2, 4])
    #expect(list.batches.map(\.priority) == [2, 1, 0, 0])
    let back = list.move(3, up: false)
    #expect(list.batches.map(\.number) == [1, 3, 2, 4])
    #expect(back.map(\.number) == [1, 3] && back.map(\.priority) == [2, 1])
    // Its newest state has its place and priority still.
    list.set(try Self.batch(3))
    #expect(list.batches.map(\.number) == [1, 3, 2, 4] && list.batches[1].priority == 1)
    // What is over stands below what is not, the latest first.
    for number in [3, 1] {
      var over = try Self.batch(number)
      over.state = .done
      list.set(over)
    }
    #expect(list.batches.map(\.number) == [2, 4, 1, 3])
    #expect(list.open.map(\.number) == [2, 4])
    #expect(list.move(4, up: false).isEmpty && list.move(1, up: true).isEmpty)
    // Tried again it is the last of those that run; a new one comes after it.
    list.set(try Self.batch(3))
    list.set(try Self.batch(5))
    #expect(list.batches.map(\.number) == [2, 4, 3, 5, 1])
    #expect(list.batches.map(\.priority) == [0, 0, 0, 0, 0])
    list.clear(2)
    #expect(list.batches.count == 5)
    list.clearFinished()
    #expect(list.batches.map(\.number) == [2, 4, 3, 5])
  }

  @Test("of those that are over the latest are kept, and all that are not")
  func forgets() throws {
    var list = TransferList()
    for number in 1...10 {
      var batch = try Self.batch(number)
      if number != 2 { batch.state = .done }
      list.set(batch)
    }
    list.forget(keeping: 3)
    #expect(list.batches.map(\.number) == [2, 10, 9, 8])
    list.forget(keeping: 3)
    #expect(list.batches.count == 4)
  }
}
