import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// A list to filter and choose from: Quick Open, the bindings, themes, windows.
final class ListSheet: Sheet {
  /// One entry.
  struct Entry {
    /// What it is found by.
    var text: String
    /// How it looks.
    var row: ChooserRow
    /// What choosing it does; nil only closes the list.
    var choose: (() -> Void)?
  }

  let overlay: WindowOverlay
  private let chrome: ChooserSheet
  private let entries: [Entry]
  private var list: FilteredList
  private var rows: [(screenRow: Int, match: Int)] = []
  private let preview: ((Int?) -> Void)?
  private let typed: ((String) -> (() -> Void)?)?

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - overlay: What it is among the window's overlays.
  ///   - chrome: Its frame.
  ///   - entries: What can be chosen.
  ///   - selected: The entry to start at.
  ///   - preview: Called with each entry that becomes the chosen one, and with nil when the list is left.
  ///   - typed: What Enter does with the typed text when nothing matches; nil when nothing.
  init(
    _ overlay: WindowOverlay,
    _ chrome: ChooserSheet,
    entries: [Entry],
    selected: Int? = nil,
    preview: ((Int?) -> Void)? = nil,
    typed: ((String) -> (() -> Void)?)? = nil
  ) {
    self.overlay = overlay
    self.chrome = chrome
    self.entries = entries
    self.preview = preview
    self.typed = typed
    list = FilteredList(entries.map(\.text), selected: selected)
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard key.kind != .release else { return .stay }
    switch key.code {
    case .escape:
      preview?(nil)
      return .close
    case .enter, .keypad(.enter): return choose()
    default:
      let before = list.selected
      _ = list.handle(key, page: max(rows.count - 1, 1))
      if list.selected != before { preview?(list.selected) }
      return .stay
    }
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome {
    list.apply(.insert(String(decoding: bytes, as: UTF8.self)))
    return .stay
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    switch mouse.kind {
    case .wheel(.up): list.move(by: -1)
    case .wheel(.down): list.move(by: 1)
    case .press where mouse.button == .left:
      guard let hit = rows.first(where: { $0.screenRow == mouse.row }) else { return .stay }
      list.select(row: hit.match)
      return choose()
    default: break
    }
    return .stay
  }

  func dismissed() { preview?(nil) }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    rows = chrome.draw(
      on: &canvas,
      in: ChooserSheet.area(in: area, entries: entries.count),
      list: list,
      look
    ) { entries[$0].row }
  }

  private func choose() -> SheetOutcome {
    if let selected = list.selected {
      return entries[selected].choose.map { .closeThen($0) } ?? .close
    }
    return typed?(list.query.text).map { .closeThen($0) } ?? .stay
  }
}
