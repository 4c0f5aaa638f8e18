import Glibc
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

/// What may be the first thing in a process that calls libcrypto.
enum FirstUse: String, CaseIterable, Codable, Sendable {
  case digest, cipher, seed, numbers, pem, generation, session

  /// Uses libcrypto.
  ///
  /// - Returns: Whether that gave what it should.
  func run() -> Bool {
    let zeros = SecretBytes([UInt8](repeating: 0, count: 32))
    switch self {
    case .digest: return Self.digestIsRight
    case .cipher:
      let keyAndIV = SecretBytes([UInt8](repeating: 0, count: 48))
      return KeyFileCipher.encrypt(zeros, keyAndIV: keyAndIV) != nil
    case .seed: return PrivateKeyHandle(ed25519Seed: zeros) != nil
    case .numbers:
      let numbers = RSANumbers(
        modulus: zeros,
        publicExponent: zeros,
        privateExponent: zeros,
        coefficient: zeros,
        firstPrime: zeros,
        secondPrime: zeros
      )
      return PrivateKeyHandle(rsa: numbers) == nil
    case .pem:
      guard case .failed = PEMHandle.read(SecretBytes("no key".utf8), passphrase: nil) else {
        return false
      }
      return true
    case .generation: return PrivateKeyHandle.generate(.ecdsaP256) { false } != nil
    case .session: return SSH2SessionHandle(mailbox: SessionMailbox()) != nil
    }
  }

  /// Whether libcrypto still computes.
  static var digestIsRight: Bool {
    Digest.sha256.hash([]).starts(with: [0xe3, 0xb0, 0xc4, 0x42])
  }
}

@Suite("libcrypto at the end of a process") struct CryptoLibraryTests {
  @Test("still works for threads that nobody waits for", arguments: FirstUse.allCases)
  func worksUntilTheEnd(use: FirstUse) async {
    await #expect(processExitsWith: .success) { [use = use as FirstUse] in
      // Handlers run last in, first out: this one after any that libcrypto adds from here on.
      guard atexit({ _exit(FirstUse.digestIsRight ? 0 : 2) }) == 0 else { exit(3) }
      guard use.run() else { exit(4) }
      exit(0)
    }
  }
}
