public import TermindDomain

extension VaultBatch {
  /// What has to be saved so that a route that was typed can be opened again by a name.
  ///
  /// The jump hosts that are no saved ones become hosts of their own, and an account that no identity stands for
  /// becomes an identity. Nothing that is saved already is changed.
  /// - Parameters:
  ///   - route: The hops; the last one is the host.
  ///   - name: The name of the host.
  ///   - hosts: The saved hosts.
  ///   - identities: The saved identities.
  ///   - localUser: The account of this machine, which is named in the host itself and needs no identity.
  /// - Returns: The new records; the host is the last of `hosts`.
  public static func saving(
    _ route: Route,
    as name: String,
    hosts: [HostRecord],
    identities: [IdentityRecord],
    localUser: String
  ) -> VaultBatch {
    var batch = VaultBatch()
    var taken = Set(hosts.map(\.name))
    taken.insert(name)
    var jumps: [HostJump] = []
    for (place, hop) in route.hops.enumerated() {
      let isLast = place == route.hops.count - 1
      if !isLast, let saved = hosts.first(where: { $0.leads(to: hop, identities) }) {
        jumps.append(.saved(saved.id))
        continue
      }
      let identity = batch.identity(for: hop, identities, localUser)
      var own = isLast ? name : hop.endpoint.host
      if !isLast, taken.contains(own) { own = "\(own) \(hop.endpoint.port)" }
      // The names of jump hosts are ours to make; they only have to be free.
      var number = 2
      while !isLast, taken.contains(own) {
        own = "\(hop.endpoint.host) \(number)"
        number += 1
      }
      taken.insert(own)
      let record = HostRecord(
        name: own,
        endpoint: hop.endpoint,
        identity: identity,
        username: identity == nil ? hop.credentials.username : "",
        keyFiles: hop.credentials.keyFiles,
        usesAgent: hop.credentials.usesAgent,
        // A saved jump host brings its own way along.
        jumps: isLast ? jumps : Array(jumps.suffix(1)),
        allowsOldAlgorithms: hop.allowsOldAlgorithms
      )
      batch.hosts.append(record)
      if !isLast { jumps = [.saved(record.id)] }
    }
    return batch
  }

  private mutating func identity(
    for hop: Hop,
    _ identities: [IdentityRecord],
    _ localUser: String
  ) -> IdentityID? {
    let user = hop.credentials.username
    guard user != localUser else { return nil }
    let fits = { (identity: IdentityRecord) in
      identity.username == user && identity.keys.isEmpty && identity.password == nil
        && identity.usesAgent
    }
    if let known = (identities + self.identities).first(where: fits) { return known.id }
    let made = IdentityRecord(name: user, username: user)
    self.identities.append(made)
    return made.id
  }
}

extension HostRecord {
  /// Whether opening this host alone comes to the hop.
  fileprivate func leads(to hop: Hop, _ identities: [IdentityRecord]) -> Bool {
    guard endpoint == hop.endpoint, jumps.isEmpty else { return false }
    let own = identity.flatMap { id in identities.first { $0.id == id } }?.username ?? ""
    return (username.isEmpty ? own : username) == hop.credentials.username
  }
}
