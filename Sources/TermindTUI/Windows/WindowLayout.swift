import TermindApplication
import TermindDomain
import TermindPresentation

/// Where the parts of a window lie in a terminal of a given size.
///
/// From the smallest up: content alone, then the status line, the tab bar, and the sidebar.
struct WindowLayout: Hashable {
  /// The whole terminal.
  let whole: CellRectangle
  /// The row of tabs; empty when there is no room for it.
  let tabs: CellRectangle
  /// The lowest row; empty when there is no room for it.
  let status: CellRectangle
  /// The sidebar's cells, without the line beside it; empty when it is hidden.
  let sidebar: CellRectangle
  /// The column of the line right of the sidebar; nil when there is none.
  let sidebarLine: Int?
  /// Workspaces and destinations.
  let content: CellRectangle

  /// The fewest columns that content keeps beside a sidebar.
  private static let minimumContentColumns = 40

  init(rows: Int, columns: Int, sidebar state: SidebarState) {
    whole = CellRectangle(rows: rows, columns: columns)
    let tabRows = rows >= 4 ? 1 : 0
    let statusRows = rows >= 3 ? 1 : 0
    tabs = CellRectangle(rows: tabRows, columns: columns)
    status = CellRectangle(row: rows - statusRows, rows: statusRows, columns: columns)
    var sidebarColumns = Sidebar.columns(state)
    if columns - sidebarColumns - 1 < Self.minimumContentColumns { sidebarColumns = 0 }
    let bodyRows = rows - tabRows - statusRows
    sidebar = CellRectangle(
      row: tabRows,
      rows: sidebarColumns > 0 ? bodyRows : 0,
      columns: sidebarColumns
    )
    sidebarLine = sidebarColumns > 0 ? sidebarColumns : nil
    let start = sidebarColumns > 0 ? sidebarColumns + 1 : 0
    content = CellRectangle(row: tabRows, column: start, rows: bodyRows, columns: columns - start)
  }

  /// The sidebar that suits a terminal of some width when the person has chosen none.
  static func suitableSidebar(columns: Int) -> SidebarState {
    columns >= 110 ? .wide : columns >= 90 ? .narrow : .hidden
  }
}
