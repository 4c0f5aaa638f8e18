import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// A directory of 100,000 entries: until its first rows, and all of it.
enum SFTPListCase {
  private static let rounds = 3

  static func run(_ report: Report) throws {
    let bench = try FilesBench()
    let count = 100_000
    let folder = try bench.makeTree("many", count: count, size: 0)
    var first = FilesRow("sftp-list", "first rows of 100,000", "ms", .oursAtMost(50))
    var all = FilesRow("sftp-list", "all of 100,000 entries", "s", .ratioAtMost(1))
    for _ in 0..<rounds {
      for client in FileClient.allCases { all.add(client, try bench.time(client, .list(folder))) }
      let figures = try list(folder, count, bench.access(.libSSH2))
      first.ours.add(figures.first * 1_000)
      all.ours.add(figures.all)
    }
    first.report(to: report)
    all.report(to: report)
  }

  private static func list(
    _ folder: String,
    _ count: Int,
    _ access: LoopbackFiles.Access
  ) throws -> (first: Double, all: Double) {
    try Interruption.check()
    return try Waiting.result {
      let remote = try await LoopbackFiles.connect(access)
      let path = try FilesBench.path(folder)
      let seen = Locked((count: 0, first: Double.nan))
      let start = ContinuousClock.now
      try await remote.files.list(path) { batch in
        seen.withLock { seen in
          if seen.count == 0 { seen.first = (ContinuousClock.now - start).seconds }
          seen.count += batch.entries.count
        }
      }
      let seconds = (ContinuousClock.now - start).seconds
      await remote.close()
      let (found, first) = seen.withLock { $0 }
      guard found == count else {
        throw BenchError.failed(step: "list", diagnostic: "\(found) entries")
      }
      return (first, seconds)
    }
  }
}
