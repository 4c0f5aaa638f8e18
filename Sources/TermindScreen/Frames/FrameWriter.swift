/// Turns canvases into the bytes that bring the outer terminal from one to the next.
///
/// It remembers what the terminal shows. Every byte that it returns must reach the terminal, in order; when some
/// did not, or anyone else wrote there, call `invalidate`.
public struct FrameWriter: Sendable {
  /// What the terminal can do.
  ///
  /// A change that matters to drawing redraws the whole window.
  public var capabilities: ScreenCapabilities {
    didSet { if !capabilities.drawsLike(oldValue) { adoptCapabilities() } }
  }

  var output = OutputBytes()
  /// What the terminal shows, in the places of the canvas's tables.
  var shown: [CanvasCell] = []
  var rows = 0
  var columns = 0
  /// The terminal's cursor; -1 where it is not known.
  var cursorRow = -1
  var cursorColumn = -1
  /// The terminal's pen; `nil` when it is not known.
  var pen: Pen?
  /// The pens of the canvas's styles.
  var pens: [Pen] = []
  var resolver: PenResolver
  private var styles = TableFollower<ScreenStyle>()
  private var clusters = TableFollower<String>()
  private var changes: [RowChange] = []
  private var needsRepaint = true
  private var cursorShown: Bool?
  private var cursorForm: CursorForm?
  /// Whether this frame has begun to draw cells.
  private var isDrawing = false

  private struct CursorForm: Equatable {
    var shape: CursorShape
    var blinks: Bool
  }

  /// Makes a writer for a terminal of which nothing is known yet.
  public init(capabilities: ScreenCapabilities) {
    self.capabilities = capabilities
    resolver = PenResolver(capabilities)
  }

  /// Forgets what the terminal shows: the next frame clears it and draws everything.
  public mutating func invalidate() { needsRepaint = true }

  /// The bytes that make the terminal show a canvas.
  ///
  /// - Returns: The bytes; none when nothing changed or the canvas has no cells.
  public mutating func frame(_ canvas: Canvas) -> [UInt8] {
    guard canvas.rows > 0, canvas.columns > 0, capabilities.isAddressable else { return [] }
    output.removeAll()
    isDrawing = false
    let isNewSize = canvas.rows != rows || canvas.columns != columns
    followTables(of: canvas, isKept: !isNewSize && !needsRepaint)
    let isWhole = needsRepaint || isNewSize
    if isWhole { repaint(rows: canvas.rows, columns: canvas.columns) }
    var changes = findChanges(of: canvas)
    if !isWhole, scroll(towards: canvas, changes) { changes = findChanges(of: canvas) }
    for change in changes { draw(change, of: canvas) }
    self.changes = changes
    finish(canvas.cursor)
    return output.bytes
  }

  private mutating func findChanges(of canvas: Canvas) -> [RowChange] {
    var changes = changes
    self.changes = []
    changes.removeAll(keepingCapacity: true)
    RowChange.append(
      to: &changes,
      rows: rows,
      columns: columns,
      from: shown.span,
      to: canvas.cells.span
    )
    return changes
  }

  /// Starts the drawing part of a frame, which is to be seen only as a whole.
  mutating func beginDrawing() {
    if isDrawing { return }
    isDrawing = true
    if capabilities.synchronizedOutput {
      output.text("\u{1B}[?2026h")
    } else if cursorShown != false {
      output.text("\u{1B}[?25l")
      cursorShown = false
    }
  }

  private mutating func repaint(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    shown = Array(repeating: .blank(0), count: rows * columns)
    needsRepaint = false
    cursorShown = nil
    cursorForm = nil
    beginDrawing()
    if capabilities.leftRightMargins { output.text("\u{1B}[?69l") }
    if capabilities.hyperlinks { output.text("\u{1B}]8;;\u{1B}\\") }
    output.text("\u{1B}[r\u{1B}[m\u{1B}[H\u{1B}[2J")
    pen = .plain
    cursorRow = 0
    cursorColumn = 0
  }

  private mutating func finish(_ cursor: CanvasCursor?) {
    let visible = cursor.flatMap { cursor in
      cursor.row >= 0 && cursor.row < rows && cursor.column >= 0 && cursor.column < columns
        ? cursor : nil
    }
    if let visible {
      let form = CursorForm(
        shape: visible.shape,
        blinks: visible.shape != .standard && visible.blinks
      )
      if capabilities.cursorShapes, form != cursorForm {
        output.csi()
        output.number(Self.number(of: form))
        output.text(" q")
      }
      cursorForm = form
      move(row: visible.row, column: visible.column)
    }
    if cursorShown != (visible != nil) {
      output.text(visible != nil ? "\u{1B}[?25h" : "\u{1B}[?25l")
      cursorShown = visible != nil
    }
    if isDrawing, capabilities.synchronizedOutput { output.text("\u{1B}[?2026l") }
  }

  private static func number(of form: CursorForm) -> Int {
    let number: Int
    switch form.shape {
    case .standard: return 0
    case .block: number = 1
    case .underline: number = 3
    case .bar: number = 5
    }
    return form.blinks ? number : number + 1
  }

  private mutating func adoptCapabilities() {
    resolver = PenResolver(capabilities)
    styles = TableFollower()
    pens.removeAll()
    invalidate()
  }

  /// Learns the canvas's new styles and clusters, and finds them again when it has other tables.
  private mutating func followTables(of canvas: Canvas, isKept: Bool) {
    switch styles.follow(canvas.styles) {
    case .same: break
    case .extended(let first):
      for style in canvas.styles.values[first...] { pens.append(resolver.pen(style)) }
    case .replaced(let map):
      resolver.removeLinks()
      if pen?.link ?? 0 != 0 { pen = nil }
      pens.removeAll(keepingCapacity: true)
      for style in canvas.styles.values { pens.append(resolver.pen(style)) }
      if isKept {
        renumber(map) {
          $0.style
        } change: {
          $0.restyled($1)
        }
      }
    }
    if case .replaced(let map) = clusters.follow(canvas.clusters), isKept {
      renumber(map) {
        $0.isCluster ? $0.content : nil
      } change: {
        CanvasCell(cluster: $1, width: $0.width, style: $0.style)
      }
    }
  }

  /// Follows numbers into another table; what is not in it looks like nothing on the canvas.
  private mutating func renumber(
    _ map: [UInt32?],
    _ number: (CanvasCell) -> UInt32?,
    change: (CanvasCell, UInt32) -> CanvasCell
  ) {
    for spot in shown.indices where shown[spot] != .unknown {
      guard let old = number(shown[spot]) else { continue }
      let new = Int(old) < map.count ? map[Int(old)] : nil
      shown[spot] = new.map { change(shown[spot], $0) } ?? .unknown
    }
  }
}
