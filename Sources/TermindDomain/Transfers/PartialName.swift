/// What the temporary names of one transfer have in common, so that they are known after a crash.
public struct PartialSeries: Hashable, Sendable, Codable {
  /// Keys of a series differ in this many of their lowest bits.
  private static let width: UInt64 = 16
  private let number: UInt64

  /// Makes a series that no other transfer uses.
  public init() { number = .random(in: 0...(.max >> Self.width)) }

  /// The series of a key.
  init(of key: UInt64) { number = key >> Self.width }

  /// A key of it; each attempt at a file takes another one.
  public func key() -> UInt64 { number << Self.width | .random(in: 0..<(1 << Self.width)) }
}

/// Names that a copy uses beside its target.
public enum PartialName {
  private static let mark = Array(".termind-".utf8)

  /// The name of the file that becomes `name` in the end: hidden, and no other copy's.
  ///
  /// - Parameters:
  ///   - name: The target's name.
  ///   - key: A number that no other copy to that name uses.
  /// - Returns: A name of at most 255 bytes.
  public static func make(for name: FileName, key: UInt64) -> FileName {
    let digits = String(key, radix: 36)
    return named(name, Array("\(digits).part".utf8))
  }

  /// The name of the file that becomes `name` in the end, as one of a series.
  ///
  /// - Parameters:
  ///   - name: The target's name.
  ///   - series: The series; nil takes any key.
  /// - Returns: A name that no other copy to that name uses.
  public static func make(for name: FileName, in series: PartialSeries?) -> FileName {
    make(for: name, key: series?.key() ?? .random(in: 0 ... .max))
  }

  /// The series that the name of a temporary file belongs to; nil when it is no such name.
  public static func series(of name: FileName) -> PartialSeries? {
    guard isOurs(name) else { return nil }
    let text = String(decoding: name.bytes, as: UTF8.self)
    let tail = ".part"
    guard text.hasSuffix(tail),
      let dash = text.dropLast(tail.count).lastIndex(of: "-"),
      let key = UInt64(text.dropLast(tail.count)[text.index(after: dash)...], radix: 36)
    else { return nil }
    return PartialSeries(of: key)
  }

  /// The name under which an original waits while its place is taken.
  public static func backup(of name: FileName, key: UInt64) -> FileName {
    let digits = String(key, radix: 36)
    return named(name, Array("\(digits).old".utf8))
  }

  /// The name of an empty directory that shows for a moment whether two file systems are one: hidden, and nobody else's.
  public static func marker(key: UInt64) -> FileName? {
    try? FileName(mark + Array("\(String(key, radix: 36)).mark".utf8))
  }

  /// Whether a name is one that a copy left behind.
  public static func isOurs(_ name: FileName) -> Bool {
    let bytes = name.bytes
    guard bytes.first == 0x2E else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains(".termind-")
      && [".part", ".old", ".mark"].contains { text.hasSuffix($0) }
  }

  private static func named(_ name: FileName, _ tail: [UInt8]) -> FileName {
    let room = 255 - 1 - mark.count - tail.count
    // Half a character would be refused by some file systems.
    let kept =
      name.bytes.count <= room ? name.bytes[...] : ConflictRules.cut(name.bytes[...], to: room)
    // Starts with a full stop and holds no slash, as the name did not: it is always a name.
    return (try? FileName([0x2E] + kept + mark + tail)) ?? name
  }
}
