internal import TermindDomain

/// What a listing is sorted by.
public enum FileSort: String, Hashable, Sendable, CaseIterable {
  /// By name, as people read it.
  case name
  /// By size; directories among themselves by name.
  case size
  /// By the time of the last change.
  case time
  /// By what stands behind the last full stop of the name.
  case kind

  /// The next one in turn.
  public var next: FileSort {
    let all = Self.allCases
    let place = all.firstIndex(of: self) ?? 0
    return all[(place + 1) % all.count]
  }

  /// Whether people want the largest or latest first.
  public var startsDescending: Bool { self == .size || self == .time }
}

/// How a listing is sorted; directories always stand before everything else.
public struct FileOrder: Hashable, Sendable {
  /// By what.
  public var sort: FileSort
  /// Whether the largest, latest or last is the first.
  public var isDescending: Bool

  /// Makes an order.
  public init(_ sort: FileSort = .name, isDescending: Bool = false) {
    self.sort = sort
    self.isDescending = isDescending
  }

  /// Whether one row stands before another; a total order, since names are unique.
  func precedes(_ left: FileRow, _ right: FileRow) -> Bool {
    if left.isDirectory != right.isDirectory { return left.isDirectory }
    switch compared(left, right) {
    case .some(let isBefore): return isBefore != isDescending
    case nil: return left.isNamedBefore(right) != (isDescending && sort == .name)
    }
  }

  /// Whether the left one is smaller by the main criterion; nil when that does not tell them apart.
  private func compared(_ left: FileRow, _ right: FileRow) -> Bool? {
    switch sort {
    case .name: return nil
    case .size:
      guard !left.isDirectory else { return nil }
      let sizes = (left.entry.attributes.size ?? 0, right.entry.attributes.size ?? 0)
      return sizes.0 == sizes.1 ? nil : sizes.0 < sizes.1
    case .time:
      let none = FileTime(seconds: .min)
      let times = (
        left.entry.attributes.modified ?? none, right.entry.attributes.modified ?? none
      )
      return times.0 == times.1 ? nil : times.0 < times.1
    case .kind:
      let endings = (left.entry.name.pathExtension, right.entry.name.pathExtension)
      return endings.0 == endings.1 ? nil : endings.0.lexicographicallyPrecedes(endings.1)
    }
  }
}
