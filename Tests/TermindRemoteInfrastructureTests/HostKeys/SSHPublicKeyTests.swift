import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("SSH public key blobs") struct SSHPublicKeyTests {
  @Test("show the fingerprints that ssh-keygen prints", arguments: PrivateKeyTests.kinds)
  func fingerprints(kind: [String]) throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", kind)
    let key = try SSHPublicKey(blob: workshop.publicBlob("key"))
    let printed = try workshop.run("ssh-keygen", ["-l", "-f", "\(path).pub"]).output
    #expect(printed.hasPrefix("\(key.bitCount) \(key.fingerprint) "))
    #expect(printed.hasSuffix("(\(key.type.shortName))\n"))
    let md5 = try workshop.run("ssh-keygen", ["-l", "-E", "md5", "-f", "\(path).pub"]).output
    #expect(md5.hasPrefix("\(key.bitCount) \(key.md5Fingerprint) "))
    #expect(
      key.hostKey == HostKey(type: key.algorithm, blob: key.blob, fingerprint: key.fingerprint)
    )
    #expect(try HostKey(blob: key.blob) == key.hostKey)
  }

  @Test("of certificates have the type of the key they certify")
  func certificate() throws {
    let workshop = try KeyWorkshop()
    let authority = try workshop.makeKey("authority", ["-t", "ed25519"])
    let host = try workshop.makeKey("host", ["-t", "ed25519"])
    try workshop.run(
      "ssh-keygen",
      ["-q", "-s", authority, "-I", "id", "-h", "-n", "example.org", "\(host).pub"]
    )
    let key = try SSHPublicKey(blob: workshop.publicBlob("host-cert"))
    #expect(key.isCertificate)
    #expect(key.type == .ed25519)
    #expect(key.algorithm == "ssh-ed25519-cert-v01@openssh.com")
  }

  @Test("of an unknown type are named")
  func unknownType() {
    var writer = WireWriter()
    writer.string("ssh-fancy")
    #expect(throws: PublicKeyError.unknownType("ssh-fancy")) {
      try SSHPublicKey(blob: writer.bytes)
    }
  }

  @Test(
    "that break a rule are refused",
    arguments: [
      ([], "truncated number"),
      ([0, 0, 0, 9], "truncated field"),
      ([0xff, 0xff, 0xff, 0xff], "oversized field"),
      ([0, 0, 0, 2, 0x61, 0x0a], "malformed name"),
    ] as [([UInt8], String)]
  )
  func malformed(blob: [UInt8], reason: String) {
    #expect(throws: PublicKeyError.malformed(reason: reason)) { try SSHPublicKey(blob: blob) }
  }

  @Test("with a wrong length, a foreign curve, a negative number or trailing bytes are refused")
  func wrongFields() {
    func blob(_ type: String, _ build: (inout WireWriter) -> Void) -> [UInt8] {
      var writer = WireWriter()
      writer.string(type)
      build(&writer)
      return writer.bytes
    }
    let blobs = [
      blob("ssh-ed25519") { $0.string([1, 2, 3]) },
      blob("ssh-ed25519") {
        $0.string([UInt8](repeating: 1, count: 32))
        $0.byte(0)
      },
      blob("ecdsa-sha2-nistp256") {
        $0.string("nistp384")
        $0.string([4] + [UInt8](repeating: 1, count: 64))
      },
      blob("ecdsa-sha2-nistp256") {
        $0.string("nistp256")
        $0.string([2] + [UInt8](repeating: 1, count: 32))
      },
      blob("ssh-rsa") {
        $0.string([1, 0, 1])
        $0.string([0x80] + [UInt8](repeating: 1, count: 255))
      },
      blob("rsa-sha2-512") {
        $0.mpint([1, 0, 1])
        $0.mpint([UInt8](repeating: 1, count: 256))
      },
    ]
    for blob in blobs { #expect(throws: PublicKeyError.self) { try SSHPublicKey(blob: blob) } }
  }

  @Test(
    "belong to one type whatever the algorithm is called",
    arguments: [
      ("rsa-sha2-512", SSHKeyType.rsa), ("rsa-sha2-256-cert-v01@openssh.com", .rsa),
      ("ssh-rsa-cert-v01@openssh.com", .rsa), ("ssh-ed25519", .ed25519),
      ("sk-ssh-ed25519-cert-v01@openssh.com", .securityKeyEd25519),
    ]
  )
  func families(algorithm: String, type: SSHKeyType) {
    #expect(SSHKeyType(algorithm: algorithm) == type)
  }
}
