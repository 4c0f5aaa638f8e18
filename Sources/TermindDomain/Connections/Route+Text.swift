extension Route {
  /// What tells the account that it leads to from every other one: the account first, then the way to it.
  ///
  /// One address behind two jump hosts is two places: `root@10.0.0.5 via ops@bastion:2222`.
  public var text: String { hops.reversed().map(\.text).joined(separator: Self.divider) }

  /// The way to a hop, the nearest to it first; empty for the first one.
  ///
  /// - Parameter index: Which hop.
  /// - Returns: The text of the hops before it.
  public func way(toHop index: Int) -> String {
    hops.prefix(index).reversed().map(\.text).joined(separator: Self.divider)
  }

  private static let divider = " via "
}

extension Hop {
  /// The account and where it is.
  ///
  /// Where a program of `ssh`'s configuration leads to, only the name there tells.
  fileprivate var text: String {
    let account = "\(credentials.username)@\(endpoint)"
    guard onlyOpenSSH != nil, let alias else { return account }
    return "\(account) (\(alias))"
  }
}
