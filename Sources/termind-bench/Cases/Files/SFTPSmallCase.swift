/// Many small files, there and back.
enum SFTPSmallCase {
  private static let rounds = 3

  static func run(_ report: Report) throws {
    let bench = try FilesBench()
    let count = report.isQuick ? 1_000 : 5_000
    let tree = try bench.makeTree("small", count: count, size: 4_096)
    for isUpload in [false, true] {
      var row = FilesRow(
        "sftp-small",
        "\(count) x 4 KB \(isUpload ? "put" : "get")",
        "s",
        .ratioAtMost(0.1)
      )
      for round in 0..<rounds {
        for client in round == 0 ? FileClient.allCases : [.sftp] {
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
        row.ours.add(try bench.copy(tree, isUpload: isUpload))
      }
      row.report(to: report)
    }
  }
}
