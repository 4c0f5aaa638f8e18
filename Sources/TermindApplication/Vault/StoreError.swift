public import TermindDomain

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
  /// The file or its folder may not be written.
  case notWritable(path: String, diagnostic: String)
  /// There is no room left for what is to be written.
  case diskFull(path: String)
  /// There is no such record.
  case notFound
  /// Another record of the kind has the name; the text is the name.
  case nameTaken(VaultKind, String)
  /// A record names another one of this kind that is not there.
  case missingReference(VaultKind)
  /// A record of the batch is there already, and must not be overwritten.
  case alreadyThere(VaultReference)
  /// A rule of the schema was broken; the text names the column.
  case conflict(String)
  /// Anything else, with the engine's text for the log.
  case failed(diagnostic: String)
}
