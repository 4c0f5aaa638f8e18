public import TermindDomain

/// What a search for names has found so far.
public struct FileSearchResult: Hashable, Sendable {
  /// Where the names are.
  public var paths: [RemotePath] = []
  /// How many entries were looked at.
  public var seen: UInt64 = 0
  /// What could not be looked into.
  public var failures: [FileError] = []
  /// Whether there may be more than was kept, or it was stopped.
  public var isCut = false

  /// Nothing was found yet.
  public init() {}
}

extension FileTreeWalk {
  /// Finds names in a directory and all directories below it; links are not followed.
  ///
  /// The nearer directories come first. Cancelling the task ends it with what was found.
  /// - Parameters:
  ///   - pattern: What to find; a text without `*`, `?` and `[` may stand anywhere in the name.
  ///   - directory: Where to begin.
  ///   - files: Whose.
  ///   - limit: The most paths that are kept.
  ///   - tell: Takes what was found so far, after each directory.
  /// - Returns: What was found.
  @concurrent
  public static func find(
    _ pattern: FilePattern,
    in directory: RemotePath,
    of files: any RemoteFileSystem,
    limit: Int = 2_000,
    tell: @Sendable (FileSearchResult) async -> Void
  ) async -> FileSearchResult {
    var result = FileSearchResult()
    var waiting = [directory]
    var next = 0
    while next < waiting.count {
      let place = waiting[next]
      next += 1
      do throws(FileError) {
        for entry in try await list(place, files) {
          let path = place.appending(entry.name)
          result.seen += 1
          if pattern.matches(entry.name) { result.paths.append(path) }
          if try await told(entry, path, files).attributes.kind == .directory {
            waiting.append(path)
          }
        }
      } catch {
        if error.isCancellation || error.endsConnection {
          result.isCut = true
          return result
        }
        if result.failures.count < failureLimit { result.failures.append(error.about(place)) }
      }
      guard result.paths.count < limit, !Task.isCancelled else {
        result.isCut = true
        return result
      }
      await tell(result)
    }
    return result
  }
}
