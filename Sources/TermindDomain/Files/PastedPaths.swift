/// Reads what terminals paste for files that are dropped on them: paths, escaped for a shell or as `file:` addresses.
public enum PastedPaths {
  /// The most paths that are taken for dropped files.
  public static let limit = 100

  /// Reads a paste.
  ///
  /// - Parameter bytes: The pasted text.
  /// - Returns: The paths; nil when there is anything in it that is no absolute path.
  public static func read(_ bytes: [UInt8]) -> [RemotePath]? {
    guard bytes.count <= 65_536, let words = words(bytes), !words.isEmpty, words.count <= limit
    else { return nil }
    var paths: [RemotePath] = []
    for word in words {
      guard let path = path(word) else { return nil }
      paths.append(path)
    }
    return paths
  }

  private static func path(_ word: [UInt8]) -> RemotePath? {
    let mark = Array("file://".utf8)
    var bytes = word
    if word.starts(with: mark) {
      // The host's name between both slashes is this machine's.
      let rest = word.dropFirst(mark.count)
      guard let slash = rest.firstIndex(of: 0x2F), let plain = unescaped(rest[slash...]) else {
        return nil
      }
      bytes = plain
    }
    guard let path = RemotePath(bytes), path.isAbsolute, !path.isRoot,
      !bytes.contains(where: { $0 < 0x20 })
    else { return nil }
    return path
  }

  /// Replaces `%20` and the like.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        result.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      result.append(value)
      rest.removeFirst(2)
    }
    return result
  }

  /// The words of a shell: quotes and backslashes are understood, nothing else means anything.
  private static func words(_ bytes: [UInt8]) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        word = (word ?? []) + [byte]
        isEscaped = false
      } else if byte == 0x5C, quote != 0x27 {
        isEscaped = true
      } else if let open = quote {
        if byte == open { quote = nil } else { word = (word ?? []) + [byte] }
      } else if byte == 0x27 || byte == 0x22 {
        quote = byte
        word = word ?? []
      } else if byte == 0x20 || byte == 0x0A || byte == 0x0D {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? []) + [byte]
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let done = word { words.append(done) }
    return words
  }
}
