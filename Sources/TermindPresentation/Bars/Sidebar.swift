public import TermindApplication
public import TermindDomain
public import TermindScreen

/// The column at the left of a window: destinations, workspaces, and what runs app-wide.
public struct Sidebar: Sendable {
  /// A destination with its badge.
  public struct Destination: Hashable, Sendable {
    /// Where it leads.
    public var destination: WindowDestination
    /// Its name.
    public var name: String
    /// A count with its sign, such as `2!`.
    public var badge: String

    /// Makes an entry.
    public init(_ destination: WindowDestination, name: String, badge: String = "") {
      self.destination = destination
      self.name = name
      self.badge = badge
    }
  }

  /// Something that runs app-wide.
  public struct Running: Hashable, Sendable {
    /// Its sign: `↑`, `↓`, `⇄`.
    public var sign: String
    /// What it is.
    public var name: String
    /// How it stands: `43%`, `up`.
    public var state: String

    /// Makes an entry.
    public init(sign: String, name: String, state: String) {
      self.sign = sign
      self.name = name
      self.state = state
    }
  }

  /// What a click means.
  public enum Target: Hashable, Sendable {
    /// A destination, by its place.
    case destination(Int)
    /// A workspace, by its place.
    case workspace(Int)
    /// Something running, by its place.
    case running(Int)
  }

  /// Columns with names.
  public static let wideColumns = 17
  /// Columns with numbers and first letters only.
  public static let narrowColumns = 5

  /// The destinations, top to bottom.
  public var destinations: [Destination]
  /// The workspaces in order.
  public var workspaces: [WorkspaceFace]
  /// What runs.
  public var running: [Running]
  /// What is in front: a destination or a workspace by its place.
  public var active: Target?

  /// Makes a sidebar.
  public init(
    destinations: [Destination],
    workspaces: [WorkspaceFace],
    running: [Running] = [],
    active: Target? = nil
  ) {
    self.destinations = destinations
    self.workspaces = workspaces
    self.running = running
    self.active = active
  }

  /// The columns that the sidebar takes, without the line at its right.
  public static func columns(_ state: SidebarState) -> Int {
    switch state {
    case .wide: wideColumns
    case .narrow: narrowColumns
    case .hidden: 0
    }
  }

  /// Draws the sidebar in an area whose width tells whether names fit.
  ///
  /// - Returns: The row of each target.
  @discardableResult
  public func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> [(row: Int, target: Target)] {
    canvas.clear(area, look.style(.text, on: .bar))
    let isNarrow = area.columns < 10
    var lines: [(line: Line, target: Target?)] = destinations.enumerated().map {
      (destination($0.element, .destination($0.offset), isNarrow, look), .destination($0.offset))
    }
    if !workspaces.isEmpty { lines.append((.heading("Workspaces"), nil)) }
    for (index, face) in workspaces.enumerated() {
      lines.append((workspace(face, .workspace(index), isNarrow, look), .workspace(index)))
    }
    if !running.isEmpty { lines.append((.heading("Running"), nil)) }
    for (index, item) in running.enumerated() {
      lines.append((runningLine(item, .running(index), isNarrow, look), .running(index)))
    }
    // The line in front stays in sight when there are more than fit.
    let activeLine = lines.firstIndex { $0.target != nil && $0.target == active } ?? 0
    let first = min(max(activeLine - area.rows + 2, 0), max(lines.count - area.rows, 0))
    var targets: [(Int, Target)] = []
    for (offset, entry) in lines.dropFirst(first).prefix(area.rows).enumerated() {
      draw(entry.line, on: &canvas, in: area.line(offset), isNarrow, look)
      if let target = entry.target { targets.append((area.row + offset, target)) }
    }
    return targets
  }

  /// Draws the line at the right of the sidebar, joined to the borders that touch it.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - column: The line's column.
  ///   - rows: Its rows.
  ///   - layout: The panes at its right, if any.
  ///   - look: The looks.
  public static func drawEdge(
    on canvas: inout Canvas,
    column: Int,
    rows: Range<Int>,
    beside layout: SplitLayout?,
    _ look: Appearance
  ) {
    let style = look.style(.border, on: .pane)
    for row in rows {
      let isJoined = layout?.border(row: row, column: column + 1)?.isVertical == false
      canvas.mark(isJoined ? "├" : "│", row: row, column: column, style: style)
    }
  }

  private enum Line {
    case heading(String)
    case entry(left: [TextSpan], right: [TextSpan], ground: Ground)
  }

  private func ground(_ target: Target) -> Ground { target == active ? .selection : .bar }

  private func destination(
    _ entry: Destination,
    _ target: Target,
    _ isNarrow: Bool,
    _ look: Appearance
  ) -> Line {
    let ground = ground(target)
    let sign = target == active ? "▸ " : "  "
    let name = isNarrow ? String(entry.name.prefix(1)) : entry.name
    let badgeText = isNarrow ? String(entry.badge.suffix(1)) : entry.badge
    let badge = TextSpan(badgeText, look.style(.warning, on: ground))
    return .entry(
      left: [
        TextSpan(isNarrow ? "" : sign, look.style(.accent, on: ground)),
        TextSpan(name, look.style(.text, on: ground, bold: target == active)),
      ],
      right: entry.badge.isEmpty ? [] : [badge],
      ground: ground
    )
  }

  private func workspace(
    _ face: WorkspaceFace,
    _ target: Target,
    _ isNarrow: Bool,
    _ look: Appearance
  ) -> Line {
    let ground = ground(target)
    let number = TextSpan("\(face.place)", look.style(.dim, on: ground))
    let badges = face.badges(on: ground, look)
    guard !isNarrow else {
      // The last badge is the one that asks for attention most; its sign alone fits.
      let badge = badges.suffix(1).map {
        TextSpan(String($0.text.dropFirst().prefix(1)), $0.style)
      }
      let marks = face.marks(1, on: ground, look)
      return .entry(left: [number] + marks + badge, right: [], ground: ground)
    }
    let count = TextSpan("\(face.paneCount)", look.style(.dim, on: ground))
    let marks = face.marks(3, on: ground, look)
    // A mark has its stroke at the left, so that it parts the name from the number as a blank does.
    let name = TextSpan(
      (marks.isEmpty ? " " : "") + face.name,
      look.style(.text, on: ground, bold: target == active)
    )
    return .entry(left: [number] + marks + [name], right: [count] + badges, ground: ground)
  }

  private func runningLine(
    _ item: Running,
    _ target: Target,
    _ isNarrow: Bool,
    _ look: Appearance
  ) -> Line {
    let sign = TextSpan(item.sign, look.style(.accent, on: .bar))
    let state = TextSpan(item.state, look.style(.dim, on: .bar))
    if isNarrow { return .entry(left: [sign, state], right: [], ground: .bar) }
    let name = TextSpan(" " + item.name, look.style(.text, on: .bar))
    return .entry(left: [sign, name], right: [state], ground: .bar)
  }

  private func draw(
    _ line: Line,
    on canvas: inout Canvas,
    in place: CellRectangle,
    _ isNarrow: Bool,
    _ look: Appearance
  ) {
    switch line {
    case .heading(let text):
      let style = look.style(.border, on: .bar)
      canvas.line("─", rows: place.rowRange, columns: place.columnRange, style: style)
      guard !isNarrow else { return }
      canvas.put(
        [TextSpan(" \(text) ", look.style(.dim, on: .bar))],
        row: place.row,
        column: place.column + 1,
        limit: place.columns - 2
      )
    case .entry(let left, let right, let ground):
      canvas.clear(place, look.style(.text, on: ground))
      let width = place.columns - 2
      let used = canvas.put(right, row: place.row, endingAt: place.endColumn - 1, limit: width)
      let room = width - used - (used > 0 ? 1 : 0)
      canvas.put(left, row: place.row, column: place.column + 1, limit: max(room, 0))
    }
  }
}
