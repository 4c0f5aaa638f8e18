import TermindApplication
import TermindDomain

/// Records like those of a person with many hosts, and what is found among them.
enum ManyHosts {
  private static let sites = ["fra", "ams", "nyc", "sgp", "syd"]
  private static let roles = ["web", "db", "cache", "queue", "build", "edge", "log"]

  /// The first name in the list of the hosts.
  static let firstName = "bastion.ams.example.net"
  /// What somebody types to find one: a role, a name, parts of it, an address, a tag, scattered letters,
  /// and what no host has.
  static let queries = [
    "web", "web-123", "db fra", "cache ams 7", "10.2.13.", "2222", "edge", "bldnyc", "syd queue-9",
    "e", "example.net", "log-4.nyc", "zzz",
  ]

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
