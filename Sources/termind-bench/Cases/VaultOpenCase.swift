import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindPersistence

/// How long a store of 10,000 hosts takes to open, to list, and to change, and its list to be shown.
enum VaultOpenCase {
  static let count = 10_000
  private static let runs = 15

  static func run(_ report: Report) throws {
    let folder = try ScratchFolder()
    let path = folder.file("store.sqlite")
    let figures = try Waiting.result { try await measure(path: path) }
    let rows: [(name: String, samples: Samples, budget: Budget?)] = [
      ("store open, 10,000 hosts", figures.open, .oursAtMost(20)),
      ("list 10,000 hosts", figures.list, .oursAtMost(15)),
      ("save one host", figures.save, nil),
      ("add 10,000 hosts at once", figures.add, nil),
    ]
    for row in rows {
      report.add(
        Measurement(
          caseName: "vault-open",
          name: row.name,
          ours: row.samples.median,
          peer: nil,
          peerName: nil,
          unit: "ms",
          budget: row.budget,
          runs: row.samples.values.count
        )
      )
    }
    try runScreen(report)
  }

  private struct Figures: Sendable {
    var open = Samples()
    var list = Samples()
    var save = Samples()
    var add = Samples()
  }

  private static func measure(path: String) async throws -> Figures {
    var figures = Figures()
    let clock = ContinuousClock()
    func time(_ body: () async throws -> Void) async throws -> Double {
      let start = clock.now
      try await body()
      return (clock.now - start).seconds * 1000
    }
    let batch = ManyHosts.batch(hosts: count)
    let first = try await SQLiteStore.open(at: path)
    figures.add.add(try await time { try await first.save(batch, policy: .neverOverwrite) })
    await first.close()
    for run in 0..<runs {
      try Interruption.check()
      let start = clock.now
      let store = try await SQLiteStore.open(at: path)
      figures.open.add((clock.now - start).seconds * 1000)
      var hosts: [HostRecord] = []
      figures.list.add(try await time { hosts = try await store.hosts() })
      guard hosts.count == count else {
        throw BenchError.failed(step: "list the hosts", diagnostic: "\(hosts.count) came back")
      }
      var changed = hosts[run]
      changed.notes += "."
      let record = changed
      figures.save.add(try await time { try await store.save(record) })
      await store.close()
    }
    return figures
  }
}
