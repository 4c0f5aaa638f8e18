import FoundationEssentials
import TermindDomain
import TermindPresentation

/// The saved hosts, prepared once per change for lists that find them as somebody types.
struct HostListing {
  /// The hosts, by name.
  let hosts: [HostRecord]
  /// What each one is found by: name, account, address, tags; the ones used lately come first.
  let items: [FilteredList.Item]

  init(_ contents: VaultContents, now: Int64 = Int64(Date().timeIntervalSince1970)) {
    hosts = contents.hosts
    items = contents.hosts.map { host in
      FilteredList.Item(
        ([host.name, contents.address(of: host)] + host.tags).joined(separator: " "),
        bonus: Self.bonus(since: host.lastUsed.map { now - $0 }) + (host.isPinned ? 25 : 0),
        scope: "@"
      )
    }
  }

  /// More for what was used lately: it decides between entries that match about as well.
  private static func bonus(since seconds: Int64?) -> Int {
    switch seconds {
    case nil: 0
    case .some(..<3_600): 60
    case .some(..<86_400): 50
    case .some(..<604_800): 40
    case .some(..<2_592_000): 30
    default: 20
    }
  }
}
