import Glibc
import TermindApplication
import TermindDomain
import Testing

@testable import TermindInfrastructure

/// A file that is broken says how, and is never taken for a wrong passphrase.
@Suite("Damaged sealed file") struct SealedFileDamageTests {
  private typealias Fixture = SealedStoreFixture

  /// A closed file with one secret.
  private func sealed(_ fixture: Fixture) async throws -> [UInt8] {
    let store = try await fixture.openStore()
    _ = try await store.keep("hunter2")
    await store.lock()
    return try FileBytes.read(fixture.path)
  }

  private func failure(
    _ bytes: [UInt8],
    _ fixture: Fixture,
    _ passphrase: SecretBytes = Fixture.passphrase
  ) async throws -> SecretStoreError? {
    try FileBytes.write(bytes, to: fixture.path)
    do throws(SecretStoreError) {
      try await SealedSecretStore(path: fixture.path).unlock(passphrase)
      return nil
    } catch {
      return error
    }
  }

  @Test("a file that was cut off is truncated, wherever that was")
  func truncated() async throws {
    let fixture = try Fixture()
    let bytes = try await sealed(fixture)
    let error = SecretStoreError.damaged(path: fixture.path, .truncated)
    for count in [0, 1, 7, 8, 40, 171, 172, 173, bytes.count - 16, bytes.count - 1] {
      #expect(try await failure(Array(bytes[..<count]), fixture) == error, "\(count) bytes")
      #expect(await SealedSecretStore(path: fixture.path).state() == .unusable(error))
    }
    let extended = SecretStoreError.damaged(path: fixture.path, .extended)
    #expect(try await failure(bytes + [0], fixture) == extended)
    #expect(try await failure(bytes, fixture) == nil)
  }

  @Test("one wrong bit anywhere is damage, and says where")
  func bitFlips() async throws {
    let fixture = try Fixture()
    let bytes = try await sealed(fixture)
    // Every field of the header; its numbers with a low and a high bit each.
    for place in [0, 7, 8, 11, 12, 15, 16, 19, 20, 36, 60, 107, 108, 132, 139, 140, 171] {
      for bit: UInt8 in [0x01, 0x80] {
        var flipped = bytes
        flipped[place] ^= bit
        let damage: SecretStoreError.Damage = place < 8 ? .notSealed : .header
        #expect(
          try await failure(flipped, fixture) == .damaged(path: fixture.path, damage),
          "bit \(bit) of byte \(place)"
        )
      }
    }
    for place in [172, 200, bytes.count - 17, bytes.count - 1] {
      var flipped = bytes
      flipped[place] ^= 0x04
      #expect(
        try await failure(flipped, fixture) == .damaged(path: fixture.path, .content),
        "byte \(place)"
      )
    }
    #expect(try await failure(bytes, fixture, SecretBytes("wrong")) == .wrongPassphrase)
  }

  @Test("a header that was altered on purpose does not open, and costs no more than its bounds")
  func forgedHeader() async throws {
    let fixture = try Fixture()
    let bytes = try await sealed(fixture)
    func forged(_ places: Range<Int>, _ values: [UInt8]) -> [UInt8] {
      var forged = bytes
      forged.replaceSubrange(places, with: values)
      forged.replaceSubrange(140..<172, with: Sodium.checksum(forged[..<140]))
      return forged
    }
    let header = SecretStoreError.damaged(path: fixture.path, .header)
    #expect(try await failure(forged(12..<16, [0, 0, 0, 0]), fixture) == header)
    #expect(try await failure(forged(12..<16, [255, 255, 255, 255]), fixture) == header)
    #expect(try await failure(forged(16..<20, [0, 0, 0, 8]), fixture) == header)
    #expect(try await failure(forged(16..<20, [0, 16, 0, 1]), fixture) == header)
    #expect(try await failure(forged(132..<140, [0, 0, 0, 0, 255, 0, 0, 0]), fixture) == header)
    #expect(try await failure(forged(8..<12, [0, 0, 0, 0]), fixture) == header)
    // Another salt, or the nonce of another seal: nothing tells this from a wrong passphrase.
    #expect(
      try await failure(forged(20..<21, [bytes[20] ^ 1]), fixture) == .wrongPassphrase
    )
    #expect(
      try await failure(forged(108..<109, [bytes[108] ^ 1]), fixture)
        == .damaged(path: fixture.path, .content)
    )
    #expect(
      try await failure(forged(8..<12, [0, 0, 0, 2]), fixture)
        == .newerFormat(path: fixture.path, found: 2, supported: 1)
    )
  }

  @Test("what is no sealed file is left alone")
  func foreignFiles() async throws {
    let fixture = try Fixture()
    let notSealed = SecretStoreError.damaged(path: fixture.path, .notSealed)
    #expect(try await failure(Array("SQLite format 3\0".utf8), fixture) == notSealed)
    #expect(try FileBytes.read(fixture.path) == Array("SQLite format 3\0".utf8))
    let store = try fixture.store()
    await #expect(throws: SecretStoreError.alreadySetUp) {
      try await store.changePassphrase(from: nil, to: Fixture.passphrase)
    }
    #expect(unlink(fixture.path) == 0)
    #expect(mkdir(fixture.path, 0o700) == 0)
    let directory = SecretStoreError.unsafeFile(path: fixture.path, reason: "not a regular file")
    #expect(await store.state() == .unusable(directory))
    #expect(rmdir(fixture.path) == 0)
    #expect(symlink("/etc/hostname", fixture.path) == 0)
    let link = SecretStoreError.unsafeFile(path: fixture.path, reason: "a symbolic link")
    #expect(await store.state() == .unusable(link))
    await #expect(throws: link) { try await store.unlock(Fixture.passphrase) }
  }

  @Test("arbitrary bytes never open and never crash the reader")
  func arbitraryBytes() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...200, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let magic = SealedHeader.magic.prefix(count)
      bytes.replaceSubrange(0..<magic.count, with: magic)
      #expect(throws: SealedHeader.Fault.self) { _ = try SealedHeader(bytes[...]) }
      _ = SealedContent(SecretBytes(bytes))
    }
  }

  @Test("content with wrong lengths is refused")
  func wrongContent() {
    var content = SealedContent()
    content.items = [
      SealedContent.Item(id: SecretItemID(), label: "label", bytes: SecretBytes("bytes"))
    ]
    let encoded = content.encoded
    #expect(encoded.count == 256)
    #expect(SealedContent(encoded)?.items.first?.bytes == SecretBytes("bytes"))
    for place in [0, 3, 20, 29, 255] {
      var bytes = encoded.copyBytes()
      bytes[place] ^= 0x81
      #expect(SealedContent(SecretBytes(bytes)) == nil, "byte \(place)")
    }
  }
}
