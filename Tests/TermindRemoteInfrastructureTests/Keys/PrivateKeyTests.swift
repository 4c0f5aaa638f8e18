// URL of the fixtures.
import Foundation
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Private keys") struct PrivateKeyTests {
  static let kinds: [[String]] = [
    ["-t", "ed25519"],
    ["-t", "ecdsa", "-b", "256"],
    ["-t", "ecdsa", "-b", "384"],
    ["-t", "ecdsa", "-b", "521"],
    ["-t", "rsa", "-b", "2048"],
  ]

  @Test("sign so that ssh-keygen accepts the signature, in each key type", arguments: kinds)
  func signs(kind: [String]) async throws {
    let workshop = try KeyWorkshop()
    let key = try #require(try PrivateKeyFile.load(workshop.makeKey("key", kind)).readyKey)
    #expect(key.publicKeyBlob == (try workshop.publicBlob("key")))
    #expect(key.comment == "made by a test")
    let message = Array("a message".utf8)
    for algorithm in key.algorithms where algorithm != "ssh-rsa" {
      let isGood = try await workshop.checkSignature(message, by: key.publicKey) { data in
        try await key.sign(data, algorithm: algorithm)
      }
      #expect(isGood, "\(algorithm)")
    }
  }

  @Test("are read from PEM and PKCS#8, plain and encrypted", arguments: kinds.dropFirst())
  func readsPEM(kind: [String]) async throws {
    let workshop = try KeyWorkshop()
    for form in ["PEM", "PKCS8"] {
      for passphrase in ["", "open sesame"] {
        let name = "\(form)-\(passphrase.count)"
        let path = try workshop.makeKey(name, kind + ["-m", form], passphrase: passphrase)
        let loaded = try PrivateKeyFile.load(path)
        let key: PrivateKey
        if passphrase.isEmpty {
          key = try #require(loaded.readyKey)
        } else {
          let locked = try #require(loaded.lockedKey)
          #expect(locked.publicKey?.blob == (try workshop.publicBlob(name)))
          await #expect(throws: KeyFileError.wrongPassphrase) {
            try await locked.unlock(SecretBytes("wrong".utf8))
          }
          key = try await locked.unlock(SecretBytes(passphrase.utf8))
        }
        #expect(key.publicKeyBlob == (try workshop.publicBlob(name)))
      }
    }
  }

  @Test("of OpenSSL are read: Ed25519 in PKCS#8, and EC keys after their parameters")
  func readsOpenSSLKeys() async throws {
    let workshop = try KeyWorkshop()
    try workshop.run(
      "openssl",
      ["genpkey", "-algorithm", "ed25519", "-out", workshop.path("ed25519")]
    )
    try workshop.run(
      "openssl",
      ["ecparam", "-name", "secp384r1", "-genkey", "-out", workshop.path("ec")]
    )
    try workshop.run(
      "openssl",
      [
        "genpkey", "-algorithm", "ed25519", "-aes-256-cbc", "-pass", "pass:secret", "-out",
        workshop.path("sealed"),
      ]
    )
    let plain = try #require(try PrivateKeyFile.load(workshop.path("ed25519")).readyKey)
    #expect(plain.publicKey.type == .ed25519)
    let curve = try #require(try PrivateKeyFile.load(workshop.path("ec")).readyKey)
    #expect(curve.publicKey.type == .ecdsaP384)
    let locked = try #require(try PrivateKeyFile.load(workshop.path("sealed")).lockedKey)
    #expect(locked.publicKey == nil)
    let opened = try await locked.unlock(SecretBytes("secret".utf8))
    let isGood = try await workshop.checkSignature([1, 2, 3], by: opened.publicKey) { data in
      try await opened.sign(data, algorithm: "ssh-ed25519")
    }
    #expect(isGood)
  }

  @Test("of RSA sign with SHA-1 too, for servers that know nothing newer")
  func signsWithSHA1() async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "rsa", "-b", "2048"])
    let key = try #require(try PrivateKeyFile.load(path).readyKey)
    let blob = try await key.sign(Array("text".utf8), algorithm: "ssh-rsa")
    var reader = WireReader(blob)
    #expect(try reader.name() == "ssh-rsa")
    let signature = try workshop.write("signature", try reader.string())
    let pem = try workshop.run("ssh-keygen", ["-e", "-m", "PKCS8", "-f", "\(path).pub"])
    let publicKey = try workshop.write("public.pem", pem.output)
    try workshop.run(
      "openssl",
      ["dgst", "-sha1", "-verify", publicKey, "-signature", signature],
      input: Array("text".utf8)
    )
  }

  @Test("of 8192 bits sign")
  func signsWithLargeKey() async throws {
    let workshop = try KeyWorkshop()
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/rsa-8192")
    let text = Array(try Data(contentsOf: fixture))
    let key = try #require(try PrivateKeyFile.parse(SecretBytes(text)).readyKey)
    #expect(key.publicKey.bitCount == 8192)
    let isGood = try await workshop.checkSignature([0], by: key.publicKey) { data in
      try await key.sign(data, algorithm: "rsa-sha2-512")
    }
    #expect(isGood)
  }

  @Test("refuse an algorithm of another type")
  func refusesOtherAlgorithm() async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "ed25519"])
    let key = try #require(try PrivateKeyFile.load(path).readyKey)
    await #expect(throws: SigningError.unsupportedAlgorithm("rsa-sha2-512")) {
      try await key.sign([1], algorithm: "rsa-sha2-512")
    }
  }
}
