public import TermindDomain

/// Expands paths with `*`, `?` and `[…]`, as a shell does on its own machine.
public enum FileGlob {
  /// The most paths that a pattern may stand for.
  public static let limit = 100_000

  /// The paths that a pattern stands for, in order of their names.
  ///
  /// What is there by exactly that name is meant itself. A name that starts with a full stop is found only by a pattern that
  /// does so, too.
  /// - Parameters:
  ///   - pattern: The path, with patterns in any of its components; relative to where the file system starts.
  ///   - files: Whose.
  /// - Returns: At least one path.
  /// - Throws: `notFound` when nothing matches; `failed` for more than `limit` paths; why a directory cannot be listed.
  public static func expand(
    _ pattern: RemotePath,
    of files: any RemoteFileSystem
  ) async throws(FileError) -> [RemotePath] {
    guard FilePattern.isMagic(pattern.bytes) else { return [pattern] }
    do throws(FileError) {
      _ = try await files.attributes(of: pattern, followingLinks: false)
      return [pattern]
    } catch {
      switch error.reason {
      case .notFound, .notDirectory, .badName, .failed: break
      default: throw error
      }
    }
    var found: [RemotePath] = [pattern.isAbsolute ? .root : .start]
    let parts = pattern.components
    for (index, part) in parts.enumerated() {
      found = try await step(part, from: found, isLast: index == parts.count - 1, files)
      if found.isEmpty { throw FileError(.notFound, path: pattern, text: "nothing matches") }
    }
    return found
  }

  private static func step(
    _ part: [UInt8],
    from places: [RemotePath],
    isLast: Bool,
    _ files: any RemoteFileSystem
  ) async throws(FileError) -> [RemotePath] {
    var next: [RemotePath] = []
    let isPattern = part.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B }
    for place in places {
      guard isPattern else {
        let path = joined(place, FilePattern.literal(part))
        // Only what is there counts; a failure that ends everything shows in the next step.
        guard let path, await isThere(path, files) else { continue }
        next.append(path)
        continue
      }
      next += try await matches(part, in: place, isLast: isLast, files)
      guard next.count <= limit else {
        throw FileError(.failed, path: place, text: "more than \(limit) names match")
      }
    }
    return next
  }

  private static func joined(_ place: RemotePath, _ part: [UInt8]) -> RemotePath? {
    if place == .start { return RemotePath(part) }
    return RemotePath(place.bytes + [0x2F] + part)
  }

  private static func isThere(_ path: RemotePath, _ files: any RemoteFileSystem) async -> Bool {
    // What cannot be looked at does not match.
    (try? await files.attributes(of: path, followingLinks: false)) != nil
  }

  private static func matches(
    _ part: [UInt8],
    in place: RemotePath,
    isLast: Bool,
    _ files: any RemoteFileSystem
  ) async throws(FileError) -> [RemotePath] {
    let pattern = FilePattern(part)
    let entries: [FileEntry]
    do throws(FileError) { entries = try await FileTreeWalk.list(place, files) } catch {
      // On the way down, what is no directory has nothing in it.
      if error.reason == .notDirectory { return [] }
      throw error.about(place)
    }
    let names = entries.filter { entry in
      guard entry.name.isHidden == (part.first == 0x2E), pattern.matches(entry.name) else {
        return false
      }
      return isLast || entry.attributes.kind != .regular
    }
    return names.map(\.name).sorted().map { place.appending($0) }
  }
}
