import FoundationEssentials

/// The checkout that the tests run from.
enum Checkout {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Whether stale generated pages and goldens are rewritten instead of reported.
  static let records = ProcessInfo.processInfo.environment["TERMIND_RECORD"] == "1"

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  static func names(in folder: String) throws -> [String] {
    let place = root.appending(path: folder).path
    return try FileManager.default.contentsOfDirectory(atPath: place)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  static func write(_ text: String, to path: String) throws {
    let place = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: place)
  }
}

/// A folder of its own for one test, removed at the end of it.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "termind-presentation-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  // A folder that stays behind in the temporary directory does no harm.
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
  }
}
