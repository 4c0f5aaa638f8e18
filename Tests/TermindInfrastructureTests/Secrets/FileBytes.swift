// Bytes of files are read and written with FileManager, which FoundationEssentials has.
import FoundationEssentials

/// Whole files of a test.
enum FileBytes {
  static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }
}

extension [UInt8] {
  /// Whether the bytes of a text stand somewhere in these.
  func contains(_ text: String) -> Bool {
    let word = Array(text.utf8)
    return count >= word.count
      && indices.dropLast(word.count - 1).contains { self[$0...].starts(with: word) }
  }
}
