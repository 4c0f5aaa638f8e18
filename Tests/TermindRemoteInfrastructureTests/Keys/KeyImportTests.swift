import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Keys imported") struct KeyImportTests {
  private func check(_ pair: KeyPair, _ workshop: KeyWorkshop, passphrase: String = "") throws {
    let bytes = try #require(pair.privateText).copyBytes()
    let path = try workshop.write("imported", bytes)
    let output = try workshop.run("ssh-keygen", ["-y", "-P", passphrase, "-f", path]).output
    let line = pair.publicLine.split(separator: " ").prefix(2)
    #expect(output.split(whereSeparator: \.isWhitespace).prefix(2) == line)
    #expect(bytes.starts(with: "-----BEGIN OPENSSH PRIVATE KEY-----\n".utf8))
  }

  @Test(
    "PEM keys become OpenSSH keys",
    arguments: [
      ["-t", "rsa", "-b", "2048", "-m", "PEM"], ["-t", "rsa", "-b", "2048", "-m", "PKCS8"],
      ["-t", "ecdsa", "-m", "PEM"], ["-t", "ecdsa", "-b", "521", "-m", "PKCS8"],
    ]
  )
  func pem(kind: [String]) async throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("key", kind)
    let pair = try await KeyImport.read(SecretBytes(try workshop.read("key")))
    #expect(!pair.isEncrypted)
    #expect(pair.publicKey.blob == (try workshop.publicBlob("key")))
    try check(pair, workshop)
  }

  @Test("an encrypted PEM key needs its passphrase, and keeps it")
  func encryptedPEM() async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey(
      "key",
      ["-t", "rsa", "-b", "2048", "-m", "PEM"],
      passphrase: "a passphrase"
    )
    await #expect(throws: KeyWorkError.unusable(.wrongPassphrase)) {
      _ = try await KeyImport.read(path: path, passphrase: SecretBytes("wrong"))
    }
    let pasted = SecretBytes(try workshop.read("key"))
    await #expect(throws: KeyWorkError.needsPassphrase) { _ = try await KeyImport.read(pasted) }
    let pair = try await KeyImport.read(path: path, passphrase: SecretBytes("a passphrase"))
    #expect(pair.isEncrypted)
    #expect(pair.comment == "made by a test")
    try check(pair, workshop, passphrase: "a passphrase")
  }

  @Test("an OpenSSH key is kept as it is, locked or not")
  func openSSH() async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey(
      "key",
      ["-t", "ed25519", "-a", "2"],
      passphrase: "a passphrase"
    )
    let text = try workshop.read("key")
    let locked = try await KeyImport.read(path: path)
    #expect(locked.isEncrypted)
    #expect(locked.comment == "made by a test")
    #expect(locked.privateText?.copyBytes() == text)
    try check(locked, workshop, passphrase: "a passphrase")
    let opened = try await KeyImport.read(
      SecretBytes(text),
      passphrase: SecretBytes("a passphrase")
    )
    #expect(opened.comment == "made by a test")
    #expect(opened.privateText == locked.privateText)
    await #expect(throws: KeyWorkError.unusable(.wrongPassphrase)) {
      _ = try await KeyImport.read(SecretBytes(text), passphrase: SecretBytes("wrong"))
    }
  }

  @Test("a pasted key loses what stands around it, and carriage returns")
  func pasted() async throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("key", ["-t", "ed25519"])
    let key = String(decoding: try workshop.read("key"), as: UTF8.self)
    let pasted =
      "Here it is:\r\n" + key.split(separator: "\n").joined(separator: "\r\n") + "\r\nBye.\r\n"
    let pair = try await KeyImport.read(SecretBytes(pasted))
    #expect(pair.privateText?.copyBytes() == Array(key.utf8))
    try check(pair, workshop)
  }

  @Test("a public key stands for one whose private half is elsewhere")
  func publicOnly() async throws {
    let workshop = try KeyWorkshop()
    _ = try workshop.makeKey("key", ["-t", "ed25519"])
    let pair = try await KeyImport.read(path: workshop.path("key.pub"))
    #expect(pair.privateText == nil)
    #expect(pair.comment == "made by a test")
    #expect(pair.publicKey.blob == (try workshop.publicBlob("key")))
  }

  @Test("the certificate beside a key comes with it; another key's does not")
  func neighbours() async throws {
    let workshop = try KeyWorkshop()
    let authority = try workshop.makeKey("ca", ["-t", "ed25519"])
    let path = try workshop.makeKey("key", ["-t", "ecdsa"])
    let other = try workshop.makeKey("other", ["-t", "ecdsa"])
    try workshop.run("ssh-keygen", ["-q", "-s", authority, "-I", "me", "-n", "root", path])
    let pair = try await KeyImport.read(path: path)
    #expect(pair.certificate?.keyID == "me")
    #expect(pair.certificate?.publicKey == pair.publicKey)
    let line = try await KeyImport.read(path: workshop.path("key-cert.pub"))
    #expect(line.certificate == pair.certificate)
    #expect(line.publicKey == pair.publicKey)
    #expect(line.privateText == nil)
    try workshop.run("mv", [workshop.path("key-cert.pub"), "\(other)-cert.pub"])
    #expect(try await KeyImport.read(path: other).certificate == nil)
  }

  @Test("what is no key says why")
  func refused() async throws {
    let workshop = try KeyWorkshop()
    await #expect(throws: KeyWorkError.unusable(.absent)) {
      _ = try await KeyImport.read(path: workshop.path("absent"))
    }
    await #expect(throws: KeyWorkError.unusable(.notAKey)) {
      _ = try await KeyImport.read(SecretBytes("hello"))
    }
    await #expect(throws: KeyWorkError.unusable(.foreignFormat("PuTTY"))) {
      _ = try await KeyImport.read(SecretBytes("PuTTY-User-Key-File-3: ssh-ed25519\n"))
    }
  }
}
