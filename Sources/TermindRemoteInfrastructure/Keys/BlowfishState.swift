internal import Glibc
internal import TermindDomain

/// Blowfish's subkeys and S-boxes while bcrypt mixes a key and a salt into them; wiped at the end.
///
/// libcrypto's Blowfish does not offer the salted key schedule that bcrypt is made of.
@safe
final class BlowfishState {
  private static let subkeyCount = 18
  private static let wordCount = 18 + 1024
  // Both are SHA-512 digests.
  private static let inputWordCount = 16

  // 18 subkeys, four boxes of 256 words, then key and salt. Plain memory, because the schedule runs
  // a million table look-ups a derivation.
  private let words: UnsafeMutablePointer<UInt32>
  private static let capacity = wordCount + 2 * inputWordCount

  /// Starts from the fixed state.
  ///
  /// - Parameters:
  ///   - key: 64 bytes.
  ///   - salt: 64 bytes.
  init(key: SecretBytes, salt: SecretBytes) {
    precondition(key.count == 4 * Self.inputWordCount && salt.count == 4 * Self.inputWordCount)
    unsafe words = .allocate(capacity: Self.capacity)
    unsafe words.initialize(repeating: 0, count: Self.capacity)
    for (place, word) in BlowfishTables.subkeys.enumerated() { unsafe words[place] = word }
    for (place, word) in BlowfishTables.boxes.enumerated() {
      unsafe words[Self.subkeyCount + place] = word
    }
    for place in 0..<(4 * Self.inputWordCount) {
      let target = Self.wordCount + place / 4
      unsafe words[target] = words[target] << 8 | UInt32(key[place])
      unsafe words[target + Self.inputWordCount] =
        words[target + Self.inputWordCount] << 8 | UInt32(salt[place])
    }
  }

  deinit {
    unsafe explicit_bzero(words, Self.capacity * 4)
    unsafe words.deallocate()
  }

  func encipher(_ left: UInt32, _ right: UInt32) -> (UInt32, UInt32) {
    unsafe Self.encipher(left, right, words)
  }

  /// The key schedule with the key, the salt running through the blocks.
  func expandSalted() {
    let input = Self.wordCount
    mixIn(input)
    var left: UInt32 = 0
    var right: UInt32 = 0
    for place in stride(from: 0, to: Self.wordCount, by: 2) {
      let salt = unsafe words + input + Self.inputWordCount + place % Self.inputWordCount
      unsafe (left, right) = Self.encipher(left ^ salt[0], right ^ salt[1], words)
      unsafe words[place] = left
      unsafe words[place + 1] = right
    }
  }

  /// The plain key schedule with the key.
  func expandWithKey() { expand(Self.wordCount) }

  /// The plain key schedule with the salt in the key's place.
  func expandWithSalt() { expand(Self.wordCount + Self.inputWordCount) }

  private func expand(_ input: Int) {
    mixIn(input)
    let words = unsafe words
    var left: UInt32 = 0
    var right: UInt32 = 0
    var place = 0
    while place < Self.wordCount {
      unsafe (left, right) = Self.encipher(left, right, words)
      unsafe words[place] = left
      unsafe words[place + 1] = right
      place += 2
    }
  }

  private func mixIn(_ input: Int) {
    for place in 0..<Self.subkeyCount {
      unsafe words[place] ^= words[input + place % Self.inputWordCount]
    }
  }

  @inline(__always)
  private static func encipher(
    _ left: UInt32,
    _ right: UInt32,
    _ words: UnsafeMutablePointer<UInt32>
  ) -> (UInt32, UInt32) {
    let boxes = unsafe words + subkeyCount
    var a = unsafe left ^ words[0]
    var b = right
    var round = 1
    while round < 17 {
      unsafe b ^= mix(a, boxes) ^ words[round]
      unsafe a ^= mix(b, boxes) ^ words[round + 1]
      round &+= 2
    }
    return unsafe (b ^ words[17], a)
  }

  @inline(__always)
  private static func mix(_ word: UInt32, _ boxes: UnsafeMutablePointer<UInt32>) -> UInt32 {
    let first = unsafe boxes[Int(truncatingIfNeeded: word &>> 24)]
    let second = unsafe boxes[256 &+ Int(truncatingIfNeeded: word &>> 16 & 0xff)]
    let third = unsafe boxes[512 &+ Int(truncatingIfNeeded: word &>> 8 & 0xff)]
    let fourth = unsafe boxes[768 &+ Int(truncatingIfNeeded: word & 0xff)]
    return ((first &+ second) ^ third) &+ fourth
  }
}
