public import TermindDomain

/// Why an edited list of names cannot be carried out.
public enum BatchRenameProblem: Error, Hashable, Sendable {
  /// There are more or fewer lines than names.
  case otherCount(names: Int, lines: Int)
  /// A line is no name; the first line is 1.
  case noName(line: Int, FileNameProblem)
  /// Two entries would have one name.
  case sameName(FileName)
  /// Another entry of the directory has the name already.
  case taken(FileName)
}

/// Many entries of one directory that get new names, in an order in which no name is ever taken.
public struct BatchRename: Hashable, Sendable {
  /// One change of a name.
  public struct Step: Hashable, Sendable {
    /// The name before.
    public let from: FileName
    /// The name after.
    public let to: FileName

    /// Makes a step.
    public init(from: FileName, to: FileName) {
      self.from = from
      self.to = to
    }
  }

  /// What is renamed to what, in the order of the list.
  public let changes: [Step]
  /// The steps that do it: names that are exchanged take a detour through a free name.
  public let steps: [Step]

  /// Reads an edited list.
  ///
  /// - Parameters:
  ///   - names: What was in the list, a line each.
  ///   - text: What is in it now; a newline at the end does not count.
  ///   - others: The other names of the directory.
  ///   - key: A number that makes the detour's names free.
  /// - Throws: Why it cannot be carried out.
  public init(
    _ names: [FileName],
    edited text: [UInt8],
    others: Set<FileName>,
    key: UInt64
  ) throws(BatchRenameProblem) {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == names.count else {
      throw .otherCount(names: names.count, lines: lines.count)
    }
    var known: Set<FileName> = []
    // A server may list a name twice; nobody can tell which of both is meant.
    for name in names where !known.insert(name).inserted { throw .sameName(name) }
    var changes: [Step] = []
    var wanted: Set<FileName> = []
    for (index, line) in lines.enumerated() {
      let name: FileName
      do throws(FileNameProblem) { name = try FileName(line) } catch {
        throw .noName(line: index + 1, error)
      }
      guard wanted.insert(name).inserted else { throw .sameName(name) }
      guard !others.contains(name) else { throw .taken(name) }
      if name != names[index] { changes.append(Step(from: names[index], to: name)) }
    }
    self.changes = changes
    steps = Self.ordered(changes, key: key)
  }

  /// Renames to free names first; what is left goes in circles, each of which is opened by a detour.
  private static func ordered(_ changes: [Step], key: UInt64) -> [Step] {
    var steps: [Step] = []
    var left = Dictionary(uniqueKeysWithValues: changes.map { ($0.from, $0.to) })
    /// Whose new name an entry still has.
    let waiting = Dictionary(uniqueKeysWithValues: changes.map { ($0.to, $0.from) })
    for change in changes where left[change.to] == nil {
      var from: FileName? = change.from
      // Each step frees the name that the next one waits for.
      while let name = from, let to = left.removeValue(forKey: name) {
        steps.append(Step(from: name, to: to))
        from = waiting[name]
      }
    }
    for change in changes where left[change.from] != nil {
      let detour = PartialName.make(for: change.from, key: key)
      steps.append(Step(from: change.from, to: detour))
      let end = left.removeValue(forKey: change.from)
      var from = waiting[change.from]
      while let name = from, let to = left.removeValue(forKey: name) {
        steps.append(Step(from: name, to: to))
        from = waiting[name]
      }
      if let end { steps.append(Step(from: detour, to: end)) }
    }
    return steps
  }
}
