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

  private struct Snapshot: Hashable, Sendable {
    var clusters: [String]
    var cursor: Int
  }

  /// The most characters that a field takes when nothing else is said.
  public static let limit = 4_096
  private static let undoLimit = 200

  /// Whether the text is a secret.
  public let isSecret: Bool
  /// The most characters that it takes.
  public let limit: Int
  /// The characters; none of a secret.
  private var clusters: [String]
  private var secret = SecretLine()
  /// The cursor, as a number of characters before it.
  public private(set) var cursor: Int
  private var past: [Snapshot] = []
  private var future: [Snapshot] = []
  private var isTyping = false

  /// Makes a field with the cursor behind the text.
  public init(_ text: String = "", isSecret: Bool = false, limit: Int = Self.limit) {
    self.isSecret = isSecret
    self.limit = limit
    clusters = isSecret ? [] : Self.clusters(of: text, room: limit)
    cursor = clusters.count
    if isSecret { cursor = secret.replace(0..<0, with: text, limit: limit) }
  }

  /// The number of characters.
  public var count: Int { isSecret ? secret.count : clusters.count }

  /// The text; empty for a secret.
  public var text: String {
    get { clusters.joined() }
    set { self = TextField(newValue, isSecret: isSecret, limit: limit) }
  }

  /// The text as an answer to a server, in UTF-8.
  public var answer: SecretBytes {
    isSecret ? secret.bytes : SecretBytes(clusters.flatMap { Array($0.utf8) })
  }

  /// Whether nothing is typed.
  public var isEmpty: Bool { count == 0 }

  /// Does an edit.
  ///
  /// - Returns: Whether the text changed.
  @discardableResult
  public mutating func apply(_ edit: Edit) -> Bool {
    let before = (clusters, secret)
    switch edit {
    case .insert(let text): insert(text)
    case .left: move(to: cursor - 1)
    case .right: move(to: cursor + 1)
    case .wordLeft: move(to: wordStart(before: cursor))
    case .wordRight: move(to: wordEnd(after: cursor))
    case .home: move(to: 0)
    case .end: move(to: count)
    case .deleteBackward: remove((cursor - 1)..<cursor)
    case .deleteForward: remove(cursor..<(cursor + 1))
    case .deleteWordBackward: remove(wordStart(before: cursor)..<cursor)
    case .deleteWordForward: remove(cursor..<wordEnd(after: cursor))
    case .deleteToStart: remove(0..<cursor)
    case .deleteToEnd: remove(cursor..<count)
    case .clear: remove(0..<count)
    case .undo: swap(from: \.past, to: \.future)
    case .redo: swap(from: \.future, to: \.past)
    }
    return before != (clusters, secret)
  }

  /// The part that fits a width, with the cursor in it.
  ///
  /// - Parameter width: Columns there are.
  /// - Returns: What to draw, and the cursor's column in it, below `width`.
  public func visible(width: Int) -> (text: String, cursorColumn: Int) {
    guard width > 0 else { return ("", 0) }
    let shown = isSecret ? Array(repeating: "•", count: count) : clusters
    let columns = shown.map { DisplayText($0).columns }
    var first = cursor
    // The cell under the cursor needs room of its own.
    var room = width - 1
    while first > 0, columns[first - 1] <= room {
      first -= 1
      room -= columns[first]
    }
    let cursorColumn = columns[first..<cursor].reduce(0, +)
    var last = cursor
    var used = cursorColumn
    while last < shown.count, used + columns[last] <= width {
      used += columns[last]
      last += 1
    }
    return (shown[first..<last].joined(), cursorColumn)
  }

  // MARK: - Edits

  private mutating func insert(_ text: String) {
    let flat = String(text.map { $0.isNewline ? " " : $0 })
    guard !flat.isEmpty else { return }
    if isSecret {
      cursor = secret.replace(cursor..<cursor, with: flat, limit: limit)
      return
    }
    // A mark typed behind a letter joins it, so the neighbour is read again with the new text.
    let before = clusters[..<cursor].joined()
    let after = clusters[cursor...].joined()
    let new = Self.clusters(of: before + flat + after, room: limit)
    guard new != clusters else { return }
    if !isTyping || flat.contains(" ") { remember() }
    isTyping = flat.count == 1
    clusters = new
    cursor = min(Self.clusters(of: before + flat, room: limit).count, new.count)
  }

  private mutating func move(to place: Int) {
    isTyping = false
    cursor = min(max(place, 0), count)
  }

  private mutating func remove(_ range: Range<Int>) {
    isTyping = false
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return }
    if isSecret {
      cursor = secret.replace(range, with: "", limit: limit)
      return
    }
    remember()
    clusters.removeSubrange(range)
    // What stood on both sides may join into one cluster now.
    let before = clusters[..<range.lowerBound].joined()
    clusters = Self.clusters(of: clusters.joined(), room: limit)
    cursor = min(Self.clusters(of: before, room: limit).count, clusters.count)
  }

  private mutating func remember() {
    past.append(Snapshot(clusters: clusters, cursor: cursor))
    if past.count > Self.undoLimit { past.removeFirst() }
    future = []
  }

  private mutating func swap(
    from source: WritableKeyPath<TextField, [Snapshot]>,
    to target: WritableKeyPath<TextField, [Snapshot]>
  ) {
    isTyping = false
    guard let snapshot = self[keyPath: source].popLast() else { return }
    self[keyPath: target].append(Snapshot(clusters: clusters, cursor: cursor))
    clusters = snapshot.clusters
    cursor = snapshot.cursor
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
    while place < clusters.count, !isWord(place) { place += 1 }
    while place < clusters.count, isWord(place) { place += 1 }
    return place
  }

  private func isWord(_ place: Int) -> Bool {
    clusters[place].contains { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private static func clusters(of text: String, room: Int) -> [String] {
    text.prefix(room).map { String($0) }
  }
}
