/// A place in a text of several lines.
struct TextPlace: Hashable, Sendable {
  /// The line, from zero.
  var line: Int
  /// The characters before it in the line.
  var cursor: Int
}

/// Lines that were put in place of others.
struct LinesChange: Hashable, Sendable {
  /// The first line.
  var start: Int
  /// The lines that were there.
  var old: [String]
  /// The lines that are there now.
  var new: [String]
  /// Where the cursor stood.
  var before: TextPlace
  /// Where the cursor stands now.
  var after: TextPlace
}

/// The edits of a text, to take them back and to do them again.
///
/// It keeps what each edit changed, not the text, and forgets the oldest edits when that becomes much.
struct TextHistory: Hashable, Sendable {
  /// One edit.
  enum Step: Hashable, Sendable {
    /// An edit within the line of a number.
    case line(Int, LineChange)
    /// An edit of whole lines.
    case lines(LinesChange)

    fileprivate var byteCount: Int {
      switch self {
      case .line(_, let change): change.byteCount
      case .lines(let change): (change.old + change.new).reduce(0) { $0 + $1.utf8.count + 16 }
      }
    }
  }

  private static let limit = 100
  /// The most bytes that the edits may keep; the last one stays in any case.
  private static let byteLimit = 4 << 20

  private var steps: [Step] = []
  private var sizes: [Int] = []
  private var undone: [Step] = []

  /// Remembers an edit; what was taken back before cannot be done again then.
  mutating func add(_ step: Step, joinsTyping: Bool) {
    undone = []
    if joinsTyping, case .line(let line, let change) = step,
      case .line(line, var last)? = steps.last, last.merge(change)
    {
      steps[steps.count - 1] = .line(line, last)
      return
    }
    steps.append(step)
    sizes.append(step.byteCount)
    var bytes = sizes.reduce(0, +)
    while steps.count > Self.limit || (bytes > Self.byteLimit && steps.count > 1) {
      steps.removeFirst()
      bytes -= sizes.removeFirst()
    }
  }

  /// The edit to take back; nil when there is none.
  mutating func undo() -> Step? {
    guard let step = steps.popLast() else { return nil }
    sizes.removeLast()
    undone.append(step)
    return step
  }

  /// The edit to do again; nil when there is none.
  mutating func redo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    steps.append(step)
    sizes.append(step.byteCount)
    return step
  }
}
