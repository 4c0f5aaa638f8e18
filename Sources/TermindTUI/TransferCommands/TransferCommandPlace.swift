import TermindDomain

/// One place of a transfer command: `host:path`, or a path of this machine.
public nonisolated struct TransferCommandPlace: Hashable, Sendable, Codable {
  /// The words that name the host; nil is this machine.
  public var host: String?
  /// The path by its bytes, as typed; none is the home directory of the account.
  public var path: [UInt8]

  /// Makes a place.
  public init(host: String? = nil, path: [UInt8]) {
    self.host = host
    self.path = path
  }

  /// Reads a word of the command line.
  ///
  /// A colon before the first slash ends a host; `./a:b` is a file. A host with a port, or an address of several colons, stands in
  /// brackets: `[user@host:2222]:path`, `[::1]:path`.
  /// - Parameter word: The bytes of the word.
  /// - Throws: Why it names no place.
  init(_ word: [UInt8]) throws(UsageError) {
    guard !word.isEmpty else { throw UsageError("an empty word is no file; write . or host:") }
    guard let colon = Self.colon(in: word), colon > 0 else {
      self.init(path: word)
      return
    }
    guard let typed = String(validating: word[..<colon], as: UTF8.self) else {
      throw UsageError(
        "the name of a host is no text; write ./ before a file whose name has a colon"
      )
    }
    let host = Self.unbracketed(typed)
    guard !host.isEmpty else { throw UsageError("there is no host before the colon") }
    self.init(host: host, path: Array(word[(colon + 1)...]))
  }

  private static func colon(in word: [UInt8]) -> Int? {
    var depth = 0
    for (place, byte) in word.enumerated() {
      switch byte {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "/") where depth == 0: return nil
      case UInt8(ascii: ":") where depth == 0: return place
      default: break
      }
    }
    return nil
  }

  /// The host without the brackets around it, unless they belong to an address.
  private static func unbracketed(_ host: String) -> String {
    guard host.hasPrefix("["), host.hasSuffix("]") else { return host }
    let inner = host.dropFirst().dropLast()
    let isAddress = inner.count { $0 == ":" } > 1 && !inner.contains { "@[]".contains($0) }
    return isAddress ? host : String(inner)
  }

  /// Whether only a directory can be meant.
  var isDirectory: Bool { path.last == UInt8(ascii: "/") }

  /// The path as file systems take it; nil when it holds a zero byte.
  var remotePath: RemotePath? {
    var bytes = path[...]
    if host != nil, bytes.first == UInt8(ascii: "~") {
      // An account starts in its home directory.
      if bytes.count == 1 { return .start }
      if bytes.dropFirst().first == UInt8(ascii: "/") { bytes = bytes.dropFirst(2) }
      while bytes.first == UInt8(ascii: "/") { bytes = bytes.dropFirst() }
    }
    return bytes.isEmpty ? .start : RemotePath(bytes)
  }

  /// The same place with a path of this machine from the root on.
  func absolute(in directory: [UInt8]) -> TransferCommandPlace {
    guard host == nil, path.first != UInt8(ascii: "/") else { return self }
    return TransferCommandPlace(path: directory + [UInt8(ascii: "/")] + path)
  }
}
