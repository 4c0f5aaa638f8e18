import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// Links under the mouse.
extension Window {
  /// Asks what to do with the link that was clicked with Ctrl; whether there is one.
  func pressLink(_ mouse: MouseEvent, in pane: Pane, _ area: CellRectangle) -> Bool {
    guard mouse.button == .left, mouse.modifiers.contains(.control), let surface = pane.surface
    else {
      return false
    }
    // A program that asked for the mouse gets this click too, unless Shift is held.
    let isProgram = surface.withTerminal { $0.modes.mouseTracking != .off }
    guard !isProgram || mouse.modifiers.contains(.shift) else { return false }
    let place = CellPosition(
      row: mouse.row - area.row - pane.scrolledBack,
      column: mouse.column - area.column
    )
    guard let link = surface.withTerminal({ Self.link(at: place, in: $0) }) else { return false }
    ask(about: link)
    return true
  }

  /// The link at a cell: as the program told it, else as its text reads.
  private static func link(at place: CellPosition, in terminal: Terminal) -> String? {
    var told: String?
    terminal.visitRow(max(place.row, 0), scrolledBack: max(-place.row, 0)) { cell in
      guard (cell.column..<cell.column + cell.width).contains(place.column) else { return }
      told = terminal.style(cell.styleIndex).hyperlink
    }
    if let told { return told }
    var reader = TextReader(terminal)
    let position = reader.clamped(place)
    let word = reader.word(at: position, isBig: true)
    let text = terminal.text(
      of: TextSelection(
        .characters,
        anchor: reader.place(of: word.first),
        head: reader.place(of: word.last)
      )
    )
    return WebLink.find(in: text)
  }

  private func ask(about link: String) {
    let opener = WebLink.canOpen(link) ? browser : nil
    var buttons = [
      ConfirmSheet.Button(id: "cancel", label: "Close", role: .cancel),
      ConfirmSheet.Button(id: "copy", label: "Copy", role: .plain),
    ]
    if opener != nil {
      buttons.append(ConfirmSheet.Button(id: "open", label: "Open", role: .plain))
    }
    let rows = stride(from: 0, to: link.count, by: 60).map { start in
      String(link.dropFirst(start).prefix(60))
    }
    let shown = rows.prefix(6) + (rows.count > 6 ? ["…"] : [])
    let sheet = ConfirmSheet(title: "Link", lines: Array(shown), buttons: buttons)
    present(
      QuestionSheet(sheet) { [weak self] answer in
        switch answer {
        case "copy": self?.copy(Array(link.utf8))
        case "open":
          guard let opener else { return }
          self?.feed([opener, link], []) { end in
            guard case .exited(let status) = end, status != 0 else { return nil }
            return "The link could not be opened (status \(status))."
          }
        default: break
        }
      }
    )
  }

  /// The program that opens links on this desktop; nil where there is no desktop.
  private var browser: String? {
    let environment = server.services.programEnvironment
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    guard hasDesktop else { return nil }
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return ExecutableSearch.find("xdg-open", in: path)
  }
}
