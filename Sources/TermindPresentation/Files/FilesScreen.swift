public import TermindApplication
public import TermindDomain
public import TermindScreen

/// A file pane: the entries of a directory, and a line that says what is going on.
public struct FilesScreen {
  /// What is typed in the lowest line.
  public struct Input: Hashable, Sendable {
    /// What stands before it: `/`, `Go to`.
    public var label: String
    /// What is typed.
    public var field: TextField
    /// What stands behind it, such as the number of matches.
    public var note: String

    /// Makes a line.
    public init(_ label: String, field: TextField, note: String = "") {
      self.label = label
      self.field = field
      self.note = note
    }
  }

  /// What a click means.
  public enum Target: Hashable, Sendable {
    /// A row, by its place.
    case row(Int)
    /// The mark before a row.
    case mark(Int)
  }

  /// The names of owners that are known.
  public var owners = FileOwnerNames()
  /// Where the links lead that were asked for.
  public var links: [FileName: FileLink] = [:]
  /// The sizes of directories that were counted.
  public var sizes: [FileName: UInt64] = [:]
  /// How full the disk is.
  public var space: FileSystemSpace?
  /// What runs, such as `deleting 12 of 300`.
  public var work = ""
  /// What is wrong.
  public var problem = ""
  /// What is typed.
  public var input: Input?
  /// Whether the pane has the focus.
  public var isFocused = false
  /// The text of a time in twelve columns.
  public var time: (FileTime) -> String

  /// Makes the screen.
  public init(time: @escaping (FileTime) -> String) { self.time = time }

  /// Draws the pane.
  ///
  /// - Parameters:
  ///   - model: What is shown; it learns what is scrolled where.
  ///   - canvas: Where to draw.
  ///   - area: The cells of the pane.
  ///   - look: The looks.
  /// - Returns: The rows that are drawn, from the first row of the area on.
  public func draw(
    _ model: inout FileBrowserModel,
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> Range<Int> {
    canvas.clear(area, look.style(.text, on: .pane))
    guard area.rows > 0, area.columns > 0 else { return 0..<0 }
    let footer = area.rows >= 2 ? 1 : 0
    let window = model.window(rows: area.rows - footer)
    let columns = FileColumns(area.columns)
    for (offset, place) in window.enumerated() {
      let line = area.line(offset)
      let isSelected = place == model.cursor
      let ground: Ground = isSelected ? (isFocused ? .selection : .field) : .pane
      if isSelected { canvas.clear(line, look.style(.text, on: ground)) }
      if let row = model.row(place) {
        let isMarked = model.marks.contains(row.name)
        draw(row, isMarked: isMarked, on: ground, columns, &canvas, line, look)
      } else {
        canvas.put(
          "../",
          row: line.row,
          column: line.column + FileColumns.nameStart,
          limit: max(line.columns - FileColumns.nameStart, 0),
          style: look.style(.accent, on: ground)
        )
      }
    }
    if window.isEmpty || (model.shownCount == 0 && area.rows > 2 + footer) {
      drawEmpty(model, on: &canvas, in: area.line(min(window.count, area.rows - 1)), look)
    }
    if footer > 0 { drawFooter(model, on: &canvas, in: area.line(area.rows - 1), look) }
    return window
  }

  private func drawEmpty(
    _ model: FileBrowserModel,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    let text: String
    if !model.isComplete, model.loading != nil {
      text = "Reading …"
    } else if model.directory == nil {
      // Nothing was ever asked for: the frame and the notice below tell why.
      return
    } else if model.filter.isActive {
      text = "Nothing matches."
    } else if model.hiddenCount > 0 {
      text = "Only hidden entries; . shows them."
    } else if !model.isComplete {
      text = "Nothing could be read."
    } else {
      text = "Empty directory"
    }
    canvas.put(
      [TextSpan(text, look.style(.dim, on: .pane))],
      row: line.row,
      column: line.column + FileColumns.nameStart,
      limit: max(line.columns - FileColumns.nameStart, 0)
    )
  }

  // MARK: Rows

  private func draw(
    _ row: FileRow,
    isMarked: Bool,
    on ground: Ground,
    _ columns: FileColumns,
    _ canvas: inout Canvas,
    _ line: CellRectangle,
    _ look: Appearance
  ) {
    let attributes = row.entry.attributes
    if isMarked {
      canvas.put(
        "*",
        row: line.row,
        column: line.column + FileColumns.nameStart - 1,
        limit: 1,
        style: look.style(.warning, on: ground, bold: true)
      )
    }
    let spans = nameSpans(row, isMarked: isMarked, on: ground, columns.name, look)
    canvas.put(
      spans,
      row: line.row,
      column: line.column + FileColumns.nameStart,
      limit: columns.name
    )
    let dim = look.style(.dim, on: ground)
    func put(_ text: String, _ range: Range<Int>, atEnd: Bool = false) {
      guard !range.isEmpty else { return }
      let text = TextLine.clipped(text, range.count)
      let span = TextSpan(text, dim)
      if atEnd {
        canvas.put(
          [span],
          row: line.row,
          endingAt: line.column + range.upperBound,
          limit: range.count
        )
      } else {
        canvas.put(
          [span],
          row: line.row,
          column: line.column + range.lowerBound,
          limit: range.count
        )
      }
    }
    put(size(row), columns.size, atEnd: true)
    if !columns.time.isEmpty { put(attributes.modified.map(time) ?? "–", columns.time) }
    put(FileModeText.letters(attributes.kind, attributes.permissions), columns.mode)
    if !columns.owner.isEmpty { put(owner(row.entry), columns.owner) }
  }

  private func size(_ row: FileRow) -> String {
    if row.isDirectory { return sizes[row.name].map(FileText.size) ?? "–" }
    return row.entry.attributes.size.map(FileText.size) ?? "?"
  }

  private func owner(_ entry: FileEntry) -> String {
    let attributes = entry.attributes
    let user =
      attributes.userID.flatMap { owners.users[$0] } ?? entry.ownerName
      ?? attributes.userID.map { String($0) } ?? "?"
    let group =
      attributes.groupID.flatMap { owners.groups[$0] } ?? entry.groupName
      ?? attributes.groupID.map { String($0) } ?? "?"
    return "\(user):\(group)"
  }

  private func nameSpans(
    _ row: FileRow,
    isMarked: Bool,
    on ground: Ground,
    _ limit: Int,
    _ look: Appearance
  ) -> [TextSpan] {
    let attributes = row.entry.attributes
    let link = links[row.name]
    let suffix: String
    let ink: Ink
    switch attributes.kind {
    case .directory: (suffix, ink) = ("/", .accent)
    case .symbolicLink: (suffix, ink) = ("", link?.isBroken == true ? .danger : .success)
    case .pipe: (suffix, ink) = ("|", .warning)
    case .socket: (suffix, ink) = ("=", .warning)
    case .characterDevice, .blockDevice: (suffix, ink) = ("", .warning)
    case .regular, .unknown: (suffix, ink) = ("", row.name.isHidden ? .dim : .text)
    }
    let style = look.style(
      isMarked ? .warning : ink,
      on: ground,
      bold: attributes.kind == .directory
    )
    let escape = look.style(.warning, on: ground)
    var spans = FileNameSpans.spans(row.name.bytes, suffix: suffix, limit: limit, style, escape)
    guard attributes.kind == .symbolicLink else { return spans }
    let left = limit - TextLine.columns(spans)
    let dim = look.style(.dim, on: ground)
    if let link, left >= 6 {
      spans.append(TextSpan(" → ", dim))
      let note = link.isBroken ? " (broken)" : ""
      let isNoted = left >= 20
      spans += FileNameSpans.spans(
        link.target,
        limit: left - 3 - (isNoted ? note.count : 0),
        link.isBroken ? look.style(.danger, on: ground) : dim,
        escape
      )
      if isNoted, link.isBroken { spans.append(TextSpan(note, look.style(.danger, on: ground))) }
    } else if left >= 1 {
      spans.append(TextSpan("@", dim))
    }
    return spans
  }
}

/// Which columns a list of files has at a width; those that matter less give way first.
struct FileColumns: Hashable {
  /// The first column of the name; the mark stands before it.
  static let nameStart = 2

  /// The columns of the name.
  let name: Int
  let size: Range<Int>
  let time: Range<Int>
  let mode: Range<Int>
  let owner: Range<Int>

  init(_ columns: Int) {
    var end = columns - (columns >= 28 ? 1 : 0)
    func take(_ width: Int, from least: Int) -> Range<Int> {
      guard columns >= least else { return end..<end }
      let range = (end - width)..<end
      end -= width + 2
      return range
    }
    owner = take(16, from: 96)
    mode = take(10, from: 72)
    time = take(12, from: 46)
    size = take(6, from: 20)
    name = max(end - Self.nameStart, 0)
  }
}
