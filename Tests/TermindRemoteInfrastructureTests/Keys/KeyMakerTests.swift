import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

extension SecretBytes {
  convenience init(_ text: String) { self.init(text.utf8) }
}

/// What is written here is read by `ssh-keygen`, and the other way round.
@Suite("Keys made and written") struct KeyMakerTests {
  /// The public key that `ssh-keygen` derives from a private one: type and base64 text.
  private func derived(
    _ workshop: KeyWorkshop,
    _ path: String,
    passphrase: String = ""
  ) throws -> [Substring] {
    let output = try workshop.run("ssh-keygen", ["-y", "-P", passphrase, "-f", path]).output
    return Array(output.split(whereSeparator: \.isWhitespace).prefix(2))
  }

  @Test("a new key is one for ssh-keygen, too", arguments: KeyKind.allCases)
  func generates(kind: KeyKind) async throws {
    let workshop = try KeyWorkshop()
    let pair = try await KeyMaker.generate(kind, comment: "me@here", passphrase: nil)
    #expect(pair.publicKey.type == kind.type)
    #expect(!pair.isEncrypted)
    let text = try #require(pair.privateText)
    let path = try workshop.write("key", text.copyBytes())
    _ = try workshop.write("key.pub", pair.publicLine + "\n")
    let line = pair.publicLine.split(separator: " ")
    #expect(line.count == 3)
    #expect(try derived(workshop, path) == Array(line.prefix(2)))
    let listed = try workshop.run("ssh-keygen", ["-l", "-f", path]).output
    #expect(listed.contains(pair.publicKey.fingerprint))
    #expect(listed.contains("me@here"))
    #expect(listed.hasPrefix("\(pair.publicKey.bitCount) "))
    // Its own reader agrees, and another key is another one.
    let key = try await KeyMaker.open(text, passphrase: nil)
    #expect(key.publicKey == pair.publicKey)
    #expect(key.comment == "me@here")
    let isGood = try await workshop.checkSignature([1, 2, 3], by: key.publicKey) {
      try await key.sign($0, algorithm: key.algorithms[0])
    }
    #expect(isGood)
    if kind != .rsa4096 {
      let other = try await KeyMaker.generate(kind, comment: "", passphrase: nil)
      #expect(other.publicKey != pair.publicKey)
    }
  }

  @Test("a passphrase of ours opens the key for ssh-keygen, and theirs opens it for us")
  func encrypts() async throws {
    let workshop = try KeyWorkshop()
    let passphrase = "Grüße, world"
    let pair = try await KeyMaker.generate(
      .ed25519,
      comment: "me",
      passphrase: SecretBytes(passphrase)
    )
    #expect(pair.isEncrypted)
    let path = try workshop.write("key", try #require(pair.privateText).copyBytes())
    #expect(
      try derived(workshop, path, passphrase: passphrase)
        == Array(pair.publicLine.split(separator: " ").prefix(2))
    )
    try workshop.run("ssh-keygen", ["-y", "-P", "wrong", "-f", path], expecting: 255)
    // ssh-keygen gives it another passphrase.
    try workshop.run(
      "ssh-keygen",
      ["-q", "-p", "-a", "2", "-P", passphrase, "-N", "other", "-f", path]
    )
    let text = SecretBytes(try workshop.read("key"))
    await #expect(throws: KeyWorkError.unusable(.wrongPassphrase)) {
      try await KeyMaker.open(text, passphrase: SecretBytes(passphrase))
    }
    await #expect(throws: KeyWorkError.needsPassphrase) {
      try await KeyMaker.open(text, passphrase: nil)
    }
    let key = try await KeyMaker.open(text, passphrase: SecretBytes("other"))
    #expect(key.publicKey == pair.publicKey)
    #expect(key.comment == "me")
  }

  @Test(
    "each key type is written encrypted as ssh-keygen reads it",
    arguments: PrivateKeyTests.kinds
  )
  func writesKinds(kind: [String]) async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", kind)
    let before = try derived(workshop, path)
    let key = try await KeyMaker.open(SecretBytes(try workshop.read("key")), passphrase: nil)
    for comment in ["", "a comment of eighteen", "\u{1F511}"] {
      let text = try OpenSSHKeyWriter.text(
        of: key,
        comment: comment,
        passphrase: SecretBytes("p"),
        rounds: 1
      )
      let written = try workshop.write("written", text.copyBytes())
      #expect(try derived(workshop, written, passphrase: "p") == before)
      let read = try await KeyMaker.open(text, passphrase: SecretBytes("p"))
      #expect(read.comment == comment)
      let plain = try OpenSSHKeyWriter.text(of: key, comment: comment, passphrase: nil)
      #expect(try derived(workshop, try workshop.write("plain", plain.copyBytes())) == before)
      #expect(
        String(decoding: plain, as: UTF8.self).split(separator: "\n").allSatisfy { $0.count <= 70 }
      )
    }
  }

  @Test("a passphrase is set, changed and taken away; the key stays")
  func changesPassphrase() async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "ecdsa", "-b", "384"])
    let original = try derived(workshop, path)
    let plain = SecretBytes(try workshop.read("key"))
    let set = try await KeyMaker.rewrite(plain, from: nil, to: SecretBytes("one"), rounds: 2)
    let first = try #require(set.privateText)
    #expect(set.isEncrypted)
    #expect(set.comment == "made by a test")
    #expect(
      try derived(workshop, try workshop.write("one", first.copyBytes()), passphrase: "one")
        == original
    )
    await #expect(throws: KeyWorkError.unusable(.wrongPassphrase)) {
      _ = try await KeyMaker.changePassphrase(of: first, from: SecretBytes("two"), to: nil)
    }
    await #expect(throws: KeyWorkError.needsPassphrase) {
      _ = try await KeyMaker.changePassphrase(of: first, from: nil, to: nil)
    }
    await #expect(throws: KeyWorkError.passphraseIsEmpty) {
      _ = try await KeyMaker.changePassphrase(of: plain, from: nil, to: SecretBytes(""))
    }
    let taken = try await KeyMaker.changePassphrase(
      of: first,
      from: SecretBytes("one"),
      to: nil,
      comment: "renamed"
    )
    #expect(!taken.isEncrypted)
    #expect(taken.comment == "renamed")
    let bytes = try #require(taken.privateText).copyBytes()
    #expect(try derived(workshop, try workshop.write("none", bytes)) == original)
    await #expect(throws: KeyWorkError.publicOnly) {
      _ = try await KeyMaker.changePassphrase(
        of: SecretBytes(taken.publicLine),
        from: nil,
        to: nil
      )
    }
  }

  @Test("making a key ends when nobody waits for it")
  func cancels() async throws {
    let making = Task { try await KeyMaker.generate(.rsa4096, comment: "", passphrase: nil) }
    making.cancel()
    let result = await making.result
    #expect(throws: KeyWorkError.cancelled) { _ = try result.get() }
    await #expect(throws: KeyWorkError.passphraseIsEmpty) {
      _ = try await KeyMaker.generate(.ed25519, comment: "", passphrase: SecretBytes(""))
    }
  }

  @Test("a public key line stays one line, whatever the comment")
  func publicLine() throws {
    let key = try SSHPublicKey(
      blob: try #require(
        Base64Codec.decode(
          Array("AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS".utf8)
        )
      )
    )
    let plain = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS"
    #expect(key.line() == plain)
    #expect(key.line(comment: " me \r\nssh-rsa AAAA\u{7}") == "\(plain) me ssh-rsa AAAA")
    for count in 0...10 {
      let bytes = (0..<count).map { UInt8($0 * 25) }
      #expect(Base64Codec.decode(Array(Base64Codec.encode(bytes).utf8)) == bytes)
      let lines = Base64Codec.encodeSecret(SecretBytes(bytes), width: 5)
      #expect(Base64Codec.decodeSecret(lines)?.copyBytes() == bytes)
      #expect(
        String(decoding: lines, as: UTF8.self).filter { $0 != "\n" } == Base64Codec.encode(bytes)
      )
    }
  }
}
