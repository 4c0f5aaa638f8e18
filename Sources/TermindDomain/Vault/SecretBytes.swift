internal import Glibc

/// Bytes that nobody else may see: a password, a passphrase, or a private key.
///
/// The memory never moves and is never shared with an array; it is wiped when the last reference
/// goes. Printing, interpolating or dumping it shows dots.
@safe
public final class SecretBytes: Sendable {
  /// How many bytes it holds.
  public let count: Int

  // The address of `capacity` bytes that this object alone owns. They are written by the
  // initialisers only, so that several threads may read them at once.
  private let address: UInt
  private let capacity: Int

  /// Makes a buffer of `count` bytes and lets `fill` write it.
  ///
  /// - Parameters:
  ///   - count: How many bytes to reserve; they are zero at first.
  ///   - fill: Writes the bytes and returns how many are meant, at most `count`.
  public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
    let limit = Swift.max(count, 0)
    capacity = Swift.max(count, 1)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    address = UInt(bitPattern: memory.baseAddress)
    let used = unsafe fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<limit]))
    self.count = Swift.min(Swift.max(used, 0), limit)
  }

  /// Copies bytes.
  public convenience init(_ bytes: some Collection<UInt8>) {
    unsafe self.init(count: bytes.count) { memory in
      unsafe memory.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// Copies an array and wipes it, when no other copy of it exists.
  public convenience init(wiping bytes: inout [UInt8]) {
    self.init(bytes)
    Self.wipe(&bytes)
  }

  /// Joins secrets in order, without a copy of them anywhere else.
  public convenience init(joining parts: [SecretBytes]) {
    let total = parts.reduce(0) { $0 + $1.count }
    unsafe self.init(count: total) { memory in
      var place = 0
      for part in parts {
        unsafe part.withUnsafeBytes { bytes in
          unsafe UnsafeMutableRawBufferPointer(rebasing: memory[place...]).copyMemory(from: bytes)
        }
        place += part.count
      }
      return place
    }
  }

  deinit {
    guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
    unsafe explicit_bzero(memory, capacity)
    unsafe memory.deallocate()
  }

  /// Writes zeros over an array and empties it; other copies of it keep their bytes.
  public static func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { memory in
      if let base = memory.baseAddress { unsafe explicit_bzero(base, memory.count) }
    }
    bytes = []
  }

  /// Whether it holds nothing.
  public var isEmpty: Bool { count == 0 }

  /// Gives the bytes to `body`; the pointer is valid during the call only.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    let start = unsafe UnsafeRawPointer(bitPattern: address)
    return unsafe try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The byte at a zero-based place below `count`.
  public subscript(place: Int) -> UInt8 {
    precondition(place >= 0 && place < count)
    return unsafe withUnsafeBytes { unsafe $0[place] }
  }

  /// A copy of a range, itself secret.
  public func slice(_ range: Range<Int>) -> SecretBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe withUnsafeBytes { bytes in
      unsafe SecretBytes(count: range.count) { memory in
        unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
        return range.count
      }
    }
  }

  /// A plain copy, for a library call that takes an array; it is not wiped.
  public func copyBytes() -> [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }

  /// Compares in a time that depends only on the lengths.
  public func matches(_ other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        var difference: UInt8 = 0
        for place in 0..<count { difference |= unsafe left[place] ^ right[place] }
        return difference == 0
      }
    }
  }
}

extension SecretBytes: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of bytes.
  public var endIndex: Int { count }
}

extension SecretBytes: Hashable {
  /// Compares as `matches` does.
  public static func == (left: SecretBytes, right: SecretBytes) -> Bool { left.matches(right) }

  /// Feeds the length only; a table of secrets is nothing to be fast at.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Dots, as many for every secret.
  public var description: String { "•••" }
  /// Dots, as many for every secret.
  public var debugDescription: String { "•••" }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
