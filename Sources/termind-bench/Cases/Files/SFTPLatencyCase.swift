/// A line with a round trip of 40 ms: a large file and small ones, there and back, and a directory.
enum SFTPLatencyCase {
  private static let roundTrip = Duration.milliseconds(40)
  private static let size = 100_000_000
  private static let rounds = 3
  private static let name = "sftp-latency"

  static func run(_ report: Report) throws {
    let bench = try FilesBench(roundTrip: roundTrip)
    try large(report, bench)
    try small(report, bench)
  }

  private static func large(_ report: Report, _ bench: FilesBench) throws {
    let file = try bench.makeFile("bulk", size: size)
    for isUpload in [false, true] {
      var row = FilesRow(
        name,
        "100 MB \(isUpload ? "put" : "get"), 40 ms",
        "MB/s",
        .ratioAtLeast(isUpload ? 1.8 : 2.5)
      )
      for round in 0..<rounds {
        for client in round == 0 ? FileClient.allCases : [.sftp] {
          let target = bench.unused()
          let work: FileClient.Work = isUpload ? .put(file, to: target) : .get(file, to: target)
          row.add(client, Double(size) / 1_000_000 / (try bench.time(client, work)))
          FilesBench.remove(target)
        }
        row.ours.add(Double(size) / 1_000_000 / (try bench.copy(file, isUpload: isUpload)))
      }
      row.report(to: report)
    }
  }

  /// `sftp` takes half a minute for 200 files on such a line; so it is asked once.
  private static func small(_ report: Report, _ bench: FilesBench) throws {
    let count = report.isQuick ? 50 : 200
    let tree = try bench.makeTree("small", count: count, size: 4_096)
    for isUpload in [false, true] {
      var row = FilesRow(
        name,
        "\(count) x 4 KB \(isUpload ? "put" : "get"), 40 ms",
        "s",
        .ratioAtMost(0.05)
      )
      for client in [FileClient.sftp, .lftp] {
        let target = bench.unused()
        row.add(
          client,
          try bench.time(
            client,
            isUpload ? .putTree(tree, to: target) : .getTree(tree, to: target)
          )
        )
        FilesBench.remove(target)
      }
      for _ in 0..<rounds { row.ours.add(try bench.copy(tree, isUpload: isUpload)) }
      row.report(to: report)
    }
  }
}
