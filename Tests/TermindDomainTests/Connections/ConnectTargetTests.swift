import TermindDomain
import Testing

@Suite("Connect target") struct ConnectTargetTests {
  @Test(
    "reads every form",
    arguments: [
      ("web1", nil, "web1", nil),
      ("deploy@web1", "deploy", "web1", nil),
      ("web1:2222", nil, "web1", 2222),
      ("a@b@web1:22", "a@b", "web1", 22),
      ("10.0.0.11", nil, "10.0.0.11", nil),
      ("::1", nil, "::1", nil),
      ("root@::1", "root", "::1", nil),
      ("[::1]", nil, "::1", nil),
      ("root@[2001:db8::7]:2200", "root", "2001:db8::7", 2200),
      ("fe80::1%eth0", nil, "fe80::1%eth0", nil),
      ("[fe80::1%eth0.5]:22", nil, "fe80::1%eth0.5", 22),
      ("1:2:3:4:5:6:7:8", nil, "1:2:3:4:5:6:7:8", nil),
      ("::ffff:10.0.0.1", nil, "::ffff:10.0.0.1", nil),
      ("ssh://web1", nil, "web1", nil),
      ("SSH://deploy@web1:2222/", "deploy", "web1", 2222),
      ("ssh://a%40b@[fe80::1%25eth0]:1", "a@b", "fe80::1%eth0", 1),
      ("münchen.example", nil, "münchen.example", nil),
      ("host_1.example-x.com", nil, "host_1.example-x.com", nil),
    ] as [(String, String?, String, UInt16?)]
  )
  func forms(text: String, user: String?, host: String, port: UInt16?) throws {
    #expect(
      try ConnectTarget(parsing: text) == ConnectTarget(user: user, host: host, port: port)
    )
  }

  @Test(
    "refuses what is no target, and says why",
    arguments: [
      ("", .missingHost),
      ("user@", .missingHost),
      ("@web1", .invalidUser("")),
      ("-l@web1", .invalidUser("-l")),
      ("a b@web1", .invalidUser("a b")),
      ("-oProxyCommand=x", .invalidHost("-oProxyCommand=x")),
      ("u@-x", .invalidHost("-x")),
      ("web1;reboot", .invalidHost("web1;reboot")),
      ("$(id)", .invalidHost("$(id)")),
      ("web 1", .invalidHost("web 1")),
      ("web1\u{202E}", .invalidHost("web1\u{202E}")),
      ("web1:", .invalidPort("")),
      ("web1:0", .invalidPort("0")),
      ("web1:65536", .invalidPort("65536")),
      ("web1:+22", .invalidPort("+22")),
      ("web1:２２", .invalidPort("２２")),
      (":22", .missingHost),
      ("[::1", .unclosedBracket),
      ("[]", .missingHost),
      ("[::1]22", .invalidHost("[::1]22")),
      ("[web1]:22", .invalidHost("web1")),
      ("1:2:3", .invalidHost("1:2:3")),
      ("1::2::3", .invalidHost("1::2::3")),
      ("1:2:3:4:5:6:7:8:9", .invalidHost("1:2:3:4:5:6:7:8:9")),
      ("12345::", .invalidHost("12345::")),
      ("fe80::1%", .invalidHost("fe80::1%")),
      ("fe80::1%a b", .invalidHost("fe80::1%a b")),
      ("::256.0.0.1", .invalidHost("::256.0.0.1")),
      ("::1.2.3.4:5", .invalidHost("::1.2.3.4:5")),
      ("http://web1", .unsupportedScheme),
      ("ssh://web1/etc", .unexpectedPath),
      ("ssh://a%4@web1", .invalidUser("a%4")),
      ("ssh://", .missingHost),
      ("ssh://me:secret@web1", .invalidUser("me:secret")),
    ] as [(String, ConnectTargetError)]
  )
  func refusals(text: String, error: ConnectTargetError) {
    #expect(throws: error) { try ConnectTarget(parsing: text) }
  }

  @Test("no text crashes the reader", arguments: 0..<40 as Range<UInt64>)
  func randomTexts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "[", "]", ":", "::", "@", "%", "%2", "/", "ssh://", ".", "1", "ffff", "a", "-", "é", "\n",
      " ",
    ]
    for _ in 0..<200 {
      let count = Int.random(in: 0...8, using: &random)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      // Only that every text is read or refused.
      if let target = try? ConnectTarget(parsing: text) {
        #expect(!target.host.isEmpty)
        #expect(!target.host.contains(" "))
      }
    }
  }
}
