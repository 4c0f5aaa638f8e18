public import TermindScreen

/// An editor for several lines of text, such as notes or a snippet.
///
/// Text that was not edited is given back exactly as it came, whatever its line ends. Every edit can be
/// undone; runs of typing are one step. No edit looks at more than the lines that it changes.
public struct TextArea: Hashable, Sendable {
  /// The most bytes that typing and pasting make of a text when nothing else is said.
  public static let byteLimit = 262_144

  /// The most bytes that typing and pasting make of the text; one that is longer already is kept as it is.
  public let byteLimit: Int

  /// The lines, without their ends; the cursor's line is in `field` while it is edited.
  private var lines: [String]
  private var field: TextField
  private var isLineStale = false
  /// The line that the cursor is in, from zero.
  public private(set) var line = 0
  /// The first line that is shown.
  public private(set) var firstLine = 0
  /// The bytes of the whole text in UTF-8.
  public private(set) var byteCount: Int
  /// Counts up with every change of the text.
  public private(set) var revision = 0
  /// The lines that the last change replaced, and those that it put there.
  private(set) var lastChange = Replacement(old: 0..<0, new: 0..<0)
  /// How many characters of what was put in last had no room; zero after any other edit.
  public private(set) var leftOut = 0
  private var history = TextHistory()
  private var isTyping = false

  /// Lines that took the place of others.
  struct Replacement: Hashable, Sendable {
    /// Those that were there, by their numbers then.
    var old: Range<Int>
    /// Those that are there, by their numbers now.
    var new: Range<Int>
  }

  /// Makes an editor with the cursor at the start.
  public init(_ text: String = "", byteLimit: Int = Self.byteLimit) {
    self.byteLimit = byteLimit
    lines = Self.parts(text)
    byteCount = text.utf8.count
    field = TextField(lines[0], limit: .max)
    field.place(0)
  }

  /// The whole text; lines are joined by a line feed.
  public var text: String {
    EditingWork.note(byteCount)
    var all = lines
    if isLineStale { all[line] = field.text }
    return all.joined(separator: "\n")
  }

  /// Whether nothing is typed.
  public var isEmpty: Bool { byteCount == 0 }

  /// How many lines there are, at least one.
  public var lineCount: Int { lines.count }

  /// The text of a line.
  public func text(line number: Int) -> String {
    guard lines.indices.contains(number) else { return "" }
    return number == line && isLineStale ? field.text : lines[number]
  }

  /// The beginning of a line, enough to fill some columns.
  func start(ofLine number: Int, columns: Int) -> String {
    guard lines.indices.contains(number) else { return "" }
    // Marks without a width belong to the character before them, so there are no more characters than columns.
    if number == line && isLineStale { return field.start(columns + 1) }
    return String(lines[number].prefix(columns + 1))
  }

  /// The part of the cursor's line that fits a width, with the cursor in it.
  public func visible(width: Int) -> (text: String, cursorColumn: Int) {
    field.visible(width: width)
  }

  /// Whether another editor has the same text; told by the sizes first.
  func hasSameText(as other: TextArea) -> Bool {
    guard byteCount == other.byteCount, lineCount == other.lineCount else { return false }
    if !isLineStale, !other.isLineStale { return lines == other.lines }
    return lines.indices.allSatisfy { text(line: $0) == other.text(line: $0) }
  }

  /// Takes a key: enter breaks the line, up and down move by lines and leave at the ends.
  ///
  /// - Returns: Whether the key was meant for the text.
  public mutating func handle(_ event: KeyEvent) -> Bool {
    guard event.kind != .release else { return false }
    switch (event.code, event.modifiers.intersection([.control, .alt, .super])) {
    case (.enter, []), (.keypad(.enter), []): apply(.insert("\n"))
    case (.up, []):
      guard line > 0 else { return false }
      move(toLine: line - 1)
    case (.down, []):
      guard line < lines.count - 1 else { return false }
      move(toLine: line + 1)
    case (.left, []) where field.cursor == 0 && line > 0: go(to: line - 1, .max)
    case (.right, []) where isAtLineEnd && line < lines.count - 1: go(to: line + 1, 0)
    default:
      guard let edit = TextField.Edit(event) else { return false }
      apply(edit)
    }
    return true
  }

  /// Does an edit of a line; removing over the end of a line joins it with its neighbour.
  public mutating func apply(_ edit: TextField.Edit) {
    if case .insert(let text) = edit { return insert(text) }
    leftOut = 0
    isTyping = false
    switch edit {
    case .undo: if let step = history.undo() { take(step, isBack: true) }
    case .redo: if let step = history.redo() { take(step, isBack: false) }
    case .deleteBackward where field.cursor == 0, .deleteWordBackward where field.cursor == 0:
      if line > 0 { join(line - 1) }
    case .deleteForward where isAtLineEnd, .deleteWordForward where isAtLineEnd,
      .deleteToEnd where isAtLineEnd:
      if line < lines.count - 1 { join(line) }
    case .clear:
      settleLine()
      replace(0..<lines.count, with: [""], cursor: TextPlace(line: 0, cursor: 0))
    default: editLine(edit, joinsTyping: false)
    }
  }

  /// Moves the cursor to a line, near the column where it stands.
  public mutating func move(toLine target: Int) { go(to: target, field.cursor) }

  /// Scrolls so that the cursor's line is among some rows.
  public mutating func fit(rows: Int) {
    firstLine = min(firstLine, line, max(lines.count - rows, 0))
    firstLine = max(firstLine, line - max(rows, 1) + 1)
  }

  // MARK: - Edits

  private var isAtLineEnd: Bool { field.cursor == field.count }
  private var place: TextPlace { TextPlace(line: line, cursor: field.cursor) }

  private mutating func insert(_ typed: String) {
    // A paste ends its lines as the terminal likes; what is typed here ends them one way.
    let whole = String(typed.map { $0.isNewline ? "\n" : $0 })
    let text = fitting(whole)
    guard !text.isEmpty else { return isTyping = false }
    let parts = Self.parts(text)
    let isOne = parts.count == 1 && text.count == 1 && text != " "
    defer { isTyping = isOne }
    guard parts.count > 1 else {
      return editLine(.insert(text), joinsTyping: isTyping && isOne)
    }
    settleLine()
    var head = field
    _ = head.perform(.deleteToEnd)
    var tail = field
    _ = tail.perform(.deleteToStart)
    var new = parts
    new[0] = head.text + parts[0]
    let last = TextField(parts[parts.count - 1], limit: .max).count
    new[new.count - 1] += tail.text
    replace(
      line..<(line + 1),
      with: new,
      cursor: TextPlace(line: line + new.count - 1, cursor: last)
    )
  }

  /// What there is room for of a text; of a long paste the pieces behind the first one that does not fit
  /// whole are left out too, since what follows a gap is another text.
  private mutating func fitting(_ text: String) -> String {
    let room = max(byteLimit - byteCount, 0)
    let isPiece = leftOut > 0 && text.utf8.count > 4
    guard text.utf8.count > room || isPiece else {
      leftOut = 0
      return text
    }
    var kept = ""
    var bytes = 0
    for character in text where !isPiece {
      bytes += character.utf8.count
      guard bytes <= room else { break }
      kept.append(character)
    }
    leftOut += text.count - kept.count
    return kept
  }

  private mutating func editLine(_ edit: TextField.Edit, joinsTyping: Bool) {
    let bytes = field.byteCount
    guard let change = field.perform(edit) else { return }
    history.add(.line(line, change), joinsTyping: joinsTyping)
    adoptLine(bytes)
  }

  private mutating func adoptLine(_ bytesBefore: Int) {
    isLineStale = true
    byteCount += field.byteCount - bytesBefore
    revision += 1
    lastChange = Replacement(old: line..<(line + 1), new: line..<(line + 1))
  }

  /// Joins a line with the one below; the cursor stands where they meet.
  private mutating func join(_ upper: Int) {
    settleLine()
    let meeting = TextField(lines[upper], limit: .max).count
    let joined = lines[upper] + lines[upper + 1]
    replace(upper..<(upper + 2), with: [joined], cursor: TextPlace(line: upper, cursor: meeting))
  }

  /// Puts lines in place of others, as one step.
  private mutating func replace(_ range: Range<Int>, with new: [String], cursor: TextPlace) {
    let step = LinesChange(
      start: range.lowerBound,
      old: Array(lines[range]),
      new: new,
      before: place,
      after: cursor
    )
    history.add(.lines(step), joinsTyping: false)
    exchange(step.start, step.old, step.new, cursor)
  }

  private mutating func exchange(
    _ start: Int,
    _ old: [String],
    _ new: [String],
    _ cursor: TextPlace
  ) {
    lines.replaceSubrange(start..<(start + old.count), with: new)
    byteCount += Self.bytes(new) - Self.bytes(old)
    revision += 1
    lastChange = Replacement(
      old: start..<(start + old.count),
      new: start..<(start + new.count)
    )
    open(cursor)
  }

  private mutating func take(_ step: TextHistory.Step, isBack: Bool) {
    switch step {
    case .line(let number, let change):
      if number != line {
        settleLine()
        open(TextPlace(line: number, cursor: 0))
      }
      let bytes = field.byteCount
      if isBack { field.revert(change) } else { field.again(change) }
      adoptLine(bytes)
    case .lines(let change):
      settleLine()
      if isBack {
        exchange(change.start, change.new, change.old, change.before)
      } else {
        exchange(change.start, change.old, change.new, change.after)
      }
    }
  }

  // MARK: - Lines

  /// Goes to a place, as near as there is one.
  private mutating func go(to target: Int, _ cursor: Int) {
    isTyping = false
    settleLine()
    let target = min(max(target, 0), lines.count - 1)
    if target == line { return field.place(cursor) }
    open(TextPlace(line: target, cursor: cursor))
  }

  private mutating func open(_ place: TextPlace) {
    line = place.line
    field = TextField(lines[line], limit: .max)
    field.place(place.cursor)
    isLineStale = false
  }

  private mutating func settleLine() {
    guard isLineStale else { return }
    lines[line] = field.text
    isLineStale = false
  }

  private static func bytes(_ lines: [String]) -> Int {
    lines.reduce(lines.count) { $0 + $1.utf8.count }
  }

  /// The lines of a text; only a line feed parts them, so that a carriage return stays where it is.
  private static func parts(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }
}
