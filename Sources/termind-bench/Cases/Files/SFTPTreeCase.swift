import FoundationEssentials
import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure

/// A tree of a million files is walked for a copy: how fast, and how much memory that takes.
///
/// Every file is a name of one and the same, and nothing is copied: what is measured is the plan, which walks on as fast as work is
/// taken from it.
enum SFTPTreeCase {
  static func run(_ report: Report) throws {
    let bench = try FilesBench()
    let count = report.isQuick ? 100_000 : 1_000_000
    let trees = [
      ("in folders of 1,000", try makeTree(bench, "wide", count: count, perFolder: 1_000)),
      ("in one folder", try makeTree(bench, "flat", count: count / 2, perFolder: count / 2)),
    ]
    for (name, folder) in trees {
      let found = name == "in one folder" ? count / 2 : count
      let title = "\(found) files \(name)"
      let figures = try walk(folder, found, bench)
      var memory = FilesRow("sftp-tree", title + ", memory", "MB", .oursAtMost(64))
      memory.ours.add(figures.megabytes)
      memory.report(to: report)
      var speed = FilesRow("sftp-tree", title, "s", nil)
      speed.ours.add(figures.seconds)
      speed.report(to: report)
    }
  }

  private static func makeTree(
    _ bench: FilesBench,
    _ name: String,
    count: Int,
    perFolder: Int
  ) throws -> String {
    let root = try bench.files.makeFolder(name)
    let file = try bench.makeFile("\(name).file", size: 100)
    for folder in 0..<(count / perFolder) {
      try Interruption.check()
      let path = try bench.files.makeFolder("\(name)/folder-\(folder)")
      for number in 0..<perFolder {
        let status = unsafe link(file, "\(path)/a-file-with-a-name-of-some-length-\(number)")
        guard status == 0 else {
          throw BenchError.failed(step: "link in \(path)", diagnostic: "error \(errno)")
        }
      }
    }
    return root
  }

  private static func walk(
    _ folder: String,
    _ count: Int,
    _ bench: FilesBench
  ) throws -> (megabytes: Double, seconds: Double) {
    let access = bench.access(.libSSH2)
    let target = bench.unused()
    return try Waiting.result {
      let remote = try await LoopbackFiles.connect(access)
      let peak = try ResidentPeak()
      let start = ContinuousClock.now
      let summary = try await TreeCopy(copier: NoCopier(), scheduler: TransferScheduler()).run(
        TreeCopyRequest(
          source: FileLocation(remote.files, try FilesBench.path(folder)),
          target: FileLocation(LocalFileSystem(home: .root), try FilesBench.path(target)),
          policy: .overwrite,
          owner: TransferSource(rawValue: 1)
        )
      ) { _ in }
      let seconds = (ContinuousClock.now - start).seconds
      let megabytes = try peak.growth()
      await remote.close()
      guard summary.copied == count, summary.failed == 0 else {
        throw BenchError.failed(step: "walk \(folder)", diagnostic: "\(summary)")
      }
      return (megabytes, seconds)
    }
  }
}

/// Takes every file as copied.
private struct NoCopier: FileCopying {
  func copy(
    _ request: CopyRequest,
    progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(CopyFailure) -> CopyResult {
    CopyResult(byteCount: request.expectedSize ?? 0, digest: [], hasReplaced: false, warnings: [])
  }
  func copySmall(
    _ requests: [CopyRequest],
    progress: @escaping @Sendable (_ index: Int, UInt64) -> Void
  ) async -> [Result<CopyResult?, CopyFailure>] {
    requests.map {
      .success(
        CopyResult(
          byteCount: $0.expectedSize ?? 0,
          digest: [],
          hasReplaced: false,
          warnings: []
        )
      )
    }
  }
}
