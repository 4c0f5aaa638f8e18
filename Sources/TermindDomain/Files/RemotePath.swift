/// A path of a file system by its bytes, absolute or relative to where the file system starts.
///
/// The same value serves servers and this machine. It never holds a zero byte; `.` and `..` are kept as they are, since
/// only the file system knows what stands behind a symbolic link.
public struct RemotePath: Hashable, Sendable {
  /// The bytes, without a slash at the end unless it is the root.
  public let bytes: [UInt8]

  /// Where the file system starts: the home directory of a server's account.
  public static let start = RemotePath(unchecked: [0x2E])
  /// The root.
  public static let root = RemotePath(unchecked: [0x2F])

  /// Takes a path.
  ///
  /// Slashes that follow a slash or stand at the end are left out.
  /// - Parameter bytes: The path; nil is returned for none and for one that holds a zero byte.
  public init?(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for byte in bytes where byte != 0x2F || kept.last != 0x2F { kept.append(byte) }
    if kept.count > 1, kept.last == 0x2F { kept.removeLast() }
    self.bytes = kept
  }

  /// Takes a path that a person typed or a program told.
  public init?(_ text: String) { self.init(text.utf8) }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// Whether it starts at the root.
  public var isAbsolute: Bool { bytes.first == 0x2F }
  /// Whether it is the root itself.
  public var isRoot: Bool { bytes == [0x2F] }
  /// The path for people; see `PathText`.
  public var text: String { PathText.safe(bytes[...]) }

  /// The path of an entry of this directory.
  public func appending(_ name: FileName) -> RemotePath {
    if self == .start { return RemotePath(unchecked: name.bytes) }
    return RemotePath(unchecked: isRoot ? bytes + name.bytes : bytes + [0x2F] + name.bytes)
  }

  /// The path of an entry some levels below this directory.
  public func appending(_ names: [FileName]) -> RemotePath {
    names.reduce(self) { $0.appending($1) }
  }

  /// The directory that holds it; nil for the root and where the file system starts.
  public var parent: RemotePath? {
    guard !isRoot, self != .start else { return nil }
    guard let slash = bytes.lastIndex(of: 0x2F) else { return .start }
    return slash == 0 ? .root : RemotePath(unchecked: Array(bytes[..<slash]))
  }

  /// The last name; nil for the root, `.` and a path that ends in `..`.
  public var name: FileName? {
    let last = bytes.lastIndex(of: 0x2F).map { bytes[($0 + 1)...] } ?? bytes[...]
    // A path's last component may be no name (`..`): the caller gets nil.
    return try? FileName(last)
  }

  /// The components, `.` and `..` included, without the root.
  public var components: [[UInt8]] {
    bytes.split(separator: 0x2F).map(Array.init)
  }

  /// Whether `other` is this path or lies below it, by bytes.
  ///
  /// Both should have been resolved by the file system before, or links hide the truth.
  public func contains(_ other: RemotePath) -> Bool {
    if self == other { return true }
    if isRoot { return other.isAbsolute }
    return other.bytes.count > bytes.count && other.bytes.starts(with: bytes)
      && other.bytes[bytes.count] == 0x2F
  }

  /// The names that lead from this directory to a path below it; nil when it is not below.
  public func names(to other: RemotePath) -> [FileName]? {
    guard contains(other) else { return nil }
    var names: [FileName] = []
    for part in other.components.dropFirst(components.count) {
      // `..` below a directory leads out of it: there is no such chain of names.
      guard let name = try? FileName(part) else { return nil }
      names.append(name)
    }
    return names
  }
}

extension RemotePath: Comparable {
  /// Orders by bytes.
  public static func < (left: RemotePath, right: RemotePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension RemotePath: CustomStringConvertible {
  /// The path for people.
  public var description: String { text }
}

extension FileName: CustomStringConvertible {
  /// The name for people.
  public var description: String { text }
}

extension RemotePath: Codable {
  /// Reads the bytes; what can be no path is refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let path = RemotePath(try container.decode([UInt8].self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no path")
    }
    self = path
  }

  /// Writes the bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes)
  }
}
