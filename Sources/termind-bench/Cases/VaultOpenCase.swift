import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindPersistence

/// How long a store of 10,000 hosts takes to open, to list, and to change.
enum VaultOpenCase {
  private static let count = 10_000
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
    let batch = VaultOpenRecords.batch(hosts: count)
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

/// Records like those of a person with many hosts.
enum VaultOpenRecords {
  private static let sites = ["fra", "ams", "nyc", "sgp", "syd"]
  private static let roles = ["web", "db", "cache", "queue", "build", "edge", "log"]

  /// Hosts with names, tags, jumps and notes, and what they name.
  static func batch(hosts count: Int) -> VaultBatch {
    let key = KeyRecord(
      algorithm: "ssh-ed25519",
      fingerprint: "SHA256:bench",
      publicKey: [0, 1],
      location: .file(path: "/home/me/.ssh/id_ed25519")
    )
    let identities = ["deploy", "root", "admin"].map {
      IdentityRecord(username: $0, keys: [key.id])
    }
    let bastions = sites.enumerated().map { index, site in
      HostRecord(
        name: "bastion.\(site).example.net",
        endpoint: SSHEndpoint(host: "198.51.100.\(index + 1)"),
        identity: identities[2].id,
        tags: [site, "bastion"],
        isPinned: true
      )
    }
    let others = (0..<max(0, count - bastions.count)).map { number in
      let site = number % sites.count
      let role = roles[number % roles.count]
      return HostRecord(
        name: "\(role)-\(number).\(sites[site]).example.net",
        endpoint: SSHEndpoint(
          host: "10.\(site).\(number / 250).\(number % 250 + 1)",
          port: number % 9 == 0 ? 2222 : 22
        ),
        identity: identities[number % identities.count].id,
        jumps: number % 3 == 0 ? [] : [.saved(bastions[site].id)],
        tags: [sites[site], role],
        color: number % 11 == 0 ? .red : nil,
        notes: number % 20 == 0
          ? "Rack \(number / 40), unit \(number % 40).\nAsk before a restart." : "",
        lastUsed: number % 4 == 0 ? Int64(1_790_000_000 + number) : nil
      )
    }
    return VaultBatch(keys: [key], identities: identities, hosts: bastions + others)
  }
}
