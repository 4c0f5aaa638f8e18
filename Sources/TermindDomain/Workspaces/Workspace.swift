/// A named tree of split panes with its focus; owned by exactly one window.
///
/// The focus is always a pane of the tree, and a zoom always shows the focused pane.
public struct Workspace: Hashable, Sendable, Identifiable {
  /// The longest name, in characters; longer ones are cut.
  public static let maximumNameLength = 60

  /// Its identity; kept when it moves to another window.
  public let id: WorkspaceID
  /// What people call it; never empty, without blanks at its ends.
  public private(set) var name: String
  /// The panes and how they divide the area.
  public private(set) var tree: SplitTree
  /// The pane that takes the keys.
  public private(set) var focus: PaneID
  /// Whether the focused pane is shown alone.
  public private(set) var isZoomed = false
  /// The panes by use, the focused one first; panes that were never focused are not in it.
  public private(set) var history: [PaneID]

  /// Makes a workspace of a tree.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - name: An empty name becomes the number of the workspace.
  ///   - tree: The panes.
  ///   - focus: The pane to focus; the first one when nil or not in the tree.
  public init(id: WorkspaceID, name: String, tree: SplitTree, focus: PaneID? = nil) {
    self.id = id
    self.name = Self.cleanedName(name) ?? "\(id.rawValue)"
    self.tree = tree
    let focused = focus.flatMap { tree.contains($0) ? $0 : nil } ?? tree.firstPane
    self.focus = focused
    history = [focused]
  }

  /// Its panes, in reading order of the tree.
  public var panes: [PaneID] { tree.panes }

  /// Whether it has a name of its own, and not just its number.
  public var isNamed: Bool { name != "\(id.rawValue)" }

  /// Gives it another name; one without visible characters is refused.
  @discardableResult public mutating func rename(_ name: String) -> Bool {
    guard let cleaned = Self.cleanedName(name) else { return false }
    self.name = cleaned
    return true
  }

  /// Where the panes lie; only the focused one while it is zoomed.
  public func layout(in area: CellRectangle, titleRow: Bool = false) -> SplitLayout {
    let shown = isZoomed ? SplitTree(focus) : tree
    return shown.layout(in: area, titleRow: titleRow, keeping: focus)
  }

  /// Focuses a pane; the zoom ends when it is another one.
  ///
  /// - Returns: Whether the pane is in the tree.
  @discardableResult public mutating func setFocus(_ pane: PaneID) -> Bool {
    guard tree.contains(pane) else { return false }
    if pane != focus { isZoomed = false }
    focus = pane
    history.removeAll { $0 == pane }
    history.insert(pane, at: 0)
    return true
  }

  /// Focuses the neighbour in a direction, the latest used one when there are several.
  ///
  /// - Parameters:
  ///   - direction: Where to look.
  ///   - area: The area in which the workspace is shown.
  ///   - titleRow: Whether the area's first row is a title row.
  ///   - wraps: Whether the search goes on at the opposite side.
  /// - Returns: Whether the focus has changed.
  @discardableResult public mutating func focusNeighbour(
    _ direction: PaneDirection,
    in area: CellRectangle,
    titleRow: Bool = false,
    wraps: Bool = false
  ) -> Bool {
    let layout = tree.layout(in: area, titleRow: titleRow, keeping: focus)
    guard
      let pane = layout.neighbour(of: focus, direction, history: history, wraps: wraps)
    else { return false }
    return setFocus(pane)
  }

  /// Focuses the pane that had the focus before.
  @discardableResult public mutating func focusLast() -> Bool {
    history.count > 1 && setFocus(history[1])
  }

  /// Focuses the pane some places further in reading order, around the ends.
  @discardableResult public mutating func focusNext(offset: Int = 1) -> Bool {
    guard let pane = tree.pane(after: focus, offset: offset), pane != focus else { return false }
    return setFocus(pane)
  }

  /// Shows the focused pane alone, or all panes again; a single pane is not zoomed.
  public mutating func toggleZoom() { isZoomed = !isZoomed && tree.count > 1 }

  /// Splits a pane and focuses the new one; ends the zoom.
  ///
  /// - Returns: Whether it was done, see `SplitTree.split`.
  @discardableResult public mutating func split(
    _ pane: PaneID,
    with newPane: PaneID,
    at side: PaneDirection
  ) -> Bool {
    guard tree.split(pane, with: newPane, at: side) else { return false }
    isZoomed = false
    return setFocus(newPane)
  }

  /// Removes a pane; the focus goes to the pane used before it.
  ///
  /// - Returns: Whether it was removed; the last pane is not.
  @discardableResult public mutating func remove(_ pane: PaneID) -> Bool {
    let place = tree.panes.firstIndex(of: pane)
    guard let place, tree.remove(pane) else { return false }
    history.removeAll { $0 == pane }
    if pane == focus {
      isZoomed = false
      let left = tree.panes
      setFocus(history.first ?? left[min(place, left.count - 1)])
    }
    if tree.count == 1 { isZoomed = false }
    return true
  }

  /// Puts another pane into the place of one, with its focus and its place in the history.
  @discardableResult public mutating func replace(
    _ pane: PaneID,
    with newPane: PaneID
  ) -> Bool {
    guard tree.replace(pane, with: newPane) else { return false }
    if focus == pane { focus = newPane }
    history = history.map { $0 == pane ? newPane : $0 }
    return true
  }

  /// Changes the arrangement of the panes; the zoom ends when the arrangement has changed.
  ///
  /// A change that adds or drops panes is undone: `split` and `remove` do that.
  @discardableResult public mutating func rearrange<Result>(
    _ body: (inout SplitTree) -> Result
  ) -> Result {
    var changed = tree
    let result = body(&changed)
    guard changed != tree, Set(changed.panes) == Set(tree.panes) else { return result }
    tree = changed
    isZoomed = false
    return result
  }

  /// A name of a workspace or window as it is kept: blanks joined, too long ones cut; nil without a visible character.
  public static func cleanedName(_ name: String) -> String? {
    let words = name.split { $0.isWhitespace || $0.isNewline }
    guard !words.isEmpty else { return nil }
    return String(words.joined(separator: " ").prefix(maximumNameLength))
  }
}
