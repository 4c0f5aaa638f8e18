import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("known_hosts files") struct KnownHostsFileTests {
  static let keyText = "AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

  private func markers(
    _ line: String,
    _ host: String,
    port: UInt16 = 22
  ) -> [KnownHostsMarker] {
    let file = KnownHostsFile(path: "f", text: Array(line.utf8))
    let name = KnownHostsFile.name(of: SSHEndpoint(host: host, port: port))
    return file.search(for: name).entries.map(\.marker)
  }

  @Test(
    "match names, lists, globs and negations as OpenSSH does",
    arguments: [
      ("example.org", "example.org", 22, true),
      ("EXAMPLE.org", "Example.ORG", 22, true),
      ("a,b,example.org", "example.org", 22, true),
      ("*.example.org", "www.example.org", 22, true),
      ("*.example.org", "example.org", 22, false),
      ("*.example.org,!www.example.org", "www.example.org", 22, false),
      ("!www.example.org,*.example.org", "ftp.example.org", 22, true),
      ("!www.example.org", "ftp.example.org", 22, false),
      ("192.168.0.?", "192.168.0.7", 22, true),
      ("192.168.0.?", "192.168.0.17", 22, false),
      ("*", "anything", 22, true),
      ("*", "anything", 2222, true),
      ("**a**b", "xxaxxb", 22, true),
      ("example.org", "example.org", 7999, false),
      ("[example.org]:7999", "example.org", 7999, true),
      ("[example.org]:7999", "example.org", 22, false),
      ("[example.org]:*", "example.org", 7999, true),
      ("[example.org]*", "example.org", 7999, true),
      ("[host]*", "h", 22, false),
      ("[host]*", "host", 22, false),
      ("[fe80::1%eth0]:22022", "fe80::1%eth0", 22022, true),
      ("fe80::1", "fe80::1", 22, true),
    ]
  )
  func matching(pattern: String, host: String, port: UInt16, isFound: Bool) {
    let found = markers("\(pattern) ssh-ed25519 \(Self.keyText)\n", host, port: port)
    #expect(found == (isFound ? [.none] : []))
  }

  @Test("that ssh-keygen hashed are found, also under a bracketed port")
  func hashed() throws {
    let workshop = try KeyWorkshop()
    let plain = ["plain.org", "[ported.org]:7999", "other.org"].map {
      "\($0) ssh-ed25519 \(Self.keyText)\n"
    }
    let path = try workshop.write("known_hosts", plain.joined())
    try workshop.run("ssh-keygen", ["-H", "-f", path])
    let text = try workshop.read("known_hosts")
    #expect(String(decoding: text, as: UTF8.self).contains("|1|"))
    let file = KnownHostsFile(path: path, text: text)
    func lines(_ host: String, _ port: UInt16) -> [Int] {
      file.search(for: KnownHostsFile.name(of: SSHEndpoint(host: host, port: port))).entries
        .map(\.line)
    }
    #expect(lines("plain.org", 22) == [1])
    #expect(lines("PLAIN.org", 22) == [1])
    #expect(lines("ported.org", 7999) == [2])
    #expect(lines("ported.org", 22) == [])
    #expect(lines("plain.org", 7999) == [])
  }

  @Test("carry their markers")
  func markers() {
    let text = """
      @cert-authority *.x ssh-ed25519 \(Self.keyText) the authority
      @revoked * ssh-ed25519 \(Self.keyText)
      a.x ssh-ed25519 \(Self.keyText)\r

      """
    #expect(markers(text, "a.x") == [.certificateAuthority, .revoked, .none])
    #expect(markers(text, "b.y") == [.revoked])
  }

  @Test("skip odd lines with a note, and find what follows them")
  func oddLines() {
    let text = """
      # a comment

      lonely
      host ssh-ed25519
      @unknown host ssh-ed25519 \(Self.keyText)
      host 1024 65537 1234567890
      host ssh-ed25519 !!!notbase64
      host ssh-rsa \(Self.keyText)
      host ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==
      |1|broken ssh-ed25519 \(Self.keyText)
      |2|c2FsdA==|aGFzaA== ssh-ed25519 \(Self.keyText)
      \thost  ssh-ed25519\t\(Self.keyText)  with a comment
      """
    let file = KnownHostsFile(path: "f", text: Array(text.utf8) + [0x0a, 0xff, 0x00, 0x0a])
    let found = file.search(for: Array("host".utf8))
    #expect(found.entries.map(\.line) == [12])
    #expect(found.notes.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 10, 11, 13])
    #expect(found.notes.first?.description == "f:3: the line has too few fields")
  }

  @Test("keep a key type that is not known here, for comparison")
  func unknownType() throws {
    var writer = WireWriter()
    writer.string("ssh-future")
    writer.string([1, 2, 3])
    let line = "host ssh-future \(Base64Codec.encodeUnpadded(writer.bytes))\n"
    let file = KnownHostsFile(path: "f", text: Array(line.utf8))
    let entry = try #require(file.search(for: Array("host".utf8)).entries.first)
    #expect(entry.key.type == "ssh-future")
    #expect(entry.key.blob == writer.bytes)
  }

  @Test("of ten thousand lines, half of them hashed, are searched whole")
  func largeFile() {
    var text = ""
    for line in 1...5000 {
      text +=
        "host\(line).example.org,10.0.\(line / 256).\(line % 256) ssh-ed25519 \(Self.keyText)\n"
      text +=
        "|1|c2FsdHNhbHRzYWx0c2FsdHNhbHQ=|c2FsdHNhbHRzYWx0c2FsdHNhbHQ= ssh-ed25519 \(Self.keyText)\n"
    }
    let file = KnownHostsFile(path: "f", text: Array(text.utf8))
    let found = file.search(for: Array("host4999.example.org".utf8))
    #expect(found.entries.map(\.line) == [9997])
    #expect(found.notes.isEmpty)
  }

  @Test("bound their notes")
  func noteBound() {
    let file = KnownHostsFile(path: "f", text: Array(String(repeating: "x\n", count: 1000).utf8))
    #expect(file.search(for: [0x78]).notes.count == KnownHostsFile.maximumNotes)
  }

  @Test("never crash or stall the reader, whatever they hold")
  func fuzz() {
    let alphabet = Array("*?!,[]:|1@#= \t\r\nabssh-ed25519 AAAAC3Nz\u{0}".utf8)
    var generator = SeededGenerator(state: 3)
    for _ in 0..<400 {
      let text = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let found = KnownHostsFile(path: "f", text: text).search(for: Array("ab".utf8))
      #expect(found.notes.count <= KnownHostsFile.maximumNotes)
    }
    // A glob that makes naive matchers take exponential time.
    let stars = Array(String(repeating: "*a", count: 60).utf8) + [0x62]
    let name = [UInt8](repeating: 0x61, count: 200)
    #expect(!HostPattern.matches(stars[...], name))
  }
}
