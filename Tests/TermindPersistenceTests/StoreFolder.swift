import FoundationEssentials
import TermindApplication

@testable import TermindPersistence

/// A directory of one test; it goes when the last store in it is done with.
final class StoreFolder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit {
    // What is left in the temporary directory does no harm.
    try? FileManager.default.removeItem(atPath: path)
  }

  var storePath: String { path + "/store.sqlite" }

  func open(
    plan: SchemaPlan = .current,
    busyTimeoutMilliseconds: Int32 = 20,
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) async throws(StoreError) -> SQLiteStore {
    try await SQLiteStore.open(
      StoreOpening(path: storePath, plan: plan, busyTimeoutMilliseconds: busyTimeoutMilliseconds),
      now: now
    )
  }

  func bytes(_ name: String = "store.sqlite") throws -> Data {
    try Data(contentsOf: URL(filePath: path + "/" + name))
  }

  func write(_ data: Data, to name: String = "store.sqlite") throws {
    try data.write(to: URL(filePath: path + "/" + name))
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// A second connection to the store file.
  func rawConnection(creating: Bool = false) throws -> Connection {
    try Connection(path: storePath, access: creating ? .creating : .existing)
  }

  /// The text of a file below `Fixtures`.
  static func fixture(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }
}

extension SQLiteStore {
  /// Runs statements without values and results.
  func execute(_ sql: String) throws(StoreError) { try database().execute(sql) }

  /// The first column of a query's rows as text.
  func texts(_ sql: String) throws(StoreError) -> [String] {
    try database().query(sql) { $0.text(0) }
  }
}
