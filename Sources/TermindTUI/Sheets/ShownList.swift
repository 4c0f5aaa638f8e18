import TermindDomain
import TermindPresentation
import TermindScreen

/// A filtered list with the rows that were drawn of it last, as sheets that choose from one have it.
struct ShownList {
  private(set) var list: FilteredList
  private var rows: [(screenRow: Int, match: Int)] = []

  init(_ list: FilteredList) { self.list = list }

  /// Shows another list under the same field.
  mutating func replace(_ list: FilteredList) { self.list = list }

  /// Filters or moves; keys that mean neither are passed over.
  mutating func handle(_ key: KeyEvent) { _ = list.handle(key, page: max(rows.count - 1, 1)) }

  /// Types pasted bytes.
  mutating func paste(_ bytes: [UInt8]) {
    list.apply(.insert(String(decoding: bytes, as: UTF8.self)))
  }

  /// Moves the choice.
  mutating func move(by step: Int) { list.move(by: step) }

  /// Takes a wheel step or a click.
  ///
  /// - Returns: Whether a row was clicked, which is the chosen one then.
  mutating func take(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .wheel(.up): list.move(by: -1)
    case .wheel(.down): list.move(by: 1)
    case .press where mouse.button == .left:
      guard let hit = rows.first(where: { $0.screenRow == mouse.row }) else { return false }
      list.select(row: hit.match)
      return true
    default: break
    }
    return false
  }

  /// Draws the sheet around the list.
  mutating func draw(
    _ chrome: ChooserSheet,
    on canvas: inout Canvas,
    in area: CellRectangle,
    entries: Int,
    _ look: Appearance,
    row: (Int) -> ChooserRow
  ) {
    rows = chrome.draw(
      on: &canvas,
      in: ChooserSheet.area(in: area, entries: entries),
      list: list,
      look,
      row: row
    )
  }
}
