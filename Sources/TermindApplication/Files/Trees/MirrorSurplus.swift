public import TermindDomain

/// What a mirror takes away from its target, found by a comparison.
public struct MirrorSurplus: Hashable, Sendable, Codable {
  /// Something in the target.
  public struct Entry: Hashable, Sendable, Codable {
    /// The names that lead to it from the top of the target.
    public let names: [FileName]
    /// What it was when it was compared.
    public let attributes: FileAttributes
  }

  /// What only the target has; nothing below it is among it.
  public private(set) var extras: [Entry] = []
  /// What stands where the source has something of another kind.
  public private(set) var obstacles: [Entry] = []
  /// Directories that go with all that is in them.
  private var covered: Set<[FileName]> = []

  /// Nothing.
  public init() {}

  /// Whether there is none.
  public var isEmpty: Bool { extras.isEmpty && obstacles.isEmpty }

  /// How much there is, directories counted as one.
  public var count: Int { extras.count + obstacles.count }

  /// Takes a difference.
  ///
  /// Those of a directory come before those in it. What a copy keeps beside its target stays.
  public mutating func take(_ difference: TreeDifference) {
    guard let name = difference.names.last, let attributes = difference.target else { return }
    let isCovered = covered.contains(Array(difference.names.dropLast()))
    switch difference.kind {
    case .onlyInTarget: if PartialName.isOurs(name), !isCovered { return }
    case .otherKind: break
    case .onlyInSource, .size, .time, .content, .link: return
    }
    if attributes.kind == .directory { covered.insert(difference.names) }
    guard !isCovered else { return }
    let entry = Entry(names: difference.names, attributes: attributes)
    if difference.kind == .otherKind { obstacles.append(entry) } else { extras.append(entry) }
  }
}

extension TreeDifference {
  /// The same difference, seen from the second tree.
  public var reversed: TreeDifference {
    let kind: Kind =
      switch kind {
      case .onlyInSource: .onlyInTarget
      case .onlyInTarget: .onlyInSource
      case .size, .time, .content, .link, .otherKind: kind
      }
    return TreeDifference(
      names: names,
      kind: kind,
      source: target,
      target: source,
      isObstructed: isObstructed
    )
  }
}
