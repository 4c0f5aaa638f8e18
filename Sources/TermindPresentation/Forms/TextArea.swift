public import TermindScreen

/// An editor for several lines of text, such as notes or a snippet.
///
/// Text that was not edited is given back exactly as it came, whatever its line ends. Every edit can be
/// undone; runs of typing are one step.
public struct TextArea: Hashable, Sendable {
  private struct Snapshot: Hashable, Sendable {
    var lines: [String]
    var line: Int
    var cursor: Int
  }

  /// The most characters that one line takes.
  public static let lineLimit = 65_536
  private static let undoLimit = 100

  /// The lines, without their ends.
  private var lines: [TextField]
  /// The line that the cursor is in, from zero.
  public private(set) var line = 0
  /// The first line that is shown.
  public private(set) var firstLine = 0
  private var past: [Snapshot] = []
  private var future: [Snapshot] = []
  private var isTyping = false

  /// Makes an editor with the cursor at the start.
  public init(_ text: String = "") {
    lines = Self.fields(text)
    lines[0].apply(.home)
  }

  /// The whole text; lines are joined by a line feed.
  public var text: String { lines.map(\.text).joined(separator: "\n") }

  /// Whether nothing is typed.
  public var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }

  /// How many lines there are, at least one.
  public var lineCount: Int { lines.count }

  /// The text of a line.
  public func text(line: Int) -> String { lines.indices.contains(line) ? lines[line].text : "" }

  /// The part of the cursor's line that fits a width, with the cursor in it.
  public func visible(width: Int) -> (text: String, cursorColumn: Int) {
    lines[line].visible(width: width)
  }

  /// Takes a key: enter breaks the line, up and down move by lines and leave at the ends.
  ///
  /// - Returns: Whether the key was meant for the text.
  public mutating func handle(_ event: KeyEvent) -> Bool {
    guard event.kind != .release else { return false }
    switch (event.code, event.modifiers.intersection([.control, .alt, .super])) {
    case (.enter, []), (.keypad(.enter), []): insert("\n")
    case (.up, []):
      guard line > 0 else { return false }
      move(toLine: line - 1)
    case (.down, []):
      guard line < lines.count - 1 else { return false }
      move(toLine: line + 1)
    case (.left, []) where lines[line].cursor == 0 && line > 0:
      line -= 1
      lines[line].apply(.end)
    case (.right, []) where isAtLineEnd && line < lines.count - 1:
      line += 1
      lines[line].apply(.home)
    default:
      guard let edit = TextField.Edit(event) else { return false }
      apply(edit)
    }
    return true
  }

  /// Does an edit of a line; removing over the end of a line joins it with its neighbour.
  public mutating func apply(_ edit: TextField.Edit) {
    switch edit {
    case .insert(let text): insert(text)
    case .undo: swap(from: \.past, to: \.future)
    case .redo: swap(from: \.future, to: \.past)
    case .deleteBackward where lines[line].cursor == 0,
      .deleteWordBackward where lines[line].cursor == 0:
      if line > 0 { join(line - 1) }
    case .deleteForward where isAtLineEnd, .deleteWordForward where isAtLineEnd,
      .deleteToEnd where isAtLineEnd:
      if line < lines.count - 1 { join(line) }
    case .left, .right, .wordLeft, .wordRight, .home, .end:
      isTyping = false
      lines[line].apply(edit)
    case .deleteBackward, .deleteForward, .deleteWordBackward, .deleteWordForward, .deleteToStart,
      .deleteToEnd:
      remember()
      lines[line].apply(edit)
    case .clear:
      remember()
      lines = [TextField(limit: Self.lineLimit)]
      line = 0
    }
  }

  /// Moves the cursor to a line, near the column where it stands.
  public mutating func move(toLine target: Int) {
    isTyping = false
    let column = lines[line].cursor
    line = min(max(target, 0), lines.count - 1)
    lines[line].apply(.home)
    for _ in 0..<column { lines[line].apply(.right) }
  }

  /// Scrolls so that the cursor's line is among some rows.
  public mutating func fit(rows: Int) {
    firstLine = min(firstLine, line, max(lines.count - rows, 0))
    firstLine = max(firstLine, line - max(rows, 1) + 1)
  }

  // MARK: - Edits

  private var isAtLineEnd: Bool {
    var probe = lines[line]
    probe.apply(.right)
    return probe.cursor == lines[line].cursor
  }

  private mutating func insert(_ typed: String) {
    // A paste ends its lines as the terminal likes; what is typed here ends them one way.
    let text = String(typed.map { $0.isNewline ? "\n" : $0 })
    let parts = Self.parts(text)
    guard !text.isEmpty else { return }
    let isOne = parts.count == 1 && text.count == 1 && text != " "
    if !isTyping || !isOne { remember() }
    isTyping = isOne
    guard parts.count > 1 else {
      lines[line].apply(.insert(text))
      return
    }
    var tail = lines[line]
    tail.apply(.deleteToStart)
    lines[line].apply(.deleteToEnd)
    lines[line].apply(.insert(parts[0]))
    var new = parts.dropFirst().map { TextField($0, limit: Self.lineLimit) }
    let last = new.count - 1
    new[last] = Self.field(new[last].text + tail.text, cursor: new[last].cursor)
    lines.insert(contentsOf: new, at: line + 1)
    line += new.count
  }

  /// Joins a line with the one below; the cursor stands where they meet.
  private mutating func join(_ upper: Int) {
    remember()
    let place = TextField(lines[upper].text, limit: Self.lineLimit).cursor
    lines[upper] = Self.field(lines[upper].text + lines[upper + 1].text, cursor: place)
    lines.remove(at: upper + 1)
    line = upper
  }

  private mutating func remember() {
    isTyping = false
    past.append(snapshot)
    if past.count > Self.undoLimit { past.removeFirst() }
    future = []
  }

  private var snapshot: Snapshot {
    Snapshot(lines: lines.map(\.text), line: line, cursor: lines[line].cursor)
  }

  private mutating func swap(
    from source: WritableKeyPath<TextArea, [Snapshot]>,
    to target: WritableKeyPath<TextArea, [Snapshot]>
  ) {
    isTyping = false
    guard let old = self[keyPath: source].popLast() else { return }
    self[keyPath: target].append(snapshot)
    lines = old.lines.map { TextField($0, limit: Self.lineLimit) }
    line = old.line
    lines[line] = Self.field(old.lines[line], cursor: old.cursor)
  }

  private static func field(_ text: String, cursor: Int) -> TextField {
    var field = TextField(text, limit: lineLimit)
    field.apply(.home)
    for _ in 0..<cursor { field.apply(.right) }
    return field
  }

  private static func fields(_ text: String) -> [TextField] {
    parts(text).map { TextField($0, limit: lineLimit) }
  }

  /// The lines of a text; only a line feed parts them, so that a carriage return stays where it is.
  private static func parts(_ text: String) -> [String] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String(String.UnicodeScalarView($0))
    }
  }
}
