import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

/// Certificates that `ssh-keygen -s` made, against what `ssh-keygen -L` says of them.
@Suite("OpenSSH certificates") struct SSHCertificateTests {
  private func certificate(
    _ workshop: KeyWorkshop,
    _ key: String,
    _ options: [String]
  ) throws -> (certificate: SSHCertificate, listing: String) {
    let authority = workshop.path("ca")
    try workshop.run("ssh-keygen", ["-q", "-s", authority] + options + ["\(key).pub"])
    let path = "\(key)-cert.pub"
    let line = try String(decoding: LocalFile.read(path, limit: 1 << 20).bytes, as: UTF8.self)
    let blob = try #require(Base64Codec.decode(Array(line.split(separator: " ")[1].utf8)))
    let listing = try workshop.run("ssh-keygen", ["-L", "-f", path]).output
    return (try SSHCertificate(blob: blob), listing)
  }

  @Test("every field of each key type is read", arguments: PrivateKeyTests.kinds)
  func readsKinds(kind: [String]) throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("ca", ["-t", "ecdsa"])
    let key = try workshop.makeKey("key", kind)
    let (certificate, listing) = try certificate(
      workshop,
      key,
      [
        "-I", "me at work", "-n", "root,deploy", "-z", "18446744073709551615", "-V",
        "20260101000000Z:20270101000000Z", "-O", "force-command=ls -l /", "-O",
        "source-address=10.0.0.0/8", "-O", "no-pty",
      ]
    )
    #expect(certificate.publicKey.blob == (try workshop.publicBlob("key")))
    #expect(certificate.authority.blob == (try workshop.publicBlob("ca")))
    #expect(certificate.purpose == .user)
    #expect(certificate.keyID == "me at work")
    #expect(certificate.principals == ["root", "deploy"])
    #expect(certificate.serial == UInt64.max)
    #expect(certificate.validAfter == 1_767_225_600)
    #expect(certificate.validBefore == 1_798_761_600)
    #expect(!certificate.isValid(at: 1_767_225_599))
    #expect(certificate.isValid(at: 1_767_225_600))
    #expect(!certificate.isValid(at: 1_798_761_600))
    #expect(certificate.criticalOptions.map(\.name) == ["force-command", "source-address"])
    #expect(certificate.criticalOptions.map(\.value) == ["ls -l /", "10.0.0.0/8"])
    #expect(!certificate.extensions.contains { $0.name == "permit-pty" })
    #expect(listing.contains("Signing CA: ECDSA \(certificate.authorityFingerprint)"))
    #expect(
      listing.contains(
        "Public key: \(certificate.publicKey.type.shortName)-CERT \(certificate.publicKey.fingerprint)"
      )
    )
    #expect(listing.contains(certificate.algorithm))
    for option in certificate.extensions { #expect(listing.contains(option.name)) }
  }

  @Test("a host certificate without an end is one")
  func hostCertificate() throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("ca", ["-t", "ed25519"])
    let key = try workshop.makeKey("key", ["-t", "ed25519"])
    let (certificate, _) = try certificate(workshop, key, ["-h", "-I", "host"])
    #expect(certificate.purpose == .host)
    #expect(certificate.principals == [])
    #expect(certificate.validAfter == nil)
    #expect(certificate.validBefore == nil)
    #expect(certificate.isValid(at: 0))
    #expect(certificate.isValid(at: UInt64.max))
    #expect(certificate.criticalOptions == [])
    #expect(certificate.extensions == [])
  }

  @Test(
    "certificates for security keys are read",
    arguments: [SSHKeyType.securityKeyEd25519, .securityKeyECDSA]
  )
  func securityKeys(type: SSHKeyType) throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("ca", ["-t", "ed25519"])
    // No token is needed for a public key: a plain one with an application behind it.
    var writer = WireWriter()
    writer.string(type.rawValue)
    let isECDSA = type == .securityKeyECDSA
    _ = try workshop.makeKey("plain", ["-t", isECDSA ? "ecdsa" : "ed25519"])
    var reader = WireReader(try workshop.publicBlob("plain"))
    _ = try reader.name()
    while !reader.isAtEnd { writer.string(try reader.string()) }
    writer.string("ssh:")
    let key = try SSHPublicKey(blob: writer.bytes)
    _ = try workshop.write("key.pub", key.line(comment: "token") + "\n")
    let (certificate, listing) = try certificate(workshop, workshop.path("key"), ["-I", "me"])
    #expect(certificate.publicKey == key)
    #expect(certificate.publicKey.type == type)
    #expect(listing.contains(key.fingerprint))
  }

  @Test("a certificate that is cut off or altered in its lengths is refused")
  func malformed() throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("ca", ["-t", "ed25519"])
    let key = try workshop.makeKey("key", ["-t", "ed25519"])
    let (certificate, _) = try certificate(workshop, key, ["-I", "me", "-n", "root"])
    let blob = certificate.blob
    for count in 0..<blob.count {
      #expect(throws: PublicKeyError.self) { _ = try SSHCertificate(blob: Array(blob[..<count])) }
    }
    #expect(throws: PublicKeyError.self) { _ = try SSHCertificate(blob: blob + [0]) }
    #expect(throws: PublicKeyError.unknownType("ssh-ed25519")) {
      _ = try SSHCertificate(blob: certificate.publicKey.blob)
    }
    for place in blob.indices {
      var altered = blob
      altered[place] ^= 0x80
      // Any outcome but a crash.
      _ = try? SSHCertificate(blob: altered)
    }
  }

  @Test("the agent's certificates and security keys are listed with their keys")
  func agentKeys() async throws {
    let workshop = try KeyWorkshop()
    let agent = try RealAgent(workshop)
    let authority = try workshop.makeKey("ca", ["-t", "ed25519"])
    let key = try workshop.makeKey("key", ["-t", "ed25519"])
    try workshop.run("ssh-keygen", ["-q", "-s", authority, "-I", "me", "-n", "root", "\(key).pub"])
    // ssh-add takes the certificate beside the key with it.
    try agent.add(key)
    let keys = try await AgentClient(socketPath: agent.socketPath).keys()
    #expect(keys.count == 2)
    #expect(keys.allSatisfy { $0.publicKey.fingerprint == keys[0].publicKey.fingerprint })
    #expect(keys.compactMap(\.certificate?.keyID) == ["me"])
    #expect(keys.allSatisfy { !$0.isSecurityKey })
    withExtendedLifetime(agent) {}

    var token = WireWriter()
    token.string("sk-ssh-ed25519@openssh.com")
    token.string([UInt8](repeating: 7, count: 32))
    token.string("ssh:")
    var reply = WireWriter()
    reply.byte(12)
    reply.uint32(2)
    reply.string(token.bytes)
    reply.string("a token")
    reply.string([1, 2, 3])
    reply.string("no key at all")
    var framed = WireWriter()
    framed.string(reply.bytes)
    let scripted = try ScriptedAgent(path: workshop.path("scripted"), reply: framed.bytes)
    let tokens = try await AgentClient(socketPath: scripted.path).keys()
    #expect(tokens.map(\.comment) == ["a token"])
    #expect(tokens.map(\.isSecurityKey) == [true])
  }
}
