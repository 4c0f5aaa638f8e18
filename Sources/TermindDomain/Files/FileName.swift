/// Why bytes that a directory listing holds are no name.
public enum FileNameProblem: Error, Hashable, Sendable {
  /// There are no bytes.
  case empty
  /// The directory itself or its parent (`.`, `..`).
  case reserved
  /// A slash, which would lead somewhere else.
  case separator
  /// A zero byte, at which the system would cut the name.
  case zeroByte
}

/// The name of one entry of a directory: its exact bytes, never a path.
///
/// Names come from servers. Whatever could lead out of the directory in which it was listed is refused here, so that
/// nothing above has to ask again.
public struct FileName: Hashable, Sendable {
  /// The bytes, as the server gave them; probably UTF-8.
  public let bytes: [UInt8]

  /// Takes the bytes of a listed name.
  ///
  /// - Parameter bytes: As listed.
  /// - Throws: Why they cannot be a name.
  public init(_ bytes: some Collection<UInt8>) throws(FileNameProblem) {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { throw .empty }
    guard !bytes.contains(0x2F) else { throw .separator }
    guard !bytes.contains(0) else { throw .zeroByte }
    guard bytes != [0x2E], bytes != [0x2E, 0x2E] else { throw .reserved }
    self.bytes = bytes
  }

  /// Takes a name that a person typed.
  public init(_ text: String) throws(FileNameProblem) {
    try self.init(text.utf8)
  }

  /// The name for people: what is no text, or would not be seen, is written as a number.
  public var text: String { PathText.safe(bytes[...]) }

  /// Whether listings leave it out by habit.
  public var isHidden: Bool { bytes.first == 0x2E }

  /// The bytes behind the last full stop, in lower case, when something stands before it.
  public var pathExtension: [UInt8] {
    guard let stop = bytes.lastIndex(of: 0x2E), stop > 0, stop + 1 < bytes.count else { return [] }
    return bytes[(stop + 1)...].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  /// Whether the file system of a person's machine may take both for one name.
  ///
  /// Compares without case, and only ASCII; used to warn, never to join.
  public func isAlike(_ other: FileName) -> Bool {
    bytes.count == other.bytes.count
      && zip(bytes, other.bytes).allSatisfy { Self.lower($0) == Self.lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}

extension FileName: Codable {
  /// Reads the bytes; what can be no name is refused.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode([UInt8].self))
  }

  /// Writes the bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes)
  }
}

extension FileName: Comparable {
  /// Orders by bytes.
  public static func < (left: FileName, right: FileName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
