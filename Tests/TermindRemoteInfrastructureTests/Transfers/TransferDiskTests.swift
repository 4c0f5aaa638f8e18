import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite(
  "Transfers to disks that give out",
  .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN")
) struct TransferDiskTests {
  private static let big = String(repeating: "0123456789abcdef", count: 200_000)

  private static func copy(
    _ names: [String],
    from folder: TemporaryFolder,
    to disk: SmallDisk
  ) async throws -> TransferJob {
    var entries: [FileEntry] = []
    let files = LocalFileSystem(home: .root)
    for name in names {
      let path = try #require(RemotePath(folder.file(name)))
      let attributes = try await files.attributes(of: path, followingLinks: false)
      entries.append(FileEntry(name: try FileName(name), attributes: attributes))
    }
    func end(_ path: String) throws -> TransferEnd {
      TransferEnd(name: "local", place: .thisMachine, directory: try #require(RemotePath(path)))
    }
    let open: TransferJob.Opening = { () async throws(TransferOpenFailure) in
      LocalFileSystem(home: .root)
    }
    let job = TransferJob(
      TransferBatch(
        number: 1,
        names: entries.map(\.name),
        source: try end(folder.path),
        target: try end(disk.folder.path)
      ),
      TransferJob.Plan(entries: entries, policy: .overwrite),
      openSource: open,
      openTarget: open,
      // One after the other: a file beside one that fills the disk finds it full as well.
      scheduler: TransferScheduler(limits: TransferLimits(total: 1, perHost: 1))
    )
    await job.run()
    return job
  }

  @Test("a full disk fails the file that does not fit, keeps what was there, and copies the rest")
  func full() async throws {
    let folder = try TemporaryFolder()
    let disk = try await SmallDisk("size=1m")
    try folder.write("large", Self.big)
    try folder.write("small", "fits\n")
    try disk.folder.write("large", "the original")
    let job = try await Self.copy(["large", "small"], from: folder, to: disk)
    #expect(job.batch.doneCount == 1 && job.batch.failureCount == 1)
    guard case .failed(let failure)? = job.batch.failures.first?.state,
      case .operation(.writing, let error) = failure.reason
    else {
      Issue.record("\(job.batch.failures)")
      return
    }
    #expect(error.reason == .diskFull && failure.leftBehind == nil)
    #expect(Set(disk.folder.names(".")) == ["large", "small"])
    #expect(try TemporaryFolder.read(disk.folder.file("large")) == "the original")
    // Once there is room, trying again is enough.
    try await disk.remount("size=16m")
    await job.retry()
    #expect(job.batch.failureCount == 0)
    #expect(try TemporaryFolder.read(disk.folder.file("large")) == Self.big)
  }

  @Test("a target that is read-only says so, and is tried again when it is not")
  func readOnly() async throws {
    let folder = try TemporaryFolder()
    let disk = try await SmallDisk("size=16m")
    try folder.write("late", "x")
    try await disk.remount("ro")
    let job = try await Self.copy(["late"], from: folder, to: disk)
    guard case .failed(let failure)? = job.batch.failures.first?.state,
      case .operation(.writing, let error) = failure.reason
    else {
      Issue.record("\(job.batch.failures)")
      return
    }
    #expect(error.reason == .readOnly)
    try await disk.remount("rw")
    await job.retry()
    #expect(job.batch.doneCount == 1 && disk.folder.names(".") == ["late"])
  }
}
