import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Transfers whose connection is lost") struct TransferRecoveryTests {
  private static let big = String(repeating: "0123456789abcdef", count: 1_200_000)

  @Test(
    "a lost connection is brought back, and the file goes on where it was",
    arguments: [true, false]
  )
  func recovers(up: Bool) async throws {
    let bench = try TransferBench()
    try (up ? bench.here : bench.there).write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big"], up: up)
    let run = Task { await job.run() }
    // The first place that can be proved lies at 8 MB.
    try await bench.wait("the first bytes", job) { $0.byteCount > 9_000_000 }
    bench.kill()
    try await bench.wait("the loss", job) { batch in
      if case .waiting(_, .some) = batch.state { return true }
      return false
    }
    #expect(job.batch.rows.map(\.state) == [.paused])
    #expect(job.timeToRetry ?? .zero <= .seconds(1))
    await bench.bandwidth.setRate(nil)
    await run.value
    #expect(job.batch.state == .done && job.batch.doneCount == 1 && job.batch.failureCount == 0)
    #expect(bench.openings.withLock { $0 } == 2)
    #expect(bench.names == ["big"])
    #expect(try await bench.isSame("big"))
  }

  @Test("a transfer that waits for its connection can be paused and cancelled")
  func waits() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(2_000_000)
    let job = try await bench.job(["big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 0 }
    // Every new connection ends at once.
    bench.cut.withLock { $0 = 1 }
    bench.kill()
    try await bench.wait("the wait", job) { batch in
      if case .waiting(_, .some) = batch.state { return true }
      return false
    }
    await job.pause()
    #expect(job.batch.isPaused)
    run.cancel()
    await run.value
    #expect(job.batch.state == .cancelled)
    // The server cannot be reached: what is left is told.
    let left = job.batch.notes.contains { if case .leftBehind = $0 { true } else { false } }
    #expect(left || bench.names.isEmpty)
  }

  @Test("a first failure is told and never retried by itself")
  func firstFailure() async throws {
    let bench = try TransferBench()
    try bench.here.write("file", "x")
    bench.cut.withLock { $0 = 1 }
    let job = try await bench.job(["file"])
    await job.run()
    guard case .failed(let error) = job.batch.state else {
      Issue.record("\(job.batch.state)")
      return
    }
    #expect(error.endsConnection)
    #expect(bench.openings.withLock { $0 } == 1)
    bench.cut.withLock { $0 = nil }
    await job.retry()
    #expect(job.batch.state == .done && job.batch.doneCount == 1)
  }

  @Test("what is tried again is shown as under way, and a wish is not lost while it is told")
  func reports() async throws {
    let bench = try TransferBench()
    let files = RecoveringFileSystem(try await bench.open())
    let reports = Locked<[Bool]>([])
    let underWay = Locked<[Bool]>([])
    let recovery = ConnectionRecovery { report in
      reports.withLock { $0.append(report.retryAt != nil) }
      underWay.withLock { $0.append(report.isUnderWay) }
    }
    recovery.connected()
    let refusals = Locked(1)
    let end = ConnectionRecovery.End(files) { () async throws(TransferOpenFailure) in
      let isRefused = refusals.withLock { left in
        defer { left -= 1 }
        return left > 0
      }
      if isRefused {
        let error = FileError(.connectionLost("it asks"))
        throw TransferOpenFailure(error, .interactionRequired("a password"))
      }
      return try await bench.open()
    }
    bench.kill()
    let run = Task { await recovery.recover([end], after: FileError(.connectionLost("cut"))) }
    // It waits a second, tries, and then waits for a person.
    try await waitUntil("the wait for a person", seconds: 30) { reports.withLock { $0.count } == 3 }
    recovery.poke()
    #expect(await run.value)
    #expect(reports.withLock { $0 } == [true, true, false, true])
    // An attempt is announced once, and shown when it begins.
    #expect(underWay.withLock { $0 } == [false, true, false, true])
    #expect(await !files.isLost())
    await files.close()
  }

  @Test("after so many attempts it is given up where nobody could be there")
  func limited() async throws {
    let bench = try TransferBench()
    let files = RecoveringFileSystem(try await bench.open())
    let recovery = ConnectionRecovery(limit: 1) { _ in }
    recovery.connected()
    let end = ConnectionRecovery.End(files) { () async throws(TransferOpenFailure) in
      throw TransferOpenFailure(FileError(.connectionLost("gone")))
    }
    bench.kill()
    #expect(await !recovery.recover([end], after: FileError(.connectionLost("cut"))))
  }

  /// Copies a small tree over connections that are cut, until it is there; checks that both ends are equal.
  private static func copyTree(
    cuts: [Int],
    up: Bool,
    replaces: Bool,
    _ bench: TransferBench
  ) async throws {
    let (from, to) = up ? (bench.here, bench.there) : (bench.there, bench.here)
    mkdir(from.file("tree"), 0o700)
    mkdir(from.file("tree/sub"), 0o700)
    mkdir(from.file("tree/empty"), 0o700)
    for number in 0..<8 { try from.write("tree/sub/\(number)", "content of \(number)") }
    try from.write("tree/large", String(repeating: "large ", count: 20_000))
    symlink("sub/1", from.file("tree/link"))
    if replaces {
      mkdir(to.file("tree"), 0o700)
      mkdir(to.file("tree/sub"), 0o700)
      try to.write("tree/sub/3", "old")
      try to.write("tree/large", "old")
    }
    let left = Locked(cuts)
    bench.cut.withLock { $0 = cuts[0] }
    let job = try await bench.job(["tree"], up: up, policy: replaces ? .overwrite : .skip)
    let run = Task { await job.run() }
    let poke = Task {
      while !Task.isCancelled {
        if case .waiting = job.batch.state {
          bench.cut.withLock { cut in
            cut = left.withLock { left in
              if !left.isEmpty { left.removeFirst() }
              return left.first
            }
          }
          await job.resume()
        }
        // Cancelled with the copy.
        try? await Task.sleep(for: .milliseconds(2))
      }
    }
    await run.value
    poke.cancel()
    await poke.value
    if case .failed = job.batch.state {
      // Cut before the first answer: a first failure is not retried, and nothing was written.
      return
    }
    let text = "cut at \(cuts), up \(up), replacing \(replaces)"
    #expect(job.batch.state == .done, "\(text)")
    #expect(job.batch.failureCount == 0, "\(text): \(job.batch.failures.map(\.state))")
    let difference = try await TestProgram.run(
      "/bin/sh",
      ["-c", "diff -r --no-dereference '\(from.file("tree"))' '\(to.file("tree"))' 2>&1; true"]
    )
    #expect(difference == "", "\(text)")
    let names = to.names("tree") + to.names("tree/sub")
    #expect(!names.contains { $0.contains(".termind-") }, "\(text): \(names)")
  }

  @Test(
    "the connection is cut at any place, 200 times: both ends are equal in the end",
    arguments: [(true, false), (true, true), (false, false), (false, true)]
  )
  func cuts(up: Bool, replaces: Bool) async throws {
    var generator = SystemRandomNumberGenerator()
    for round in 0..<50 {
      let bench = try TransferBench()
      // Every place once, then two cuts in one copy at random places.
      let first = 2 + round
      let cuts = round % 2 == 0 ? [first] : [first, Int.random(in: 2...40, using: &generator)]
      try await Self.copyTree(cuts: cuts, up: up, replaces: replaces, bench)
    }
  }
}
