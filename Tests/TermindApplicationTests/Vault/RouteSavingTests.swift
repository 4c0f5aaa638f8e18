import TermindApplication
import TermindDomain
import Testing

@Suite("Saving a route that was typed") struct RouteSavingTests {
  private func hop(_ host: String, user: String = "me", keys: [String] = []) -> Hop {
    Hop(
      endpoint: SSHEndpoint(host: host),
      credentials: HopCredentials(username: user, keyFiles: keys)
    )
  }

  private func batch(
    _ hops: [Hop],
    hosts: [HostRecord] = [],
    identities: [IdentityRecord] = []
  ) throws -> VaultBatch {
    VaultBatch.saving(
      try Route(hops: hops),
      as: "target",
      hosts: hosts,
      identities: identities,
      localUser: "me"
    )
  }

  @Test("one host of the local account is one record, which names the account for other machines")
  func plain() throws {
    let batch = try batch([hop("10.0.0.1", keys: ["/k"])])
    #expect(batch.count == 1)
    #expect(batch.hosts[0].name == "target")
    #expect(batch.hosts[0].endpoint == SSHEndpoint(host: "10.0.0.1"))
    #expect(batch.hosts[0].identity == nil)
    #expect(batch.hosts[0].username == "me")
    #expect(batch.hosts[0].keyFiles == ["/k"])
  }

  @Test("another account becomes an identity once, or the one that is there is used")
  func identities() throws {
    let hops = [hop("bastion", user: "deploy"), hop("10.0.0.1", user: "deploy")]
    let fresh = try batch(hops)
    #expect(fresh.identities.map(\.username) == ["deploy"])
    #expect(fresh.hosts.map(\.username) == ["", ""])
    #expect(fresh.hosts.map(\.identity) == [fresh.identities[0].id, fresh.identities[0].id])
    let known = IdentityRecord(name: "d", username: "deploy")
    let other = IdentityRecord(name: "with a key", username: "deploy", keys: [KeyID()])
    let again = try batch(hops, identities: [other, known])
    #expect(again.identities.isEmpty)
    #expect(again.hosts.map(\.identity) == [known.id, known.id])
  }

  @Test("jump hosts become hosts, each behind the one before, under names that are free")
  func jumps() throws {
    let taken = HostRecord(name: "b2", endpoint: SSHEndpoint(host: "elsewhere"))
    let batch = try batch([hop("b1"), hop("b2"), hop("10.0.0.1")], hosts: [taken])
    #expect(batch.hosts.map(\.name) == ["b1", "b2 22", "target"])
    #expect(batch.hosts[0].jumps.isEmpty)
    #expect(batch.hosts[1].jumps == [.saved(batch.hosts[0].id)])
    #expect(batch.hosts[2].jumps == [.saved(batch.hosts[1].id)])
  }

  @Test("a saved jump host is used as it is")
  func savedJump() throws {
    let bastion = HostRecord(name: "bastion", endpoint: SSHEndpoint(host: "b1"), username: "me")
    let batch = try batch([hop("b1"), hop("10.0.0.1")], hosts: [bastion])
    #expect(batch.hosts.map(\.name) == ["target"])
    #expect(batch.hosts[0].jumps == [.saved(bastion.id)])
  }

  @Test("what is saved leads along the same hops again")
  func roundTrip() throws {
    let route = try Route(hops: [
      hop("b1", user: "ops"), hop("b2"), hop("10.0.0.1", user: "deploy", keys: ["/home/me/k"]),
    ])
    let batch = try batch(route.hops)
    let account = LocalAccount(userName: "me", home: "/home/me", workingDirectory: "/home/me")
    let builder = RouteBuilder(
      account: account,
      hosts: batch.hosts,
      identities: batch.identities
    )
    let again = try builder.route(to: #require(batch.hosts.last))
    #expect(again.hops.map(\.endpoint) == route.hops.map(\.endpoint))
    #expect(again.hops.map(\.credentials.username) == ["ops", "me", "deploy"])
    #expect(again.hops.last?.credentials.keyFiles == ["/home/me/k"])
  }
}
