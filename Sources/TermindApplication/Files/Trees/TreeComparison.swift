public import TermindDomain

/// One thing in which two trees differ.
public struct TreeDifference: Hashable, Sendable {
  /// How they differ.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Only the first tree has it.
    case onlyInSource
    /// Only the second has it; nothing below it is told.
    case onlyInTarget
    /// Both are files of different sizes.
    case size
    /// Both are files that were changed at different times.
    case time
    /// Both are files of one size with different bytes.
    case content
    /// Both are links that lead elsewhere.
    case link
    /// One is a directory, a file or a link, and the other is not.
    case otherKind
  }

  /// The names that lead to it from the top of either tree.
  public let names: [FileName]
  /// How.
  public let kind: Kind
  /// What the first tree has.
  public let source: FileAttributes?
  /// What the second tree has.
  public let target: FileAttributes?
  /// Whether it lies in a directory of the first tree where the second has something of another kind.
  public let isObstructed: Bool

  /// Makes a difference.
  public init(
    names: [FileName],
    kind: Kind,
    source: FileAttributes?,
    target: FileAttributes?,
    isObstructed: Bool = false
  ) {
    self.isObstructed = isObstructed
    self.names = names
    self.kind = kind
    self.source = source
    self.target = target
  }
}

/// How a comparison of two trees went.
public struct TreeComparisonSummary: Hashable, Sendable {
  /// Files and links that are the same.
  public var same: UInt64 = 0
  /// What differs.
  public var different: UInt64 = 0
  /// Pipes, sockets and devices, which are not compared.
  public var special: UInt64 = 0
  /// What could not be looked into; nothing is known of what is below.
  public var failures: [FileError] = []

  /// Nothing was compared yet.
  public init() {}
}

/// Compares two directories with everything below them, on any two file systems.
public enum TreeComparison {
  /// What makes files the same.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// Size and the second of the last change.
    case sizeAndTime
    /// Every byte.
    case contents
  }

  /// A pair of directories that is still to be looked at.
  private struct Level {
    let names: [FileName]
    /// Whether the second tree has it as well.
    let isInBoth: Bool
    /// Whether the second tree has something else in the place of it, or of a directory above.
    let isObstructed: Bool
  }

  /// Compares two directories; links are never followed.
  ///
  /// - Parameters:
  ///   - source: The first directory.
  ///   - target: The second one; one that is not there counts as empty.
  ///   - rule: What makes files the same.
  ///   - tell: Takes each difference, directories before what is in them.
  /// - Returns: How it went; what could not be looked into is among it.
  /// - Throws: `cancelled`, that a connection is gone, or that the first directory cannot be listed.
  @concurrent
  public static func run(
    _ source: FileLocation,
    _ target: FileLocation,
    by rule: Rule,
    tell: @Sendable (TreeDifference) async -> Void
  ) async throws(FileError) -> TreeComparisonSummary {
    var summary = TreeComparisonSummary()
    var levels = [Level(names: [], isInBoth: await isThere(target), isObstructed: false)]
    while let level = levels.popLast() {
      if Task.isCancelled { throw FileError(.cancelled, path: source.path) }
      let (from, to) = (source.appending(level.names), target.appending(level.names))
      do throws(FileError) {
        let first = try await FileTreeWalk.list(from.path, from.files)
        let second =
          level.isInBoth ? try await FileTreeWalk.list(to.path, to.files) : []
        let pairing = try await compare(
          first.sorted { $0.name < $1.name },
          second,
          from,
          to,
          rule,
          &summary
        )
        for difference in pairing.differences {
          let names = level.names + difference.names
          await tell(
            TreeDifference(
              names: names,
              kind: difference.kind,
              source: difference.source,
              target: difference.target,
              isObstructed: level.isObstructed
            )
          )
        }
        levels += pairing.below.reversed().map {
          Level(
            names: level.names + [$0.name],
            isInBoth: $0.target == .directory,
            isObstructed: level.isObstructed || $0.target.map { $0 != .directory } ?? false
          )
        }
      } catch {
        let isFatal = error.isCancellation || error.endsConnection || level.names.isEmpty
        if isFatal { throw error }
        if summary.failures.count < FileTreeWalk.failureLimit { summary.failures.append(error) }
      }
    }
    return summary
  }

  private static func isThere(_ location: FileLocation) async -> Bool {
    // What cannot be looked at shows when it is written.
    (try? await location.files.attributes(of: location.path, followingLinks: true)) != nil
  }

  /// What one pair of directories comes to.
  private struct Pairing {
    var differences: [TreeDifference] = []
    /// The directories of the first, with what the second has under the name.
    var below: [(name: FileName, target: FileKind?)] = []
  }

  private static func compare(
    _ first: [FileEntry],
    _ second: [FileEntry],
    _ from: FileLocation,
    _ to: FileLocation,
    _ rule: Rule,
    _ summary: inout TreeComparisonSummary
  ) async throws(FileError) -> Pairing {
    var pairing = Pairing()
    var others = Dictionary(second.map { ($0.name, $0.attributes) }) { first, _ in first }
    for entry in first {
      let (name, source) = (entry.name, try await kindTold(entry, from))
      let target = try await others.removeValue(forKey: name).told(name, to)
      if source.kind.isSpecial {
        summary.special += 1
        continue
      }
      if source.kind == .directory { pairing.below.append((name, target?.kind)) }
      let kind = try await difference(
        (from.appending(name), source),
        target.map { (to.appending(name), $0) },
        rule
      )
      if let kind {
        summary.different += 1
        pairing.differences.append(
          TreeDifference(names: [name], kind: kind, source: source, target: target)
        )
      } else if source.kind != .directory {
        summary.same += 1
      }
    }
    for (name, target) in others.sorted(by: { $0.key < $1.key }) {
      summary.different += 1
      pairing.differences.append(
        TreeDifference(names: [name], kind: .onlyInTarget, source: nil, target: target)
      )
    }
    return pairing
  }

  /// How an entry differs from the one of its name; nil when it does not.
  private static func difference(
    _ source: (location: FileLocation, attributes: FileAttributes),
    _ target: (location: FileLocation, attributes: FileAttributes)?,
    _ rule: Rule
  ) async throws(FileError) -> TreeDifference.Kind? {
    guard let target else { return .onlyInSource }
    guard source.attributes.kind == target.attributes.kind else { return .otherKind }
    switch source.attributes.kind {
    case .directory: return nil
    case .symbolicLink:
      let first = try await source.location.files.link(at: source.location.path)
      let second = try await target.location.files.link(at: target.location.path)
      return first.target == second.target ? nil : .link
    default: break
    }
    guard source.attributes.size == target.attributes.size else { return .size }
    switch rule {
    case .sizeAndTime:
      return ConflictRules.isAlike(source.attributes, target.attributes) ? nil : .time
    case .contents:
      return try await FileContents.areSame(source.location, target.location) ? nil : .content
    }
  }

  private static func kindTold(
    _ entry: FileEntry,
    _ directory: FileLocation
  ) async throws(FileError) -> FileAttributes {
    try await FileTreeWalk.told(entry, directory.path.appending(entry.name), directory.files)
      .attributes
  }
}

extension FileAttributes? {
  /// The attributes with their kind; asked for where the listing did not tell.
  fileprivate func told(
    _ name: FileName,
    _ directory: FileLocation
  ) async throws(FileError) -> FileAttributes? {
    guard let self else { return nil }
    let entry = FileEntry(name: name, attributes: self)
    return try await FileTreeWalk.told(entry, directory.path.appending(name), directory.files)
      .attributes
  }
}

extension FileLocation {
  /// The location some levels below this directory.
  public func appending(_ names: [FileName]) -> FileLocation {
    FileLocation(files, path.appending(names))
  }
}
