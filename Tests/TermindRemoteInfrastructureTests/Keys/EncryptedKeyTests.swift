import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Encrypted OpenSSH keys") struct EncryptedKeyTests {
  @Test(
    "open with their passphrase only, in each cipher",
    arguments: KeyFileCipher.allCases.filter { $0 != .none }
  )
  func opens(cipher: KeyFileCipher) async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey(
      "key",
      ["-t", "ed25519", "-a", "1", "-Z", cipher.rawValue],
      passphrase: "Grüße, world"
    )
    let locked = try #require(try PrivateKeyFile.load(path).lockedKey)
    #expect(locked.publicKey?.blob == (try workshop.publicBlob("key")))
    await #expect(throws: KeyFileError.wrongPassphrase) {
      try await locked.unlock(SecretBytes("Grüße, World".utf8))
    }
    await #expect(throws: KeyFileError.wrongPassphrase) {
      try await locked.unlock(SecretBytes([]))
    }
    let key = try await locked.unlock(SecretBytes("Grüße, world".utf8))
    #expect(key.publicKeyBlob == (try workshop.publicBlob("key")))
    #expect(key.comment == "made by a test")
  }

  @Test("open in each key type", arguments: PrivateKeyTests.kinds)
  func opens(kind: [String]) async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", kind + ["-a", "2"], passphrase: "p")
    let locked = try #require(try PrivateKeyFile.load(path).lockedKey)
    let key = try await locked.unlock(SecretBytes("p".utf8))
    #expect(key.publicKeyBlob == (try workshop.publicBlob("key")))
  }

  @Test("open with the default number of rounds")
  func opensWithDefaultRounds() async throws {
    let workshop = try KeyWorkshop()
    let path = try workshop.makeKey("key", ["-t", "ed25519"], passphrase: "secret")
    let locked = try #require(try PrivateKeyFile.load(path).lockedKey)
    let key = try await locked.unlock(SecretBytes("secret".utf8))
    #expect(key.publicKey.type == .ed25519)
  }

  @Test("give up their key derivation when nobody waits any more")
  func derivationIsCancellable() {
    var asked = 0
    let result = BcryptKDF.derive(
      byteCount: 48,
      passphrase: SecretBytes("p".utf8),
      salt: [1, 2, 3],
      rounds: 10_000
    ) {
      asked += 1
      return asked == 2
    }
    #expect(result == nil)
  }

  // A test vector that the implementations of this algorithm share.
  @Test("derive the known key for password and salt")
  func knownVector() throws {
    let derived = BcryptKDF.derive(
      byteCount: 32,
      passphrase: SecretBytes("password".utf8),
      salt: Array("salt".utf8),
      rounds: 4
    )
    let hex = try #require(derived).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(
      hex.joined() == "5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9"
    )
  }

  @Test("refuse arguments out of range", arguments: [(0, 1), (1025, 1), (32, 0)])
  func refusesArguments(byteCount: Int, rounds: Int) {
    let derived = BcryptKDF.derive(
      byteCount: byteCount,
      passphrase: SecretBytes("p".utf8),
      salt: [1],
      rounds: rounds
    )
    #expect(derived == nil)
  }
}
