public import TermindDomain
public import TermindScreen

/// What a workspace shows of itself in the tab bar and the sidebar.
public struct WorkspaceFace: Hashable, Sendable {
  /// Its place, from 1.
  public var place: Int
  /// Its name.
  public var name: String
  /// How many panes it has.
  public var paneCount: Int
  /// Whether something was printed in it since it was last in front.
  public var hasActivity: Bool
  /// Whether a bell rang in it since it was last in front.
  public var hasBell: Bool
  /// How many of its panes take part in a broadcast.
  public var broadcastCount: Int
  /// How many of its panes have lost their program or connection.
  public var deadCount: Int
  /// Whether one pane fills it.
  public var isZoomed: Bool
  /// The colours of its hosts, each once, in the order of its panes.
  public var colors: [PaletteColor]

  /// Makes a face.
  public init(
    place: Int,
    name: String,
    paneCount: Int = 1,
    hasActivity: Bool = false,
    hasBell: Bool = false,
    broadcastCount: Int = 0,
    deadCount: Int = 0,
    isZoomed: Bool = false,
    colors: [PaletteColor] = []
  ) {
    self.place = place
    self.name = name
    self.paneCount = paneCount
    self.hasActivity = hasActivity
    self.hasBell = hasBell
    self.broadcastCount = broadcastCount
    self.deadCount = deadCount
    self.isZoomed = isZoomed
    self.colors = colors
  }

  /// The marks of its hosts' colours, as many as there is room for; none where the terminal has no colours.
  func marks(_ limit: Int, on ground: Ground, _ look: Appearance) -> [TextSpan] {
    colors.prefix(limit).compactMap { color in
      look.mark(color, on: ground).map { TextSpan("▎", $0) }
    }
  }

  /// The signs behind the name: each a symbol that reads without its colour.
  func badges(on ground: Ground, _ look: Appearance) -> [TextSpan] {
    var badges: [TextSpan] = []
    func add(_ text: String, _ ink: Ink) {
      badges.append(TextSpan(" " + text, look.style(ink, on: ground, bold: ink != .dim)))
    }
    if isZoomed { add("Z", .accent) }
    if broadcastCount > 0 { add("⚡\(broadcastCount)", .warning) }
    if deadCount > 0 { add("×\(deadCount)", .danger) }
    if hasBell { add("!", .warning) } else if hasActivity { add("●", .accent) }
    return badges
  }
}

/// The row of workspaces at the top of a window.
public struct TabBar: Sendable {
  /// What a click means.
  public enum Target: Hashable, Sendable {
    /// A workspace, by its place in the list given.
    case workspace(Int)
    /// The sign for a new one.
    case newWorkspace
  }

  /// The workspaces in order.
  public var workspaces: [WorkspaceFace]
  /// The one in front, as a place in `workspaces`; nil when a destination is.
  public var active: Int?
  /// What stands at the right end: a lock, the time.
  public var trailing: String

  /// Makes a bar.
  public init(workspaces: [WorkspaceFace], active: Int?, trailing: String = "") {
    self.workspaces = workspaces
    self.active = active
    self.trailing = trailing
  }

  /// Draws the bar; when not all tabs fit, the active one is kept in sight and `‹` and `›` show the rest.
  ///
  /// - Returns: The columns of each target.
  @discardableResult
  public func draw(
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) -> [(columns: Range<Int>, target: Target)] {
    canvas.clear(line.line(0), look.style(.text, on: .bar))
    var room = line.columns
    if !trailing.isEmpty, room > TextLine.columns(trailing) + 30 {
      let span = TextSpan(" \(trailing) ", look.style(.dim, on: .bar))
      room -= canvas.put([span], row: line.row, endingAt: line.endColumn, limit: room)
    }
    let tabs = workspaces.indices.map { spans(of: $0, look) }
    let widths = tabs.map { TextLine.columns($0) + 1 }
    let window = Self.window(widths, active: active ?? 0, room: room - 4)
    var targets: [(Range<Int>, Target)] = []
    var column = line.column
    let end = line.column + room
    let separator = look.style(.border, on: .bar)
    if window.lowerBound > 0 {
      canvas.put("‹", row: line.row, column: column, limit: 1, style: separator)
      column += 1
    }
    for index in window {
      let used = canvas.put(tabs[index], row: line.row, column: column, limit: max(end - column, 0))
      targets.append((column..<(column + used), .workspace(index)))
      column += used
      if column < end {
        canvas.put("│", row: line.row, column: column, limit: 1, style: separator)
      }
      column += 1
    }
    if window.upperBound < tabs.count, column < end {
      canvas.put("›", row: line.row, column: column, limit: 1, style: separator)
    } else if column + 2 < end {
      canvas.put(" +", row: line.row, column: column, limit: 2, style: look.style(.dim, on: .bar))
      targets.append((column..<(column + 3), .newWorkspace))
    }
    return targets
  }

  private func spans(of index: Int, _ look: Appearance) -> [TextSpan] {
    let face = workspaces[index]
    let isActive = index == active
    let ground: Ground = isActive ? .selection : .bar
    let blank = TextSpan(" ", look.style(.text, on: ground))
    let number = TextSpan("\(face.place)", look.style(isActive ? .text : .dim, on: ground))
    let name = TextSpan(
      " " + TextLine.clipped(face.name, 24),
      look.style(.text, on: ground, bold: isActive)
    )
    return [blank, number, name] + face.badges(on: ground, look) + [blank]
  }

  /// The tabs that fit around the active one.
  private static func window(_ widths: [Int], active: Int, room: Int) -> Range<Int> {
    guard !widths.isEmpty else { return 0..<0 }
    guard widths.reduce(0, +) > room else { return 0..<widths.count }
    let active = min(max(active, 0), widths.count - 1)
    var first = active
    var last = active + 1
    var used = widths[active]
    while true {
      if last < widths.count, used + widths[last] <= room {
        used += widths[last]
        last += 1
      } else if first > 0, used + widths[first - 1] <= room {
        first -= 1
        used += widths[first]
      } else {
        return first..<last
      }
    }
  }
}
