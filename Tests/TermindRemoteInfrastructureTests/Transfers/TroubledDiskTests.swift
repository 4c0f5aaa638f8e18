import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite(
  "Transfers to file systems that give out",
  .enabled("loop devices need root and CAP_SYS_ADMIN") { await LoopDisk.isPossible(.ext4) }
) struct TroubledDiskTests {
  private static let big = String(repeating: "0123456789abcdef", count: 200_000)

  /// Copies a large and a small file, one after the other, and gives the reasons of what failed.
  private static func copy(_ bench: TransferBench, up: Bool) async throws -> TransferJob {
    let from = up ? bench.here : bench.there
    try from.write("large", big)
    try from.write("small", "fits\n")
    await bench.scheduler.setLimits(TransferLimits(total: 1, perHost: 1))
    let job = try await bench.job(["large", "small"], up: up, policy: .overwrite)
    await job.run()
    return job
  }

  private static func reasons(_ job: TransferJob) -> [FileErrorReason] {
    job.batch.failures.compactMap { row in
      guard case .failed(let failure) = row.state,
        case .operation(.writing, let error) = failure.reason
      else { return nil }
      return error.reason
    }
  }

  @Test(
    "a full file system fails large and small files with that reason, and nothing half stays",
    arguments: [true, false]
  )
  func full(up: Bool) async throws {
    let bench = try TransferBench()
    let to = up ? bench.there : bench.here
    let disk = try await LoopDisk(.ext4, over: to.path)
    try to.write("large", "the original")
    let filler = try disk.fill()
    let job = try await Self.copy(bench, up: up)
    #expect(Self.reasons(job) == [.diskFull, .diskFull])
    #expect(Set(to.names(".")) == ["large", "filler"])
    #expect(try TemporaryFolder.read(to.file("large")) == "the original")
    unlink(filler)
    await job.retry()
    #expect(job.batch.failureCount == 0 && job.batch.doneCount == 2)
    #expect(try TemporaryFolder.read(to.file("large")) == Self.big)
    #expect(try TemporaryFolder.read(to.file("small")) == "fits\n")
  }

  @Test(
    "a disk that turns read-only in the middle says so, and what is left",
    arguments: [true, false]
  )
  func turnsReadOnly(up: Bool) async throws {
    let bench = try TransferBench()
    let (from, to) = up ? (bench.here, bench.there) : (bench.there, bench.here)
    let disk = try await LoopDisk(.ext4, over: to.path)
    try to.write("large", "the original")
    try from.write("large", Self.big)
    await bench.bandwidth.setRate(1_000_000)
    let job = try await bench.job(["large"], up: up, policy: .overwrite)
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 0 }
    try await disk.abort()
    await bench.bandwidth.setRate(nil)
    await run.value
    #expect(job.batch.doneCount == 0 && job.batch.failureCount == 1)
    // OpenSSH's server has no word for it.
    #expect([.readOnly, up ? .writeRefused : .readOnly].contains(Self.reasons(job).first))
    guard case .failed(let failure)? = job.batch.failures.first?.state else { return }
    #expect(failure.leftBehind != nil && failure.leftBehindReason != nil)
    #expect(try TemporaryFolder.read(to.file("large")) == "the original")
  }

  @Test(
    "a quota that is used up fails what does not fit, and the rest is copied",
    .enabled("btrfs-progs and a kernel with btrfs are needed") {
      await LoopDisk.isPossible(.btrfs)
    },
    arguments: [true, false]
  )
  func quota(up: Bool) async throws {
    let bench = try TransferBench()
    let to = up ? bench.there : bench.here
    let disk = try await LoopDisk(.btrfs, over: to.path)
    try to.write("large", "the original")
    try await disk.setQuota(1_500_000)
    let job = try await Self.copy(bench, up: up)
    #expect(Self.reasons(job) == [up ? .writeRefused : .quotaExceeded])
    #expect(job.batch.doneCount == 1)
    #expect(Set(to.names(".")) == ["large", "small"])
    #expect(try TemporaryFolder.read(to.file("large")) == "the original")
    try await disk.setQuota(nil)
    await job.retry()
    #expect(job.batch.failureCount == 0)
    #expect(try TemporaryFolder.read(to.file("large")) == Self.big)
  }
}
