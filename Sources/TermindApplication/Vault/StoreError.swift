/// Why the store could not do what was asked; nothing was changed.
public enum StoreError: Error, Hashable, Sendable {
  /// The file cannot be opened or created.
  case cannotOpen(path: String, diagnostic: String)
  /// The file is no database, or fails its integrity check.
  case corrupt(path: String, diagnostic: String)
  /// A newer version of the program wrote it.
  case newerSchema(path: String, found: Int, supported: Int)
  /// Another process holds it.
  case locked(path: String)
  /// The disk is full or the file may not be written.
  case notWritable(path: String, diagnostic: String)
  /// There is no such record.
  case notFound
  /// A rule of the schema was broken, such as a second host of the same name.
  case conflict(String)
  /// Anything else, with the engine's text for the log.
  case failed(diagnostic: String)
}
