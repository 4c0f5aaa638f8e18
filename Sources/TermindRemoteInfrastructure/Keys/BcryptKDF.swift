internal import TermindDomain

/// `bcrypt_pbkdf`, the key derivation of OpenSSH's private key files: PBKDF2 over a bcrypt hash of
/// SHA-512 digests, with the output bytes spread over the blocks.
enum BcryptKDF {
  private static let hashByteCount = 32

  /// Derives key material.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes to derive, from 1 to 1024.
  ///   - passphrase: The passphrase, not empty.
  ///   - salt: The salt, not empty.
  ///   - rounds: How often each block is hashed, at least 1.
  ///   - isCancelled: Asked once a round; the derivation ends early when it says so.
  /// - Returns: The bytes; `nil` when an argument is out of its range, or on cancellation.
  static func derive(
    byteCount: Int,
    passphrase: SecretBytes,
    salt: [UInt8],
    rounds: Int,
    isCancelled: () -> Bool = { false }
  ) -> SecretBytes? {
    guard (1...1024).contains(byteCount), !passphrase.isEmpty, !salt.isEmpty, rounds >= 1 else {
      return nil
    }
    let blockCount = (byteCount + hashByteCount - 1) / hashByteCount
    let stride = (byteCount + blockCount - 1) / blockCount
    guard let digest = DigestHandle(.sha512) else { return nil }
    digest.update(passphrase)
    let hashedPassphrase = digest.finishSecret()
    var isComplete = true
    let result = unsafe SecretBytes(count: byteCount) { memory in
      for block in 1...blockCount {
        guard
          let output = Self.block(
            UInt32(block),
            hashedPassphrase,
            salt: salt,
            rounds: rounds,
            isCancelled: isCancelled
          )
        else {
          isComplete = false
          break
        }
        for place in 0..<stride {
          let target = place * blockCount + block - 1
          if target < byteCount { unsafe memory[target] = output[place] }
        }
      }
      return byteCount
    }
    return isComplete ? result : nil
  }

  /// One block: the exclusive or of a chain of hashes.
  private static func block(
    _ number: UInt32,
    _ hashedPassphrase: SecretBytes,
    salt: [UInt8],
    rounds: Int,
    isCancelled: () -> Bool
  ) -> SecretBytes? {
    guard let digest = DigestHandle(.sha512) else { return nil }
    var counter = WireWriter()
    counter.uint32(number)
    digest.update(salt)
    digest.update(counter.bytes)
    var hash = bcryptHash(hashedPassphrase, salt: digest.finishSecret())
    var sum = hash
    for _ in 1..<rounds {
      if isCancelled() { return nil }
      digest.restart()
      digest.update(hash)
      hash = bcryptHash(hashedPassphrase, salt: digest.finishSecret())
      let previous = sum
      let addend = hash
      sum = unsafe SecretBytes(count: hashByteCount) { memory in
        for place in 0..<hashByteCount { unsafe memory[place] = previous[place] ^ addend[place] }
        return hashByteCount
      }
    }
    return sum
  }

  /// Bcrypt with a fixed cost of 2^6, over the text that the algorithm names, in its own byte order.
  private static func bcryptHash(_ passphrase: SecretBytes, salt: SecretBytes) -> SecretBytes {
    let state = BlowfishState(key: passphrase, salt: salt)
    state.expandSalted()
    for _ in 0..<64 {
      state.expandWithSalt()
      state.expandWithKey()
    }
    let text = Array("OxychromaticBlowfishSwatDynamite".utf8)
    return unsafe SecretBytes(count: hashByteCount) { memory in
      for pair in 0..<4 {
        var left: UInt32 = 0
        var right: UInt32 = 0
        for offset in 0..<4 {
          left = left << 8 | UInt32(text[pair * 8 + offset])
          right = right << 8 | UInt32(text[pair * 8 + 4 + offset])
        }
        for _ in 0..<64 { (left, right) = state.encipher(left, right) }
        for offset in 0..<4 {
          // The words are stored with their lowest byte first.
          unsafe memory[pair * 8 + offset] = UInt8(truncatingIfNeeded: left >> UInt32(8 * offset))
          unsafe memory[pair * 8 + 4 + offset] = UInt8(
            truncatingIfNeeded: right >> UInt32(8 * offset)
          )
        }
      }
      return hashByteCount
    }
  }
}
