/// The place of a pane on the screen.
public struct PanePlacement: Hashable, Sendable {
  /// The pane.
  public let pane: PaneID
  /// Its cells, without borders and title.
  public let rectangle: CellRectangle
}

/// Names a border between two children of a split, as long as the tree keeps its shape.
public struct SplitBorderID: Hashable, Sendable {
  /// The way from the root to the split, as child indices.
  let path: [Int]
  /// The border lies after this child.
  let index: Int
}

/// A straight line of border cells, one cell thick.
public struct SplitBorder: Hashable, Sendable {
  /// Its cells; one column for a vertical border, one row for a horizontal one.
  public let rectangle: CellRectangle
  /// Whether it runs from top to bottom.
  public let isVertical: Bool
  /// What to drag it by; nil for the title row at the top of the area, which cannot be moved.
  public let id: SplitBorderID?
}

/// Towards which neighbours a border cell is connected.
public struct BorderArms: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Wraps bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Connected upwards.
  public static let up = BorderArms(rawValue: 1)
  /// Connected downwards.
  public static let down = BorderArms(rawValue: 2)
  /// Connected to the left.
  public static let left = BorderArms(rawValue: 4)
  /// Connected to the right.
  public static let right = BorderArms(rawValue: 8)
  /// A plain vertical cell.
  public static let vertical: BorderArms = [.up, .down]
  /// A plain horizontal cell.
  public static let horizontal: BorderArms = [.left, .right]
}

/// A border cell at which lines of both directions meet.
public struct BorderJunction: Hashable, Sendable {
  /// Row of the cell.
  public let row: Int
  /// Column of the cell.
  public let column: Int
  /// All of its arms.
  public let arms: BorderArms

  /// Makes a junction.
  public init(row: Int, column: Int, arms: BorderArms) {
    self.row = row
    self.column = column
    self.arms = arms
  }
}

/// Where every pane and border of a tree lies in an area.
///
/// Panes and borders cover the area exactly and nothing overlaps. Panes that found no space are
/// `hidden`. Every border cell belongs to one border; where two meet, `junctions` tells the arms.
public struct SplitLayout: Hashable, Sendable {
  /// The area that was divided.
  public let area: CellRectangle
  /// The panes that found space, in reading order of the tree.
  public let panes: [PanePlacement]
  /// The panes that found none.
  public let hidden: [PaneID]
  /// The borders: the title row first when there is one, then in reading order of the tree.
  public let borders: [SplitBorder]
  /// The border cells with arms in both directions.
  public let junctions: [BorderJunction]

  init(
    area: CellRectangle,
    panes: [PanePlacement],
    hidden: [PaneID],
    borders: [SplitBorder]
  ) {
    self.area = area
    self.panes = panes
    self.hidden = hidden
    self.borders = borders
    junctions = Self.junctions(of: borders)
  }

  /// The cells of a pane; nil when it is hidden or not in the tree.
  public func rectangle(of pane: PaneID) -> CellRectangle? {
    panes.first { $0.pane == pane }?.rectangle
  }

  /// The border row right above a pane, as wide as the pane: the place for its title.
  ///
  /// - Returns: Nil when the pane is hidden, or touches the top of an area without title row.
  public func titleRectangle(of pane: PaneID) -> CellRectangle? {
    guard let place = rectangle(of: pane), place.row > area.row else { return nil }
    return CellRectangle(
      row: place.row - 1,
      column: place.column,
      rows: 1,
      columns: place.columns
    )
  }

  /// The pane at a cell.
  public func pane(row: Int, column: Int) -> PaneID? {
    panes.first { $0.rectangle.contains(row: row, column: column) }?.pane
  }

  /// The border at a cell; the hit test for dragging.
  public func border(row: Int, column: Int) -> SplitBorder? {
    borders.first { $0.rectangle.contains(row: row, column: column) }
  }

  /// The arms of the border cell at a place; nil where no border is.
  public func arms(row: Int, column: Int) -> BorderArms? {
    guard let border = border(row: row, column: column) else { return nil }
    let junction = junctions.first { $0.row == row && $0.column == column }
    return junction?.arms ?? (border.isVertical ? .vertical : .horizontal)
  }

  /// The pane whose title stands at a cell.
  public func titledPane(row: Int, column: Int) -> PaneID? {
    guard border(row: row, column: column) != nil else { return nil }
    return pane(row: row + 1, column: column)
  }

  /// Lines end only at lines of the other direction or at the edge of the area, so looking past
  /// both ends of each line finds every junction.
  private static func junctions(of borders: [SplitBorder]) -> [BorderJunction] {
    struct Cell: Hashable {
      let row: Int
      let column: Int
    }
    var arms: [Cell: BorderArms] = [:]
    func join(_ row: Int, _ column: Int, _ arm: BorderArms, endOfVertical: Bool) {
      let meets = borders.contains {
        $0.isVertical != endOfVertical && $0.rectangle.contains(row: row, column: column)
      }
      guard meets else { return }
      let plain: BorderArms = endOfVertical ? .horizontal : .vertical
      arms[Cell(row: row, column: column), default: plain].formUnion(arm)
    }
    for border in borders {
      let place = border.rectangle
      if border.isVertical {
        join(place.row - 1, place.column, .down, endOfVertical: true)
        join(place.endRow, place.column, .up, endOfVertical: true)
      } else {
        join(place.row, place.column - 1, .right, endOfVertical: false)
        join(place.row, place.endColumn, .left, endOfVertical: false)
      }
    }
    return arms.map { BorderJunction(row: $0.key.row, column: $0.key.column, arms: $0.value) }
      .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
  }
}
