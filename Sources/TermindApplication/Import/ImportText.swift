/// Text of a foreign file, whatever encoding it has.
enum ImportText {
  /// The most bytes of one file.
  static let limit = 16 << 20

  /// Decodes UTF-8 with or without its mark, and UTF-16 with it.
  static func decode(_ bytes: [UInt8]) throws(ImportTextError) -> String {
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, high: 1) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, high: 0) }
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard let text = String(validating: rest, as: UTF8.self) else { throw .encoding }
    return text
  }

  /// Decodes units of two bytes; `high` is the place of the one that counts more.
  private static func utf16(_ bytes: [UInt8], high: Int) throws(ImportTextError) -> String {
    guard bytes.count.isMultiple(of: 2) else { throw .encoding }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2 - 1)
    for index in stride(from: 2, to: bytes.count, by: 2) {
      units.append(UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high]))
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw .encoding }
    return text
  }

  /// The lines without their ends; a last empty one does not count.
  static func lines(_ text: String) -> [Substring] {
    var lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      Substring(line.last == "\r" ? line.dropLast() : line)
    }
  }
}
