import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Key files that cannot be used") struct KeyFileErrorTests {
  @Test("an absent file, a directory and a pipe are told apart from keys")
  func wrongFiles() throws {
    let workshop = try KeyWorkshop()
    #expect(throws: KeyFileError.absent) { try PrivateKeyFile.load(workshop.path("none")) }
    #expect(throws: KeyFileError.notAKey) { try PrivateKeyFile.load(workshop.path(".")) }
    let path = try workshop.makeKey("key", ["-t", "ed25519"])
    #expect(throws: KeyFileError.absent) { try PrivateKeyFile.load("\(path)\u{0}.pub") }
    try workshop.run("mkfifo", [workshop.path("pipe")])
    #expect(throws: KeyFileError.notAKey) { try PrivateKeyFile.load(workshop.path("pipe")) }
  }

  @Test("a key that others may read is refused, as OpenSSH does", arguments: [0o644, 0o640, 0o604])
  func openPermissions(mode: Int) throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "ed25519"])
    try workshop.run("chmod", [String(mode, radix: 8), path])
    #expect(throws: KeyFileError.permissionsTooOpen(mode: UInt32(mode))) {
      try PrivateKeyFile.load(path)
    }
  }

  @Test("a public key is told by its type, whatever its permissions")
  func publicKey() throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "ecdsa"])
    try workshop.run("chmod", ["644", "\(path).pub"])
    guard case .publicOnly(let key, let comment) = try PrivateKeyFile.load("\(path).pub") else {
      Issue.record("not read as a public key")
      return
    }
    #expect(key.blob == (try workshop.publicBlob("key")))
    #expect(comment == "made by a test")
  }

  @Test("a large file is not read")
  func largeFile() throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.write("large", [UInt8](repeating: 0x41, count: (1 << 20) + 1))
    #expect(throws: KeyFileError.tooLarge(byteCount: (1 << 20) + 1)) {
      try PrivateKeyFile.load(path)
    }
  }

  @Test(
    "text that is no key is named for what it is",
    arguments: [
      ("", KeyFileError.notAKey),
      ("just some words\n", .notAKey),
      ("# only a comment\n", .notAKey),
      ("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", .foreignFormat("PuTTY")),
      ("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n", .foreignFormat("SSH.COM")),
      (
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        .foreignFormat("PEM public key")
      ),
      ("-----BEGIN DSA PRIVATE KEY-----\nAAAA\n", .unsupportedKeyType("ssh-dss")),
      ("-----BEGIN OPENSSH PRIVATE KEY-----\n", .malformed(reason: "broken base64 text")),
      (
        "-----BEGIN OPENSSH PRIVATE KEY-----\n!!!!\n-----END OPENSSH PRIVATE KEY-----\n",
        .malformed(reason: "broken base64 text")
      ),
      (
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
        .malformed(reason: "truncated field")
      ),
      (
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        .malformed(reason: "unreadable PEM key")
      ),
      ("ssh-ed25519 AAAA broken\n", .malformed(reason: "truncated number")),
    ] as [(String, KeyFileError)]
  )
  func text(text: String, error: KeyFileError) {
    #expect(throws: error) { try PrivateKeyFile.parse(SecretBytes(text.utf8)) }
  }

  @Test("ciphers and derivations that are not known are named")
  func unknownNames() {
    #expect(throws: KeyFileError.unsupportedCipher("3des-cbc")) {
      try OpenSSHKeyFormat(Self.header(cipher: "3des-cbc", derivation: "bcrypt"))
    }
    #expect(throws: KeyFileError.unsupportedKeyDerivation("scrypt")) {
      try OpenSSHKeyFormat(Self.header(cipher: "aes256-ctr", derivation: "scrypt"))
    }
  }

  @Test("a key derivation that would take hours is refused")
  func tooManyRounds() {
    var options = WireWriter()
    options.string([1, 2, 3, 4])
    options.uint32(.max)
    let header = Self.header(cipher: "aes256-ctr", derivation: "bcrypt", options: options.bytes)
    #expect(throws: KeyFileError.malformed(reason: "key derivation options")) {
      try OpenSSHKeyFormat(header)
    }
  }

  @Test("a key whose halves differ is refused", arguments: PrivateKeyTests.kinds)
  func differingHalves(kind: [String]) throws {
    let workshop = try KeyWorkshop()
    let first = try Self.body(workshop, workshop.makeKey("first", kind))
    let second = try SSHPublicKey(
      blob: {
        _ = try workshop.makeKey("second", kind)
        return try workshop.publicBlob("second")
      }()
    )
    let own = try workshop.publicBlob("first")
    guard own.count == second.blob.count, let range = first.firstRange(of: own) else { return }
    var mixed = first
    mixed.replaceSubrange(range, with: second.blob)
    #expect(throws: KeyFileError.self) {
      try OpenSSHKeyFormat(SecretBytes(mixed)).open(passphrase: SecretBytes([]))
    }
  }

  @Test("no damage of a key file crashes the reader or passes as the same key")
  func fuzz() throws {
    let workshop = try KeyWorkshop()
    var generator = SeededGenerator(state: 7)
    for (index, kind) in [["-t", "ed25519"], ["-t", "ecdsa"], ["-t", "rsa", "-b", "1024"]]
      .enumerated()
    {
      let body = try Self.body(workshop, workshop.makeKey("key\(index)", kind))
      for length in stride(from: 0, to: body.count, by: 7) {
        #expect(throws: KeyFileError.self) {
          try OpenSSHKeyFormat(SecretBytes(body.prefix(length))).open(passphrase: SecretBytes([]))
        }
      }
      let blob = try workshop.publicBlob("key\(index)")
      for _ in 0..<400 {
        var damaged = body
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
            in: 0...255,
            using: &generator
          )
        }
        // `try?`: most damage must throw, which error is not the point here.
        let key = try? OpenSSHKeyFormat(SecretBytes(damaged)).open(passphrase: SecretBytes([]))
        if let key, key.publicKeyBlob != blob {
          #expect((try? SSHPublicKey(blob: key.publicKeyBlob)) != nil)
        }
      }
    }
    for _ in 0..<300 {
      let noise = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(throws: KeyFileError.self) { try PrivateKeyFile.parse(SecretBytes(noise)) }
    }
  }

  @Test("no damage of a PEM key crashes the reader", arguments: ["PEM", "PKCS8"])
  func fuzzPEM(form: String) throws {
    let workshop = try KeyWorkshop()
    var generator = SeededGenerator(state: 13)
    for (index, kind) in PrivateKeyTests.kinds.dropFirst().enumerated() {
      let name = "key\(index)"
      _ = try workshop.makeKey(name, kind + ["-m", form])
      let text = try workshop.read(name)
      for _ in 0..<60 {
        var damaged = Array(text.prefix(Int.random(in: 0...(2 * text.count), using: &generator)))
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !damaged.isEmpty {
          damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
            in: 0...127,
            using: &generator
          )
        }
        // `try?`: damage may throw or hit a byte that does not matter; neither may crash.
        let key = (try? PrivateKeyFile.parse(SecretBytes(damaged)))?.readyKey
        if let key {
          let data: [UInt8] = [1, 2, 3]
          _ = try? key.signature(of: data, algorithm: key.algorithms[0])
        }
      }
    }
  }

  static func header(cipher: String, derivation: String, options: [UInt8] = []) -> SecretBytes {
    var writer = WireWriter()
    for byte in "openssh-key-v1\u{0}".utf8 { writer.byte(byte) }
    writer.string(cipher)
    writer.string(derivation)
    writer.string(options)
    writer.uint32(1)
    return SecretBytes(writer.bytes)
  }

  /// The decoded body of a key file.
  static func body(_ workshop: KeyWorkshop, _ path: String) throws -> [UInt8] {
    let text = SecretBytes(try workshop.read(String(path.split(separator: "/").last ?? "")))
    return try #require(KeyArmor(text).decodedBody()).copyBytes()
  }
}
