import TermindDomain
import TermindPresentation
import Testing

@testable import TermindTUI

@Suite("Hosts in Quick Open") @MainActor struct HostListingTests {
  /// 300 hosts with names as people give them.
  private static func hosts() -> [HostRecord] {
    var hosts: [HostRecord] = []
    for (place, role) in ["web", "db", "cache", "queue", "mail", "app"].enumerated() {
      for (region, zone) in ["prod", "stage", "lab", "eu", "us"].enumerated() {
        for number in 0..<10 {
          hosts.append(
            HostRecord(
              name: "\(role)-\(zone)-\(number)",
              endpoint: SSHEndpoint(host: "10.\(place).\(region).\(number + 100)"),
              tags: [role, zone]
            )
          )
        }
      }
    }
    return hosts
  }

  @Test("each of 300 hosts stands first after three keystrokes")
  func threeKeys() {
    var contents = VaultContents()
    contents.hosts = Self.hosts()
    let listing = HostListing(contents, now: 0)
    #expect(listing.hosts.count == 300)
    var missed: [String] = []
    for host in listing.hosts {
      let keys = String(host.name.split(separator: "-").compactMap(\.first))
      #expect(keys.count == 3)
      let found = FilteredList(listing.items, query: keys).matches.first.map { listing.hosts[$0] }
      if found?.id != host.id { missed.append("\(keys): \(host.name), not \(found?.name ?? "-")") }
    }
    #expect(missed.isEmpty, "\(missed.count): \(missed.prefix(9))")
  }
}
