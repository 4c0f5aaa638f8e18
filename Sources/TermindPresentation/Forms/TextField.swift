public import TermindDomain
import TermindUnicode

/// An editor for one line of text, by what people see as characters.
///
/// The cursor stands between grapheme clusters. Every edit can be undone; runs of typing are one step. A
/// secret field shows dots and has no undo, no word movement that would show where blanks are, and no text:
/// what was typed stands in memory that is wiped, for `answer` alone.
public struct TextField: Hashable, Sendable {
  /// A movement or an edit.
  public enum Edit: Hashable, Sendable {
    /// Types text at the cursor; line ends become blanks.
    case insert(String)
    /// Moves by a character, a word, or to an end.
    case left, right, wordLeft, wordRight, home, end
    /// Removes a character before or at the cursor.
    case deleteBackward, deleteForward
    /// Removes a word before or behind the cursor.
    case deleteWordBackward, deleteWordForward
    /// Removes everything before or behind the cursor.
    case deleteToStart, deleteToEnd
    /// Takes the last change back, or makes it again.
    case undo, redo
    /// Removes everything.
    case clear
  }

  /// The most characters that a field takes when nothing else is said.
  public static let limit = 4_096
  private static let undoLimit = 200

  /// Whether the text is a secret.
  public let isSecret: Bool
  /// The most characters that it takes.
  public let limit: Int
  /// Whether a secret is drawn as it is, because the person wants to see it; it is kept as a secret all the same.
  public var isRevealed = false
  /// The characters; none of a secret.
  private var line: ClusterLine
  private var secret = SecretLine()
  /// The cursor, as a number of characters before it.
  public private(set) var cursor: Int
  /// How many characters had no room when text was put in last; zero after any other edit.
  public private(set) var leftOut = 0
  private var past: [LineChange] = []
  private var future: [LineChange] = []
  private var isTyping = false

  /// Makes a field with the cursor behind the text.
  public init(_ text: String = "", isSecret: Bool = false, limit: Int = Self.limit) {
    self.isSecret = isSecret
    self.limit = limit
    line = ClusterLine(isSecret ? "" : text, limit: limit)
    cursor = line.count
    if isSecret { cursor = secret.replace(0..<0, with: text, limit: limit) }
  }

  /// The number of characters.
  public var count: Int { isSecret ? secret.count : line.count }

  /// The text; empty for a secret.
  public var text: String {
    get { line.text }
    set { self = TextField(newValue, isSecret: isSecret, limit: limit) }
  }

  /// The bytes of the text in UTF-8; zero for a secret.
  var byteCount: Int { line.byteCount }

  /// The text as an answer to a server, in UTF-8.
  public var answer: SecretBytes {
    isSecret ? secret.bytes : SecretBytes(line.clusters.flatMap { Array($0.utf8) })
  }

  /// Whether nothing is typed.
  public var isEmpty: Bool { count == 0 }

  /// Does an edit.
  ///
  /// - Returns: Whether the text changed.
  @discardableResult
  public mutating func apply(_ edit: Edit) -> Bool {
    switch edit {
    case .undo, .redo:
      leftOut = 0
      isTyping = false
      return edit == .undo ? undo() : redo()
    default: break
    }
    if isSecret { return applyToSecret(edit) }
    let wasTyping = isTyping
    guard let change = perform(edit) else { return false }
    future = []
    if wasTyping, isTyping, change.new != [" "], !past.isEmpty,
      past[past.count - 1].merge(change)
    {
      return true
    }
    past.append(change)
    if past.count > Self.undoLimit { past.removeFirst() }
    return true
  }

  /// Does an edit without remembering it; undoing is the caller's matter.
  ///
  /// - Returns: What changed; nil when the text is as it was.
  mutating func perform(_ edit: Edit) -> LineChange? {
    if case .insert(let text) = edit { return insert(text) }
    leftOut = 0
    isTyping = false
    guard let range = range(of: edit) else { return nil }
    let place = cursor
    guard !range.isEmpty, var change = line.replace(range, with: "", cursor: place) else {
      return nil
    }
    // What stood on both sides may have joined to one character.
    cursor = min(range.lowerBound, count)
    change.cursorAfter = cursor
    return change
  }

  /// Moves for an edit that is a movement; what it removes otherwise.
  private mutating func range(of edit: Edit) -> Range<Int>? {
    let end = count
    switch edit {
    case .left: place(cursor - 1)
    case .right: place(cursor + 1)
    case .wordLeft: place(wordStart(before: cursor))
    case .wordRight: place(wordEnd(after: cursor))
    case .home: place(0)
    case .end: place(end)
    case .deleteBackward: return max(cursor - 1, 0)..<cursor
    case .deleteForward: return cursor..<min(cursor + 1, end)
    case .deleteWordBackward: return wordStart(before: cursor)..<cursor
    case .deleteWordForward: return cursor..<wordEnd(after: cursor)
    case .deleteToStart: return 0..<cursor
    case .deleteToEnd: return cursor..<end
    case .clear: return 0..<end
    case .insert, .undo, .redo: break
    }
    return nil
  }

  /// Puts the cursor to a place, as near as there is one.
  mutating func place(_ place: Int) {
    isTyping = false
    cursor = min(max(place, 0), count)
  }

  /// The part that fits a width, with the cursor in it.
  ///
  /// - Parameter width: Columns there are.
  /// - Returns: What to draw, and the cursor's column in it, below `width`.
  public func visible(width: Int) -> (text: String, cursorColumn: Int) {
    guard width > 0 else { return ("", 0) }
    var first = cursor
    var cursorColumn = 0
    // The cell under the cursor needs room of its own.
    while first > 0, cursorColumn + columns(first - 1) <= width - 1 {
      first -= 1
      cursorColumn += columns(first)
    }
    var last = cursor
    var used = cursorColumn
    while last < count, used + columns(last) <= width {
      used += columns(last)
      last += 1
    }
    let shown = last - first
    let text =
      isSecret
      ? isRevealed ? secret.string(first..<last) : String(repeating: "•", count: shown)
      : line.clusters[first..<last].joined()
    return (text, cursorColumn)
  }

  /// The first characters; none of a secret.
  func start(_ count: Int) -> String { line.clusters.prefix(count).joined() }

  private func columns(_ place: Int) -> Int {
    if isSecret, !isRevealed { return 1 }
    EditingWork.note(1)
    let cluster = isSecret ? secret.string(place..<place + 1) : line.clusters[place]
    return DisplayText(cluster).columns
  }

  // MARK: - Edits

  private mutating func insert(_ text: String) -> LineChange? {
    var flat = String(text.map { $0.isNewline ? " " : $0 })
    guard !flat.isEmpty else { return nil }
    let length = flat.count
    EditingWork.note(length)
    let room = length > 1 && leftOut > 0 ? 0 : max(limit - count, 0)
    if length > room {
      // The further pieces of a long paste come one by one; what follows a gap is not put in.
      leftOut += length - room
      flat = String(flat.prefix(room))
    } else {
      leftOut = 0
    }
    isTyping = length == 1
    guard !flat.isEmpty, let change = line.replace(cursor..<cursor, with: flat, cursor: cursor)
    else { return nil }
    cursor = change.cursorAfter
    return change
  }

  private mutating func applyToSecret(_ edit: Edit) -> Bool {
    let before = secret
    if case .insert(let text) = edit {
      let flat = String(text.map { $0.isNewline ? " " : $0 })
      let length = flat.count
      let old = secret.count
      cursor = secret.replace(cursor..<cursor, with: flat, limit: limit)
      let missing = length - (secret.count - old)
      leftOut = secret.count == limit && missing > 0 ? leftOut + missing : 0
    } else {
      leftOut = 0
      if let range = range(of: edit), !range.isEmpty {
        cursor = secret.replace(range, with: "", limit: limit)
      }
    }
    return before != secret
  }

  private mutating func undo() -> Bool {
    guard let change = past.popLast() else { return false }
    revert(change)
    future.append(change)
    return true
  }

  private mutating func redo() -> Bool {
    guard let change = future.popLast() else { return false }
    again(change)
    past.append(change)
    return true
  }

  /// Takes a change back that `perform` has told.
  mutating func revert(_ change: LineChange) {
    line.revert(change)
    place(change.cursorBefore)
  }

  /// Does a change again that was taken back.
  mutating func again(_ change: LineChange) {
    line.repeatChange(change)
    place(change.cursorAfter)
  }

  private func wordStart(before place: Int) -> Int {
    guard !isSecret else { return 0 }
    var place = place
    while place > 0, !isWord(place - 1) { place -= 1 }
    while place > 0, isWord(place - 1) { place -= 1 }
    return place
  }

  private func wordEnd(after place: Int) -> Int {
    guard !isSecret else { return count }
    var place = place
    while place < count, !isWord(place) { place += 1 }
    while place < count, isWord(place) { place += 1 }
    return place
  }

  private func isWord(_ place: Int) -> Bool {
    line.clusters[place].contains { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
