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
  private var shown: ShownList
  private let preview: ((Int?) -> Void)?
  private let typed: ((String) -> (() -> Void)?)?
  private let deleting: (() -> Void)?

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - overlay: What it is among the window's overlays.
  ///   - chrome: Its frame.
  ///   - entries: What can be chosen.
  ///   - selected: The entry to start at.
  ///   - preview: Called with each entry that becomes the chosen one, and with nil when the list is left.
  ///   - typed: What Enter does with the typed text when nothing matches; nil when nothing.
  ///   - deleting: What Delete does, once the list is closed; nil when it only edits what is typed.
  init(
    _ overlay: WindowOverlay,
    _ chrome: ChooserSheet,
    entries: [Entry],
    selected: Int? = nil,
    preview: ((Int?) -> Void)? = nil,
    typed: ((String) -> (() -> Void)?)? = nil,
    deleting: (() -> Void)? = nil
  ) {
    self.overlay = overlay
    self.chrome = chrome
    self.entries = entries
    self.preview = preview
    self.typed = typed
    self.deleting = deleting
    shown = ShownList(FilteredList(entries.map(\.text), selected: selected))
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard key.kind != .release else { return .stay }
    switch key.code {
    case .escape:
      preview?(nil)
      return .close
    case .enter, .keypad(.enter): return choose()
    case .delete where deleting != nil: return deleting.map { .closeThen($0) } ?? .stay
    default:
      let before = shown.list.selected
      shown.handle(key)
      if shown.list.selected != before { preview?(shown.list.selected) }
      return .stay
    }
  }

  func handlePaste(_ bytes: [UInt8]) -> SheetOutcome {
    shown.paste(bytes)
    return .stay
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    shown.take(mouse) ? choose() : .stay
  }

  func dismissed() { preview?(nil) }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    shown.draw(chrome, on: &canvas, in: area, entries: entries.count, look) { entries[$0].row }
  }

  private func choose() -> SheetOutcome {
    if let selected = shown.list.selected {
      return entries[selected].choose.map { .closeThen($0) } ?? .close
    }
    return typed?(shown.list.query.text).map { .closeThen($0) } ?? .stay
  }
}
