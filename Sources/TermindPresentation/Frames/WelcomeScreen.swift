public import TermindDomain
public import TermindScreen

/// Where a window starts: a bar to type a host into, and the hosts used last.
public struct WelcomeScreen: Sendable {
  /// A host that can be opened.
  public struct Host: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// `user@address`.
    public var address: String
    /// When it was used last, such as `2 min`.
    public var lastUsed: String
    /// Whether a connection to it is up.
    public var isUp: Bool

    /// Makes an entry.
    public init(name: String, address: String, lastUsed: String = "", isUp: Bool = false) {
      self.name = name
      self.address = address
      self.lastUsed = lastUsed
      self.isUp = isUp
    }
  }

  /// The connect bar.
  public var field: TextField
  /// What is wrong with what is typed; empty when nothing is.
  public var problem: String
  /// The hosts that match, best first.
  public var hosts: [Host]
  /// The chosen host; nil while the connect bar itself is meant.
  public var selected: Int?
  /// What to press.
  public var hints: [KeyHint]

  /// Makes the screen.
  public init(
    field: TextField = TextField(),
    problem: String = "",
    hosts: [Host],
    selected: Int? = nil,
    localShellKeys: String = "ctrl+t"
  ) {
    self.field = field
    self.problem = problem
    self.hosts = hosts
    self.selected = selected
    hints = [
      KeyHint("enter", "connect"), KeyHint("↑↓", "choose"), KeyHint(localShellKeys, "local shell"),
    ]
  }

  /// What opens a local shell from here: the screen's own key, or the keymap's where that has taken it.
  public static func localShellKeys(in keymap: Keymap) -> String {
    let own = "ctrl+t"
    guard keymap.bindings.contains(where: { $0.keys.first?.description == own }) else { return own }
    return keymap.keysText(for: .openLocal) ?? keymap.keysText(for: .newWorkspace) ?? own
  }

  /// Draws the screen and puts the cursor into the connect bar.
  ///
  /// - Returns: The row of each host that is shown.
  @discardableResult
  public func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> [(row: Int, host: Int)] {
    canvas.clear(area, look.style(.text, on: .pane))
    guard area.rows >= 3, area.columns >= 12 else { return [] }
    let columns = min(72, area.columns - 4)
    let isTight = area.rows < 14
    let wanted = 7 + max(min(hosts.count, 12), 1)
    let rows = min(isTight ? area.rows : wanted + 2, area.rows)
    var place = area.centred(rows: rows, columns: columns)
    if !isTight { place.row = area.row + max((area.rows - rows) / 3, 0) }
    var row = place.row
    if !isTight {
      canvas.put(
        [
          TextSpan("Termind", look.style(.accent, on: .pane, bold: true)),
          TextSpan("  connect to a host, or open a shell here", look.style(.dim, on: .pane)),
        ],
        row: row,
        column: place.column,
        limit: columns
      )
      row += 2
    }
    drawField(
      on: &canvas,
      in: CellRectangle(row: row, column: place.column, rows: 1, columns: columns),
      look
    )
    row += 1
    for line in TextLine.wrapped(problem, columns - 2).prefix(problem.isEmpty ? 0 : 4) {
      canvas.put(
        [TextSpan("  " + line, look.style(.danger, on: .pane))],
        row: row,
        column: place.column,
        limit: columns
      )
      row += 1
    }
    row += 1
    let footer = place.endRow - 1
    let targets = drawHosts(
      on: &canvas,
      in: CellRectangle(
        row: row,
        column: place.column,
        rows: max(footer - row - (isTight ? 0 : 1), 0),
        columns: columns
      ),
      look
    )
    canvas.put(
      KeyHint.spans(hints, on: .pane, limit: columns, look),
      row: footer,
      column: place.column,
      limit: columns
    )
    return targets
  }

  private func drawField(on canvas: inout Canvas, in line: CellRectangle, _ look: Appearance) {
    canvas.clear(line, look.style(.text, on: .field))
    canvas.put(
      " › ",
      row: line.row,
      column: line.column,
      limit: 3,
      style: look.style(.accent, on: .field, bold: true)
    )
    let room = line.columns - 4
    let (text, cursor) = field.visible(width: room)
    if field.isEmpty {
      canvas.put(
        [TextSpan("[user@]host  -p port  -J jump", look.style(.dim, on: .field))],
        row: line.row,
        column: line.column + 3,
        limit: room
      )
    } else {
      canvas.put(
        text,
        row: line.row,
        column: line.column + 3,
        limit: room,
        style: look.style(.text, on: .field)
      )
    }
    canvas.cursor = CanvasCursor(row: line.row, column: line.column + 3 + cursor, shape: .bar)
  }

  private func drawHosts(
    on canvas: inout Canvas,
    in place: CellRectangle,
    _ look: Appearance
  ) -> [(row: Int, host: Int)] {
    guard place.rows > 0 else { return [] }
    guard !hosts.isEmpty else {
      let text = field.isEmpty ? "No hosts yet; type one above." : "No saved host matches."
      canvas.put(
        [TextSpan("  " + text, look.style(.dim, on: .pane))],
        row: place.row,
        column: place.column,
        limit: place.columns
      )
      return []
    }
    let first = min(max((selected ?? 0) - place.rows + 1, 0), max(hosts.count - place.rows, 0))
    let shown = hosts.indices.dropFirst(first).prefix(place.rows)
    let widest = shown.map { TextLine.columns(hosts[$0].name) }.max() ?? 0
    let nameColumns = min(widest, place.columns / 3)
    return shown.enumerated().map { offset, index in
      draw(hosts[index], index, on: &canvas, in: place.line(offset), nameColumns, look)
      return (place.row + offset, index)
    }
  }

  private func draw(
    _ host: Host,
    _ index: Int,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ nameColumns: Int,
    _ look: Appearance
  ) {
    let isSelected = index == selected
    let ground: Ground = isSelected ? .selection : .pane
    canvas.clear(line, look.style(.text, on: ground))
    canvas.put(
      host.isUp ? "●" : " ",
      row: line.row,
      column: line.column + 1,
      limit: 1,
      style: look.style(.success, on: ground)
    )
    canvas.put(
      [TextSpan(host.name, look.style(.text, on: ground, bold: isSelected))],
      row: line.row,
      column: line.column + 3,
      limit: nameColumns
    )
    let right = [TextSpan(host.lastUsed, look.style(.dim, on: ground))]
    let used =
      line.columns > nameColumns + 24
      ? canvas.put(right, row: line.row, endingAt: line.endColumn - 1, limit: 16) : 0
    let start = 3 + nameColumns + 2
    canvas.put(
      [TextSpan(host.address, look.style(.dim, on: ground))],
      row: line.row,
      column: line.column + start,
      limit: max(line.columns - start - used - 2, 0)
    )
  }
}
