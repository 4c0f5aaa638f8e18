/// One large file, there and back, over both engines.
enum SFTPBulkCase {
  private static let rounds = 3

  static func run(_ report: Report) throws {
    let bench = try FilesBench()
    let size = report.isQuick ? 250_000_000 : 1_000_000_000
    let file = try bench.makeFile("bulk", size: size)
    for isUpload in [false, true] {
      let name = "\(size / 1_000_000) MB \(isUpload ? "put" : "get")"
      var plain = FilesRow("sftp-bulk", name, "MB/s", .ratioAtLeast(isUpload ? 1.1 : 0.9))
      var second = FilesRow(
        "sftp-bulk",
        name + ", OpenSSH engine",
        "MB/s",
        .ratioAtLeast(isUpload ? 1.15 : 1.2)
      )
      func speed(_ seconds: Double) -> Double { Double(size) / 1_000_000 / seconds }
      for round in 0..<rounds {
        // The others beside `sftp` are there for orientation: once is enough.
        for client in round == 0 ? FileClient.allCases : [.sftp] {
          let target = bench.unused()
          let work: FileClient.Work = isUpload ? .put(file, to: target) : .get(file, to: target)
          plain.add(client, speed(try bench.time(client, work)))
          FilesBench.remove(target)
        }
        plain.ours.add(speed(try bench.copy(file, isUpload: isUpload)))
        second.ours.add(speed(try bench.copy(file, isUpload: isUpload, engine: .openSSH)))
      }
      second.others[.sftp] = plain.others[.sftp]
      plain.report(to: report)
      second.report(to: report)
    }
  }
}
