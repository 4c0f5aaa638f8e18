/// A window's picture: rows and columns of styled cells, and the cursor.
///
/// Draw everything into it for each frame and hand it to a `FrameWriter`, which finds out what changed. Keep one
/// canvas and start each frame with `beginFrame`: then no frame allocates. Everything is clipped, also outside of
/// the canvas, and nothing that is drawn can carry a control character.
public struct Canvas: Sendable {
  /// Rows, 0 or more.
  public private(set) var rows: Int
  /// Columns, 0 or more.
  public private(set) var columns: Int
  /// The text cursor; `nil` hides it.
  public var cursor: CanvasCursor?

  var cells: [CanvasCell]
  var styles: InternTable<ScreenStyle>
  var clusters: InternTable<String>
  private(set) var clipRows: Range<Int>
  private(set) var clipColumns: Range<Int>

  /// Entries after which `beginFrame` starts new tables: content with endless colours must not grow for ever.
  private static let tableRenewal = 16_384
  /// Entries that one frame can never exceed; what comes after looks plain.
  private static let tableLimit = 1 << 22

  /// Makes a blank canvas; negative sizes become 0.
  public init(rows: Int, columns: Int) {
    self.rows = max(rows, 0)
    self.columns = max(columns, 0)
    cells = Array(repeating: .blank(0), count: self.rows * self.columns)
    styles = InternTable(first: .plain, limit: Self.tableLimit)
    clusters = InternTable(first: "\u{FFFD}", limit: Self.tableLimit)
    clipRows = 0..<self.rows
    clipColumns = 0..<self.columns
  }

  /// Blanks the canvas for the next frame, with a new size if it changed, and lifts any clip.
  ///
  /// - Returns: Whether style indices from before are still good; once the tables grow large they start anew.
  @discardableResult
  public mutating func beginFrame(rows: Int, columns: Int) -> Bool {
    let count = max(rows, 0) * max(columns, 0)
    self.rows = max(rows, 0)
    self.columns = max(columns, 0)
    let isRenewal = needsRenewal
    if isRenewal {
      styles.removeAll()
      clusters.removeAll()
    }
    if count == cells.count {
      for place in cells.indices { cells[place] = .blank(0) }
    } else {
      cells = Array(repeating: .blank(0), count: count)
    }
    cursor = nil
    removeClip()
    return !isRenewal
  }

  /// Whether so many styles came together that the next frame should begin with `beginFrame`.
  ///
  /// Until then a frame may also be drawn over the last one: what is not drawn again stays.
  public var needsRenewal: Bool {
    styles.count > Self.tableRenewal || clusters.count > Self.tableRenewal
  }

  /// Restricts all drawing to an area until `removeClip` or another clip.
  public mutating func clip(rows: Range<Int>, columns: Range<Int>) {
    clipRows = rows.clamped(to: 0..<self.rows)
    clipColumns = columns.clamped(to: 0..<self.columns)
  }

  /// Lets drawing reach the whole canvas again.
  public mutating func removeClip() {
    clipRows = 0..<rows
    clipColumns = 0..<columns
  }

  /// The index of a style, for `set`.
  public mutating func intern(_ style: ScreenStyle) -> StyleIndex {
    StyleIndex(rawValue: styles.intern(style))
  }

  /// The style behind an index.
  public func style(_ index: StyleIndex) -> ScreenStyle {
    Int(index.rawValue) < styles.count ? styles[index.rawValue] : .plain
  }

  /// Takes an area over from the frame before, for a picture that is not finished yet.
  ///
  /// - Parameters:
  ///   - rows: The rows, inside both canvases.
  ///   - columns: The columns, inside both canvases.
  ///   - last: The same canvas before `beginFrame`.
  /// - Returns: Whether it was done; not when the size or the style tables are others by now.
  public mutating func copy(_ rows: Range<Int>, _ columns: Range<Int>, from last: Canvas) -> Bool {
    guard last.rows == self.rows, last.columns == self.columns, styles.count >= last.styles.count,
      clusters.count >= last.clusters.count, rows.upperBound <= self.rows,
      columns.upperBound <= self.columns, rows.lowerBound >= 0, columns.lowerBound >= 0
    else { return false }
    for row in rows {
      for column in columns {
        cells[row * self.columns + column] = last.cells[row * self.columns + column]
      }
    }
    return true
  }

  /// Draws one scalar.
  ///
  /// A wide cell of which only one half is left after this, or fits, becomes blank.
  /// - Parameters:
  ///   - row: Zero-based row; ignored outside of the canvas.
  ///   - column: Zero-based column of the left half.
  ///   - scalar: A Unicode scalar, 0 for a blank. Controls and invalid values become U+FFFD.
  ///   - width: Columns, 1 or 2.
  ///   - style: An index that this canvas gave out.
  public mutating func set(
    row: Int,
    column: Int,
    scalar: UInt32,
    width: Int,
    style: StyleIndex
  ) {
    let index = styleOrPlain(style)
    if scalar &- 0x20 < 0x5F {
      place(CanvasCell(scalar: scalar, width: width == 2 ? 2 : 1, style: index), row, column)
    } else if scalar == 0 {
      place(.blank(index), row, column)
      if width == 2 { place(.blank(index), row, column + 1) }
    } else if ContentFilter.standsAlone(scalar) {
      place(CanvasCell(scalar: scalar, width: width == 2 ? 2 : 1, style: index), row, column)
    } else {
      let cluster = ContentFilter.cluster([scalar])
      setFiltered(row: row, column: column, cluster: cluster, width: width, style: index)
    }
  }

  /// Draws one grapheme cluster.
  ///
  /// - Parameters:
  ///   - row: Zero-based row; ignored outside of the canvas.
  ///   - column: Zero-based column of the left half.
  ///   - cluster: The cluster; controls in it become U+FFFD, and what is longer than any real cluster is cut.
  ///   - width: Columns, 1 or 2.
  ///   - style: An index that this canvas gave out.
  public mutating func set(
    row: Int,
    column: Int,
    cluster: String,
    width: Int,
    style: StyleIndex
  ) {
    let cluster = ContentFilter.cluster(cluster.unicodeScalars.lazy.map(\.value))
    setFiltered(
      row: row,
      column: column,
      cluster: cluster,
      width: width,
      style: styleOrPlain(style)
    )
  }

  private mutating func setFiltered(
    row: Int,
    column: Int,
    cluster: String,
    width: Int,
    style: UInt32
  ) {
    let scalars = cluster.unicodeScalars
    let width = width == 2 ? 2 : 1
    if let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
      place(CanvasCell(scalar: first.value, width: width, style: style), row, column)
    } else {
      let index = clusters.intern(cluster)
      place(CanvasCell(cluster: index, width: width, style: style), row, column)
    }
  }

  func styleOrPlain(_ style: StyleIndex) -> UInt32 {
    Int(style.rawValue) < styles.count ? style.rawValue : 0
  }

  /// Puts a cell down, keeping the rule that a wide cell always has both halves.
  mutating func place(_ cell: CanvasCell, _ row: Int, _ column: Int) {
    guard clipRows.contains(row) else { return }
    guard clipColumns.contains(column) else {
      // Only the right half is inside.
      if cell.isWide, column + 1 == clipColumns.lowerBound, !clipColumns.isEmpty {
        place(.blank(cell.style), row, column + 1)
      }
      return
    }
    let spot = row * columns + column
    if cell.isWide {
      guard column + 1 < clipColumns.upperBound else {
        return place(.blank(cell.style), row, column)
      }
      separate(spot, column: column)
      separate(spot + 1, column: column + 1)
      cells[spot] = cell
      cells[spot + 1] = .trailing(cell.style)
    } else {
      separate(spot, column: column)
      cells[spot] = cell
    }
  }

  /// Blanks the other half of a wide cell one half of which is about to be overwritten.
  @inline(__always)
  mutating func separate(_ spot: Int, column: Int) {
    let old = cells[spot]
    if old.isTrailing {
      if column > 0 { cells[spot - 1] = .blank(cells[spot - 1].style) }
    } else if old.isWide, column + 1 < columns {
      cells[spot + 1] = .blank(old.style)
    }
  }
}
