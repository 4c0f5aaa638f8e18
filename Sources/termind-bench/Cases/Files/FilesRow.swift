/// One figure of a case about files: ours and each of the others'.
struct FilesRow {
  let caseName: String
  let name: String
  let unit: String
  /// Against `sftp`; the others are shown beside it.
  let budget: Budget?
  var ours = Samples()
  var others: [FileClient: Samples] = [:]

  init(_ caseName: String, _ name: String, _ unit: String, _ budget: Budget?) {
    self.caseName = caseName
    self.name = name
    self.unit = unit
    self.budget = budget
  }

  mutating func add(_ client: FileClient, _ value: Double) {
    others[client, default: Samples()].add(value)
  }

  /// One row for each of the others, or one alone.
  func report(to report: Report) {
    guard !others.isEmpty else { return add(nil, to: report) }
    for client in FileClient.allCases where others[client] != nil { add(client, to: report) }
  }

  private func add(_ client: FileClient?, to report: Report) {
    report.add(
      Measurement(
        caseName: caseName,
        name: name,
        ours: ours.median,
        peer: client.flatMap { others[$0]?.median },
        peerName: client?.rawValue,
        unit: unit,
        budget: client == nil || client == .sftp ? budget : nil,
        runs: ours.values.count
      )
    )
  }
}
