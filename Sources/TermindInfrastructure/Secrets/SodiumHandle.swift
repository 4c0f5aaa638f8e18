internal import CSodium
internal import TermindDomain

/// What the passphrase of a sealed file costs to try.
public struct SealCost: Hashable, Sendable {
  /// How often the memory is gone through, from 1 to 32.
  public let passes: UInt32
  /// How much memory it takes in KiB, from 8192 (8 MiB) to 1,048,576 (1 GiB).
  public let memoryKiB: UInt32

  /// Makes a cost; nil outside the ranges.
  public init?(passes: UInt32, memoryKiB: UInt32) {
    guard (1...32).contains(passes), (8192...1_048_576).contains(memoryKiB) else { return nil }
    self.passes = passes
    self.memoryKiB = memoryKiB
  }

  private init() {
    passes = 3
    memoryKiB = 128 * 1024
  }

  /// What new files get: 3 passes over 128 MiB (Docs/Decisions/0009-secrets.md).
  public static let standard = SealCost()

  /// The memory in bytes.
  public var byteCount: Int { Int(memoryKiB) * 1024 }
}

/// The library that secrets are sealed with.
public enum SecretLibrary {
  /// The version of libsodium that is linked.
  public static var libsodium: String { Sodium.version }
}

/// The calls of libsodium that the sealed file is made of.
enum Sodium {
  static let saltByteCount = 16
  static let nonceByteCount = 24
  static let tagByteCount = 16
  static let keyByteCount = 32
  static let checksumByteCount = 32

  /// Chooses the library's implementations, once; the runtime guards the first access.
  static let isReady: Bool = sodium_init() >= 0

  /// The version of the library that is linked.
  static var version: String {
    guard let text = unsafe sodium_version_string() else { return "unknown" }
    return unsafe String(cString: text)
  }

  /// Random bytes of the system.
  static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe bytes.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      unsafe randombytes_buf(base, memory.count)
    }
    return bytes
  }

  /// BLAKE2b without a key: tells accidents, not attackers.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: checksumByteCount)
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe _ = crypto_generichash(
        &sum,
        sum.count,
        input.baseAddress,
        UInt64(input.count),
        nil,
        0
      )
    }
    return sum
  }
}

/// A key of 32 bytes in memory of its own: between guard pages, kept out of swap as far as the
/// limit of the process allows, readable only while it is used, wiped at the end.
@safe
final class GuardedKeyHandle {
  private let memory: UnsafeMutableRawPointer

  private init?() {
    guard Sodium.isReady, let memory = unsafe sodium_malloc(Sodium.keyByteCount) else { return nil }
    unsafe self.memory = memory
  }

  deinit { unsafe sodium_free(memory) }

  /// A random key; nil when there is no memory.
  static func random() -> GuardedKeyHandle? {
    guard let key = GuardedKeyHandle() else { return nil }
    unsafe randombytes_buf(key.memory, Sodium.keyByteCount)
    key.close()
    return key
  }

  /// The key of a passphrase (Argon2id); nil when the memory that it takes is not there.
  static func derive(
    from passphrase: SecretBytes,
    salt: [UInt8],
    cost: SealCost
  ) -> GuardedKeyHandle? {
    guard salt.count == Sodium.saltByteCount, let key = GuardedKeyHandle() else { return nil }
    let result = unsafe passphrase.withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe crypto_pwhash_argon2id(
        key.memory.assumingMemoryBound(to: UInt8.self),
        UInt64(Sodium.keyByteCount),
        start.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count),
        salt,
        UInt64(cost.passes),
        cost.byteCount,
        crypto_pwhash_argon2id_alg_argon2id13()
      )
    }
    guard result == 0 else { return nil }
    key.close()
    return key
  }

  /// Seals another key under this one.
  func wrap(_ inner: GuardedKeyHandle, nonce: [UInt8], header: ArraySlice<UInt8>) -> [UInt8]? {
    inner.open()
    defer { inner.close() }
    let plain = unsafe UnsafeRawBufferPointer(start: inner.memory, count: Sodium.keyByteCount)
    return unsafe seal(plain, nonce: nonce, header: header)
  }

  /// Opens a key that was sealed under this one; nil when it was not, or not with this header.
  func unwrap(
    _ sealed: ArraySlice<UInt8>,
    nonce: [UInt8],
    header: ArraySlice<UInt8>
  ) -> GuardedKeyHandle? {
    guard let inner = GuardedKeyHandle() else { return nil }
    let target = unsafe UnsafeMutableRawBufferPointer(
      start: inner.memory,
      count: Sodium.keyByteCount
    )
    guard unsafe open(sealed, nonce: nonce, header: header, into: target) else { return nil }
    inner.close()
    return inner
  }

  /// Seals a text; the header is authenticated with it.
  func seal(_ text: SecretBytes, nonce: [UInt8], header: ArraySlice<UInt8>) -> [UInt8]? {
    unsafe text.withUnsafeBytes { unsafe seal($0, nonce: nonce, header: header) }
  }

  /// Opens a text; nil when it, the header or the nonce is not what was sealed.
  func open(
    _ sealed: ArraySlice<UInt8>,
    nonce: [UInt8],
    header: ArraySlice<UInt8>
  ) -> SecretBytes? {
    guard sealed.count >= Sodium.tagByteCount else { return nil }
    var isGenuine = false
    let text = unsafe SecretBytes(count: sealed.count - Sodium.tagByteCount) { memory in
      isGenuine = unsafe open(sealed, nonce: nonce, header: header, into: memory)
      return memory.count
    }
    return isGenuine ? text : nil
  }

  private func seal(
    _ text: UnsafeRawBufferPointer,
    nonce: [UInt8],
    header: ArraySlice<UInt8>
  ) -> [UInt8]? {
    guard nonce.count == Sodium.nonceByteCount else { return nil }
    open()
    defer { close() }
    var sealed = [UInt8](repeating: 0, count: text.count + Sodium.tagByteCount)
    var count: UInt64 = 0
    let result = unsafe header.withUnsafeBufferPointer { header in
      unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
        &sealed,
        &count,
        text.baseAddress?.assumingMemoryBound(to: UInt8.self),
        UInt64(text.count),
        header.baseAddress,
        UInt64(header.count),
        nil,
        nonce,
        memory.assumingMemoryBound(to: UInt8.self)
      )
    }
    return result == 0 && count == UInt64(sealed.count) ? sealed : nil
  }

  private func open(
    _ sealed: ArraySlice<UInt8>,
    nonce: [UInt8],
    header: ArraySlice<UInt8>,
    into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard nonce.count == Sodium.nonceByteCount,
      sealed.count == target.count + Sodium.tagByteCount
    else { return false }
    open()
    defer { close() }
    return unsafe sealed.withUnsafeBufferPointer { sealed in
      unsafe header.withUnsafeBufferPointer { header in
        guard let text = sealed.baseAddress else { return false }
        var count: UInt64 = 0
        return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          target.baseAddress?.assumingMemoryBound(to: UInt8.self),
          &count,
          nil,
          text,
          UInt64(sealed.count),
          header.baseAddress,
          UInt64(header.count),
          nonce,
          memory.assumingMemoryBound(to: UInt8.self)
        ) == 0
      }
    }
  }

  private func open() { unsafe _ = sodium_mprotect_readonly(memory) }
  private func close() { unsafe _ = sodium_mprotect_noaccess(memory) }
}
