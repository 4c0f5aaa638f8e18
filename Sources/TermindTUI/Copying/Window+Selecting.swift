import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// A selection that is being made with the mouse.
final class MouseSelecting {
  /// What a click chooses at a time.
  enum Unit: Int {
    case character = 1
    case word, line
  }

  /// Time between two steps while the mouse is held beyond the edge.
  static let step = Duration.milliseconds(40)

  let pane: PaneID
  let unit: Unit
  let kind: TextSelection.Kind
  /// The first and the last character of what was clicked.
  let origin: (first: TextPlace, last: TextPlace)
  /// Where the mouse is, in cells of the pane; outside of it while it is held beyond an edge.
  var row = 0
  var column = 0
  var scrolling: Task<Void, Never>?

  init(_ pane: PaneID, _ unit: Unit, isRectangle: Bool, origin: (TextPlace, TextPlace)) {
    self.pane = pane
    self.unit = unit
    kind = isRectangle ? .rectangle : unit == .line ? .lines : .characters
    self.origin = origin
  }
}

/// Counts clicks at the same place that come soon after each other.
struct ClickCounter {
  private static let pause = Duration.milliseconds(400)
  private var last: (time: ContinuousClock.Instant, row: Int, column: Int, count: Int)?

  /// Which click this is: 1 to 3, then 1 again.
  mutating func click(row: Int, column: Int) -> Int {
    let now = ContinuousClock.now
    var count = 1
    if let last, last.row == row, last.column == column, now - last.time < Self.pause {
      count = last.count % 3 + 1
    }
    last = (now, row, column, count)
    return count
  }
}

/// Selecting text with the mouse; a selection never leaves the pane in which it began.
extension Window {
  /// Begins a selection where the mouse was pressed.
  func beginSelecting(_ mouse: MouseEvent, in pane: Pane, _ area: CellRectangle) {
    guard mouse.button == .left, let surface = pane.surface else { return }
    let unit = MouseSelecting.Unit(
      rawValue: clicks.click(row: mouse.row, column: mouse.column)
    )
    let (row, column) = (mouse.row - area.row, mouse.column - area.column)
    if pane.copying?.origin == .mouse { pane.copying = nil }
    let origin = Self.unit(unit ?? .character, row: row, column: column, pane, surface)
    let made = MouseSelecting(
      pane.id,
      unit ?? .character,
      isRectangle: mouse.modifiers.contains(.alt),
      origin: origin
    )
    (made.row, made.column) = (row, column)
    selecting = made
    grip = .selection(pane.id)
    if made.unit != .character {
      extendSelection(pane)
    } else if let mode = pane.copying {
      mode.put(origin.0)
    }
  }

  /// The first and the last character of what a click at a cell of the view chooses.
  private static func unit(
    _ unit: MouseSelecting.Unit,
    row: Int,
    column: Int,
    _ pane: Pane,
    _ surface: Surface
  ) -> (TextPlace, TextPlace) {
    let row = row - pane.scrolledBack
    return surface.withTerminal { terminal in
      var reader = TextReader(terminal)
      let position = reader.clamped(CellPosition(row: row, column: column))
      let place = reader.place(of: position)
      guard unit == .word else { return (place, place) }
      // An address or a path is chosen as a whole.
      let big = reader.word(at: position, isBig: true)
      let text = terminal.text(
        of: TextSelection(
          .characters,
          anchor: reader.place(of: big.first),
          head: reader.place(of: big.last)
        )
      )
      let small = reader.word(at: position, isBig: false)
      let isWhole = text.contains("://") || text.dropFirst().contains("/") || text.hasPrefix("/")
      let word = isWhole ? big : small
      return (reader.place(of: word.first), reader.place(of: word.last))
    }
  }

  /// Follows the mouse with the button held, and ends the selection when it is let go.
  func dragSelection(_ id: PaneID, _ mouse: MouseEvent) {
    guard let selecting, let pane = server.panes[id], let area = split?.rectangle(of: id) else {
      return endSelecting()
    }
    switch mouse.kind {
    case .motion:
      let place = (row: mouse.row - area.row, column: mouse.column - area.column)
      let hasMoved = place.row != selecting.row || place.column != selecting.column
      (selecting.row, selecting.column) = place
      guard hasMoved else { return }
      extendSelection(pane)
      scrollWhileBeyond(pane)
    case .release:
      endSelecting()
      guard pane.copying?.selection != nil, server.looks.preferences.copiesOnSelect,
        let text = pane.copying?.text
      else { return }
      copy(Array(text.utf8))
    case .press, .wheel: break
    }
  }

  private func endSelecting() {
    selecting?.scrolling?.cancel()
    selecting = nil
    grip = nil
  }

  /// Selects from where it began to where the mouse is.
  private func extendSelection(_ pane: Pane) {
    guard let selecting, let surface = pane.surface else { return }
    let row = min(max(selecting.row, 0), pane.size.rows - 1)
    // Beyond the upper or lower edge all of the row is meant.
    let column =
      selecting.row < 0
      ? 0
      : selecting.row >= pane.size.rows
        ? pane.size.columns - 1
        : min(max(selecting.column, 0), pane.size.columns - 1)
    let here = Self.unit(selecting.unit, row: row, column: column, pane, surface)
    let isBackward = here.0 < selecting.origin.first
    let selection = TextSelection(
      selecting.kind,
      anchor: isBackward ? selecting.origin.last : selecting.origin.first,
      head: isBackward ? here.0 : here.1
    )
    if let mode = pane.copying, mode.origin == .keys {
      mode.take(selection)
    } else {
      pane.copying = CopyMode(pane, surface, selecting: selection)
    }
    requestFrame()
  }

  /// Scrolls for as long as the mouse is held above or below the pane.
  private func scrollWhileBeyond(_ pane: Pane) {
    guard let selecting else { return }
    let isBeyond = selecting.row < 0 || selecting.row >= pane.size.rows
    guard isBeyond else {
      selecting.scrolling?.cancel()
      selecting.scrolling = nil
      return
    }
    guard selecting.scrolling == nil else { return }
    selecting.scrolling = Task { [weak self, weak pane] in
      // Cancelled when the mouse comes back or is let go.
      while (try? await Task.sleep(for: MouseSelecting.step)) != nil {
        guard let self, let pane, let selecting = self.selecting, selecting.pane == pane.id else {
          return
        }
        let distance = selecting.row < 0 ? -selecting.row : pane.size.rows - 1 - selecting.row
        pane.scroll(to: pane.scrolledBack + distance)
        extendSelection(pane)
      }
    }
  }
}
