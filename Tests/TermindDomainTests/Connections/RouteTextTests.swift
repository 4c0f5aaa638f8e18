import TermindDomain
import Testing

@Suite("Text of a route") struct RouteTextTests {
  private func hop(_ host: String, user: String = "me", port: UInt16 = 22) -> Hop {
    Hop(
      endpoint: SSHEndpoint(host: host, port: port),
      credentials: HopCredentials(username: user)
    )
  }

  @Test("tells one address behind different hops, and different accounts, apart")
  func ways() throws {
    let target = hop("10.0.0.5", user: "root")
    let direct = try Route(hops: [target])
    let first = try Route(hops: [hop("a", port: 2222), target])
    let second = try Route(hops: [hop("b"), target])
    let longer = try Route(hops: [hop("b"), hop("a", port: 2222), target])
    let other = try Route(hops: [hop("10.0.0.5", user: "you")])
    #expect(direct.text == "root@10.0.0.5")
    #expect(longer.text == "root@10.0.0.5 via me@a:2222 via me@b")
    #expect(Set([direct, first, second, longer, other].map(\.text)).count == 5)
    #expect(direct.way(toHop: 0).isEmpty)
    #expect(longer.way(toHop: 2) == "me@a:2222 via me@b")
    #expect(longer.way(toHop: 1) == "me@b")
  }

  @Test("names the alias where a program of the configuration leads to it")
  func alias() throws {
    func route(_ alias: String, _ only: String?) throws -> Route {
      var hop = hop("10.0.0.5")
      hop.alias = alias
      hop.onlyOpenSSH = only
      return try Route(hops: [hop])
    }
    #expect(try route("one", "ProxyCommand").text == "me@10.0.0.5 (one)")
    #expect(try route("one", "ProxyCommand").text != route("two", "ProxyCommand").text)
    #expect(try route("one", nil).text == "me@10.0.0.5")
  }
}
