import Foundation
import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Transfers that outlive their server") struct SuspendedTransferTests {
  private static let big = String(repeating: "0123456789abcdef", count: 1_200_000)

  /// Suspends a job as the end of a server does, and gives back what its file would hold.
  private static func suspend(
    _ job: TransferJob,
    _ run: Task<Void, Never>
  ) async throws -> SuspendedTransfer {
    let left = try #require(await job.suspend())
    run.cancel()
    await run.value
    let data = try JSONEncoder().encode(left)
    return try JSONDecoder().decode(SuspendedTransfer.self, from: data)
  }

  @Test("a file goes on where it was, after its bytes were proved", arguments: [true, false])
  func file(up: Bool) async throws {
    let bench = try TransferBench()
    try (up ? bench.here : bench.there).write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big"], up: up)
    let run = Task { await job.run() }
    // The first place that can be proved lies at 8 MB.
    try await bench.wait("the first bytes", job) { $0.byteCount > 9_000_000 }
    let left = try await Self.suspend(job, run)
    let target = up ? bench.there : bench.here
    #expect(target.names(".").count { $0.hasSuffix(".part") } == 1)
    let file = try #require(left.files.first)
    #expect(file.checkpoint?.milestones.last?.offset ?? 0 >= 8_388_608)
    await bench.bandwidth.setRate(nil)
    let next = try bench.job(resuming: left, up: up)
    #expect(next.batch.state == .paused && next.batch.isPaused)
    #expect(next.batch.byteCount >= 8_388_608 && next.batch.rows.map(\.state) == [.paused])
    await next.run()
    #expect(next.batch.state == .done && next.batch.doneCount == 1)
    #expect(next.batch.byteCount == UInt64(Self.big.utf8.count))
    #expect(target.names(".") == ["big"])
    #expect(try await bench.isSame("big"))
  }

  @Test("a name that a server had listed twice goes on as one")
  func listedTwice() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big", "big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 9_000_000 }
    let left = try await Self.suspend(job, run)
    #expect(left.entries.count == 2)
    await bench.bandwidth.setRate(nil)
    let next = try bench.job(resuming: left)
    await next.run()
    #expect(next.batch.state == .done)
    #expect(try await bench.isSame("big"))
  }

  @Test("a source that was changed meanwhile is not continued, and says so")
  func changed() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 9_000_000 }
    let left = try await Self.suspend(job, run)
    try bench.here.write("big", "another")
    await bench.bandwidth.setRate(nil)
    let next = try bench.job(resuming: left)
    await next.run()
    #expect(next.batch.failures.map(\.state) == [.failed(CopyFailure(.notResumable))])
    #expect(bench.names == [])
  }

  @Test(
    "a tree that was moved half is whole in the end, and gone from its old place",
    arguments: [ConflictPolicy.skip, .keepBoth, .overwrite]
  )
  func tree(policy: ConflictPolicy) async throws {
    let bench = try TransferBench()
    let from = bench.here
    mkdir(from.file("tree"), 0o700)
    mkdir(from.file("tree/sub"), 0o755)
    mkdir(from.file("tree/empty"), 0o700)
    for number in 0..<200 { try from.write("tree/sub/\(number)", "content of \(number)") }
    for number in 0..<4 { try from.write("tree/large-\(number)", Self.big) }
    symlink("sub/1", from.file("tree/link"))
    let times = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, from.file("tree/sub"), times, 0)
    let before = try await Self.digest(of: from.file("tree"))
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["tree"], policy: policy, isMove: true)
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 9_000_000 }
    let left = try await Self.suspend(job, run)
    #expect(left.begun.values.map(\.isNew) == [true])
    await bench.bandwidth.setRate(nil)
    let next = try bench.job(resuming: left)
    await next.run()
    #expect(next.batch.state == .done && next.batch.failureCount == 0)
    #expect(next.batch.skippedCount == 0)
    #expect(bench.names == ["tree"])
    #expect(try await Self.digest(of: bench.there.file("tree")) == before)
    var status = stat()
    #expect(stat(bench.there.file("tree/sub"), &status) == 0 && status.st_mtim.tv_sec == 1_000_000)
    // What was brought by both runs is gone from where it was.
    #expect(bench.here.names(".") == [])
  }

  @Test(
    "a server that is not reached at first is tried again, and nothing is lost of what was there"
  )
  func unreached() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 9_000_000 }
    let left = try await Self.suspend(job, run)
    await bench.bandwidth.setRate(nil)
    bench.cut.withLock { $0 = 1 }
    let next = try bench.job(resuming: left)
    await next.run()
    guard case .waiting(_, nil) = next.batch.state else {
      Issue.record("\(next.batch.state)")
      return
    }
    #expect(await next.suspend() == left)
    bench.cut.withLock { $0 = nil }
    let last = try bench.job(resuming: left)
    await last.run()
    #expect(last.batch.state == .done && bench.names == ["big"])
    #expect(try await bench.isSame("big"))
  }

  @Test("nothing is written through a link that somebody put in the place of a half file")
  func link() async throws {
    let bench = try TransferBench()
    try bench.there.write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big"], up: false)
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 0 }
    let left = try await Self.suspend(job, run)
    let half = try #require(bench.here.names(".").first { $0.hasSuffix(".part") })
    unlink(bench.here.file(half))
    let victim = try TemporaryFolder()
    try victim.write("rc", "of the person")
    symlink(victim.file("rc"), bench.here.file(half))
    await bench.bandwidth.setRate(nil)
    let next = try bench.job(resuming: left, up: false)
    await next.run()
    #expect(next.batch.failureCount == 1)
    #expect(try TemporaryFolder.read(victim.file("rc")) == "of the person")
    #expect(bench.here.names(".") == [])
  }

  @Test("what waits can be given up, and its half files go")
  func givenUp() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(12_000_000)
    let job = try await bench.job(["big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 0 }
    let left = try await Self.suspend(job, run)
    #expect(bench.names.count == 1)
    let next = try bench.job(resuming: left)
    // A second end before anybody let it go on changes nothing.
    #expect(await next.suspend() == left)
    await next.giveUp()
    #expect(next.batch.state == .cancelled && bench.names == [])
  }

  /// What the file of a server that is killed holds, with the temporary file that it leaves.
  private static func killed(
    _ bench: TransferBench,
    _ names: [String],
    policy: ConflictPolicy = .skip,
    half: String
  ) async throws -> SuspendedTransfer {
    await bench.bandwidth.setRate(4_000_000)
    let job = try await bench.job(names, policy: policy)
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 1_000_000 }
    let folder = bench.there.file(half)
    let found = try FileManager.default.contentsOfDirectory(atPath: folder)
    let left = found.filter { $0.hasSuffix(".part") }
    #expect(!left.isEmpty && job.recordMark > 0)
    let record = try #require(job.record)
    run.cancel()
    await run.value
    #expect(job.record == nil)
    // A killed server removes nothing.
    for name in left { try bench.there.write("\(half)/\(name)", "half") }
    await bench.bandwidth.setRate(nil)
    let data = try JSONEncoder().encode(record)
    return try JSONDecoder().decode(SuspendedTransfer.self, from: data)
  }

  @Test(
    "after a kill the copy goes on, without a second one and without what was left half",
    arguments: [ConflictPolicy.skip, .keepBoth, .overwrite]
  )
  func killed(policy: ConflictPolicy) async throws {
    let bench = try TransferBench()
    mkdir(bench.here.file("tree"), 0o700)
    mkdir(bench.here.file("tree/sub"), 0o700)
    for number in 0..<20 { try bench.here.write("tree/small-\(number)", "content") }
    try bench.here.write("tree/sub/big", Self.big)
    let left = try await Self.killed(bench, ["tree"], policy: policy, half: "tree/sub")
    #expect(left.wasCutOff == true && left.begun.count == 1)
    // What another copy has under way is none of it.
    try bench.there.write("tree/sub/.big.termind-1.part", "of another copy")
    let next = try bench.job(resuming: left)
    #expect(next.batch.state == .paused)
    await next.run()
    #expect(next.batch.state == .done && next.batch.failureCount == 0)
    #expect(bench.names == ["tree"])
    #expect(Set(bench.there.names("tree/sub")) == ["big", ".big.termind-1.part"])
    unlink(bench.there.file("tree/sub/.big.termind-1.part"))
    #expect(
      try await Self.digest(of: bench.there.file("tree"))
        == Self.digest(of: bench.here.file("tree"))
    )
  }

  @Test("what a killed server left half goes also when the transfer is given up")
  func killedAndGivenUp() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    let left = try await Self.killed(bench, ["big"], half: ".")
    try bench.there.write(".big.termind-1.part", "of another copy")
    let next = try bench.job(resuming: left)
    await next.giveUp()
    #expect(next.batch.state == .cancelled && next.batch.notes == [])
    #expect(bench.names == [".big.termind-1.part"])
  }

  @Test("a mirror that was stopped with its server goes on as a mirror", arguments: [false, true])
  func mirror(leavesOut: Bool) async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    try bench.here.write("second", Self.big)
    try bench.there.write("extra", "only there")
    let local = LocalFileSystem(home: .root)
    let source = try #require(RemotePath(bench.here.path))
    let target = try #require(RemotePath(bench.there.path))
    let found = Locked(MirrorSurplus())
    _ = try await TreeComparison.run(
      FileLocation(local, source),
      FileLocation(local, target),
      by: .sizeAndTime
    ) { difference in found.withLock { $0.take(difference) } }
    let mirror = TreeMirror(source: source, target: target, surplus: found.withLock { $0 })
    await bench.bandwidth.setRate(4_000_000)
    let job = try await bench.job(["big", "second"], policy: .overwriteIfDiffers, mirror: mirror)
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 1_000_000 }
    if leavesOut {
      let row = try #require(job.batch.rows.first { $0.item.source.name?.text == "second" })
      await job.skip(row.item.number)
      try await bench.wait("what is left out", job) { $0.skippedCount == 1 }
    }
    let left = try await Self.suspend(job, run)
    #expect(left.mirror == mirror && left.hasLeftOut == leavesOut)
    #expect(bench.names.contains("extra"))
    await bench.bandwidth.setRate(nil)
    let next = try bench.job(resuming: left)
    await next.run()
    #expect(next.batch.state == .done && next.batch.failureCount == 0)
    #expect(bench.names.contains("extra") == leavesOut)
    #expect(next.batch.deletedCount == (leavesOut ? 0 : 1))
    #expect(next.batch.notes.contains(.surplusKept) == leavesOut)
    #expect(try await bench.isSame("big"))
  }

  /// Names, links and contents of a tree, in a few characters.
  private static func digest(of path: String) async throws -> String {
    try await TestProgram.run(
      "/bin/sh",
      [
        "-c",
        "cd '\(path)' && { find . | sort; find . -type l -exec readlink {} +; "
          + "find . -type f | sort | xargs cat | sha256sum; }",
      ]
    )
  }
}

extension TransferBench {
  /// The work that goes on with what an earlier server left.
  func job(resuming left: SuspendedTransfer, up: Bool = true) throws -> TransferJob {
    let openHere: TransferJob.Opening = { () async throws(TransferOpenFailure) in
      LocalFileSystem(home: .root)
    }
    let openThere: TransferJob.Opening = { () async throws(TransferOpenFailure) in
      try await self.open()
    }
    return TransferJob(
      TransferBatch(number: 1, resuming: left),
      TransferJob.Plan(
        entries: left.entries,
        policy: left.policy,
        newNames: left.newNames,
        policies: left.policies,
        mirror: left.mirror
      ),
      openSource: up ? openHere : openThere,
      openTarget: up ? openThere : openHere,
      scheduler: scheduler,
      bandwidth: bandwidth,
      resuming: left
    )
  }
}
