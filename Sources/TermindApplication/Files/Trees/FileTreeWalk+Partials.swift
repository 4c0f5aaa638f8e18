public import TermindDomain

extension FileTreeWalk {
  /// Removes what the copies of one transfer left under temporary names.
  ///
  /// - Parameters:
  ///   - series: By what the names of the transfer are known.
  ///   - directory: Where they are looked for; that nothing is there is no failure.
  ///   - isDeep: Whether all directories below it are looked into; links are not followed.
  ///   - files: Whose.
  /// - Returns: What could not be looked into or removed.
  @concurrent
  public static func removePartials(
    of series: PartialSeries,
    in directory: RemotePath,
    isDeep: Bool,
    of files: any RemoteFileSystem
  ) async -> [FileError] {
    var failures: [FileError] = []
    var waiting = [(path: directory, depth: 0)]
    func fail(_ error: FileError, _ path: RemotePath) {
      // What is gone is gone.
      guard error.reason != .notFound, error.reason != .notDirectory else { return }
      if failures.count < failureLimit { failures.append(error.about(path)) }
    }
    while let (place, depth) = waiting.popLast(), !Task.isCancelled {
      do throws(FileError) {
        for entry in try await list(place, files) {
          let path = place.appending(entry.name)
          if PartialName.series(of: entry.name) == series {
            do throws(FileError) { try await files.removeFile(path) } catch {
              if error.isCancellation || error.endsConnection { throw error }
              fail(error, path)
            }
          } else if isDeep, depth < depthLimit,
            try await told(entry, path, files).attributes.kind == .directory
          {
            waiting.append((path, depth + 1))
          }
        }
      } catch {
        fail(error, place)
        if error.isCancellation || error.endsConnection { break }
      }
    }
    return failures
  }
}
