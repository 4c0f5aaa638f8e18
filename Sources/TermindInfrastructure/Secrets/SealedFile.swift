internal import TermindApplication

/// The file of a sealed store: a whole file, whose failures are those of a secret store.
struct SealedFile {
  private let file: WholeFile

  /// Names the file.
  ///
  /// - Parameters:
  ///   - path: Where it lies.
  ///   - beforeRename: Called between the write of a new file and its renaming; tests end the process there.
  init(path: String, beforeRename: @escaping @Sendable () -> Void = {}) {
    file = WholeFile(path: path, beforeRename: beforeRename)
  }

  var path: String { file.path }
  var temporaryPath: String { file.temporaryPath }
  var lockPath: String { path + ".lock" }

  /// Reads the whole file, up to a limit of bytes; nil when there is none.
  func read(
    limit: Int
  ) throws(SecretStoreError) -> (bytes: [UInt8], identity: WholeFile.Identity)? {
    do throws(WholeFileError) { return try file.read(limit: limit) } catch {
      throw SecretStoreError(error)
    }
  }

  /// What stands at the path now; nil when nothing does.
  func identity() -> WholeFile.Identity? { file.identity() }

  /// Removes what an earlier process began to write; the lock must be held.
  func removeLeftOver() { file.removeLeftOver() }

  /// Puts bytes in the place of the file.
  ///
  /// - Parameter bytes: The new content.
  /// - Returns: The new file's identity.
  /// - Throws: `notWritable`; the old file is there as before.
  func replace(with bytes: [UInt8]) throws(SecretStoreError) -> WholeFile.Identity {
    do throws(WholeFileError) { return try file.replace(with: bytes) } catch {
      throw SecretStoreError(error)
    }
  }
}

extension SecretStoreError {
  fileprivate init(_ error: WholeFileError) {
    self =
      switch error {
      case .unsafeFile(let path, let reason): .unsafeFile(path: path, reason: reason)
      case .unreadable(let path, let diagnostic): .unreadable(path: path, diagnostic: diagnostic)
      case .notWritable(let path, let diagnostic): .notWritable(path: path, diagnostic: diagnostic)
      }
  }
}
