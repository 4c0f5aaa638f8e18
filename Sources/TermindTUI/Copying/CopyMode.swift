import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// A cursor of its own in a pane's text, and what is selected there.
///
/// Both stay on their text while output arrives.
final class CopyMode {
  /// What it was begun with.
  enum Origin {
    /// Keys go to it.
    case keys
    /// There is only a selection; a key gives it up and goes to the program.
    case mouse
  }

  /// What a key came to.
  enum Outcome {
    case stay
    case leave
    /// Copies the selection.
    case copy(keeps: Bool, appends: Bool)
    /// Asks for a program and gives it the selection.
    case pipe
    /// Opens Find.
    case find
    /// Goes on with what was found.
    case findAgain(older: Bool)
  }

  private static let largestCount = 9_999

  let origin: Origin
  private(set) var cursor: TextPlace
  private(set) var selection: TextSelection?
  private(set) var showsNumbers = false
  /// The column that moving by rows tries to keep.
  private var wantedColumn: Int?
  private var count = 0
  private var awaited: (isForward: Bool, isBeside: Bool)?
  private var lastCharacter: (scalar: UInt32, isForward: Bool, isBeside: Bool)?
  private var mark: TextPlace?
  private let keys: CopyKeys
  private unowned let pane: Pane
  private let surface: Surface

  /// Begins with the cursor where the program has it, or where the view shows something.
  init(_ pane: Pane, _ surface: Surface, keys: CopyKeys) {
    self.pane = pane
    self.surface = surface
    self.keys = keys
    origin = .keys
    let (rows, back) = (pane.size.rows, pane.scrolledBack)
    cursor = surface.withTerminal { terminal in
      let row = terminal.cursor.position.row
      let isShown = row + back < rows
      return TextReader(terminal).place(
        of: CellPosition(
          row: isShown ? row : rows - 1 - back,
          column: isShown ? terminal.cursor.position.column : 0
        )
      )
    }
  }

  /// Begins with a selection by the mouse.
  init(_ pane: Pane, _ surface: Surface, selecting selection: TextSelection) {
    self.pane = pane
    self.surface = surface
    keys = .vi
    origin = .mouse
    cursor = selection.head
    self.selection = selection
  }

  /// The text that is selected; nil when nothing is.
  var text: String? {
    selection.map { selection in surface.withTerminal { $0.text(of: selection) } }
  }

  // MARK: Keys

  /// Takes a key.
  func handle(_ key: KeyEvent) -> Outcome {
    guard key.kind != .release else { return .stay }
    if let awaited {
      self.awaited = nil
      guard case .character(let code) = key.code else { return .stay }
      let scalar = key.text?.unicodeScalars.first?.value ?? code
      lastCharacter = (scalar, awaited.isForward, awaited.isBeside)
      repeatCharacter(isReversed: false)
      return .stay
    }
    if let digit = digit(key) {
      count = min(count * 10 + digit, Self.largestCount)
      return .stay
    }
    guard let command = keys.command(key) else {
      count = 0
      return .stay
    }
    defer { count = 0 }
    return perform(command)
  }

  /// A digit of a count; 0 begins none.
  private func digit(_ key: KeyEvent) -> Int? {
    guard case .character(let code) = key.code, (0x30...0x39).contains(code),
      key.modifiers.isDisjoint(with: [.control, .super, .shift]),
      keys == .vi ? !key.modifiers.contains(.alt) : true
    else { return nil }
    return code == 0x30 && count == 0 ? nil : Int(code) - 0x30
  }

  private func perform(_ command: CopyCommand) -> Outcome {
    let times = max(count, 1)
    switch command {
    case .move(.bottom) where count > 0: goTo(row: count - 1)
    case .move(let motion): move(motion, times: times)
    case .viewTop: goTo(viewRow: times - 1)
    case .viewMiddle: goTo(viewRow: pane.size.rows / 2)
    case .viewBottom: goTo(viewRow: pane.size.rows - times)
    case .scroll(let rows): scroll(by: rows * times)
    case .half(let pages): page(by: pages * times * max(pane.size.rows / 2, 1))
    case .page(let pages): page(by: pages * times * max(pane.size.rows - 1, 1))
    case .promptBack, .promptForward: goToPrompt(isForward: command == .promptForward, times)
    case .select(let kind): select(kind)
    case .toggleRectangle:
      let isRectangle = selection?.kind == .rectangle
      selection?.kind = isRectangle ? .characters : .rectangle
    case .otherEnd:
      guard let old = selection else { break }
      selection = TextSelection(old.kind, anchor: old.head, head: old.anchor)
      put(old.anchor)
    case .copy(let keeps, let appends):
      return selection == nil && !keeps ? .leave : .copy(keeps: keeps, appends: appends)
    case .copyToEnd:
      selection = TextSelection(.characters, anchor: cursor, head: cursor)
      move(.rowEnd, times: 1)
      return .copy(keeps: false, appends: false)
    case .pipe: return selection == nil ? .stay : .pipe
    case .find: return .find
    case .findOlder: return .findAgain(older: true)
    case .findNewer: return .findAgain(older: false)
    case .setMark: mark = cursor
    case .goToMark:
      guard let mark else { break }
      self.mark = cursor
      put(mark)
    case .awaitCharacter(let isForward, let isBeside): awaited = (isForward, isBeside)
    case .repeatCharacter(let isReversed):
      for _ in 0..<times { repeatCharacter(isReversed: isReversed) }
    case .numbers: showsNumbers.toggle()
    case .cancel:
      guard selection != nil else { return .leave }
      selection = nil
    case .leave: return .leave
    }
    return .stay
  }

  private func select(_ kind: TextSelection.Kind) {
    if selection?.kind == kind {
      selection = nil
    } else if selection != nil {
      selection?.kind = kind
    } else {
      selection = TextSelection(kind, anchor: cursor, head: cursor)
    }
  }

  /// Selects what was chosen with the mouse.
  func take(_ selection: TextSelection) {
    self.selection = selection
    cursor = selection.head
    wantedColumn = nil
  }

  /// Gives the selection up after it was copied.
  func dropSelection() { selection = nil }

  // MARK: Moving

  private func move(_ motion: TextMotion, times: Int) {
    let (cursor, wanted) = (cursor, wantedColumn)
    let isVertical = motion == .up || motion == .down
    let (place, column) = surface.withTerminal { terminal in
      var reader = TextReader(terminal)
      var position = reader.position(of: cursor) ?? CellPosition(row: 0, column: 0)
      if isVertical, let wanted { position.column = wanted }
      let column = position.column
      for _ in 0..<times {
        let next = reader.move(motion, from: position)
        if next == position { break }
        position = isVertical ? CellPosition(row: next.row, column: column) : next
      }
      return (reader.place(of: reader.clamped(position)), column)
    }
    wantedColumn = isVertical ? column : nil
    put(place, keepsColumn: true)
  }

  /// Puts the cursor somewhere and shows it; the selection goes along.
  func put(_ place: TextPlace, keepsColumn: Bool = false) {
    if !keepsColumn { wantedColumn = nil }
    cursor = place
    selection?.head = place
    guard let row = surface.withTerminal({ $0.shownRow(of: place) }) else { return }
    let shown = row + pane.scrolledBack
    if shown < 0 { pane.scroll(to: -row) }
    if shown >= pane.size.rows { pane.scroll(to: pane.size.rows - 1 - row) }
  }

  private func place(row: Int, column: Int) -> TextPlace {
    surface.withTerminal { terminal in
      var reader = TextReader(terminal)
      return reader.place(of: reader.clamped(CellPosition(row: row, column: column)))
    }
  }

  private var column: Int {
    let cursor = cursor
    return surface.withTerminal { TextReader($0).position(of: cursor)?.column ?? 0 }
  }

  private func goTo(viewRow: Int) {
    let row = min(max(viewRow, 0), pane.size.rows - 1) - pane.scrolledBack
    put(place(row: row, column: column))
  }

  /// To a row counted from the oldest one.
  private func goTo(row: Int) {
    let first = surface.withTerminal { -$0.scrollbackRows }
    put(place(row: first + row, column: 0))
  }

  private func scroll(by rows: Int) {
    pane.scroll(to: pane.scrolledBack + rows)
    let cursor = cursor
    guard let row = surface.withTerminal({ $0.shownRow(of: cursor) }) else { return }
    let shown = row + pane.scrolledBack
    guard !(0..<pane.size.rows).contains(shown) else { return }
    goTo(viewRow: shown)
  }

  private func page(by rows: Int) {
    let before = pane.scrolledBack
    pane.scroll(to: before + rows)
    let moved = pane.scrolledBack - before
    // At either end the cursor goes the rest of the way.
    move(rows > 0 ? .up : .down, times: moved == 0 ? abs(rows) : abs(moved))
  }

  private func goToPrompt(isForward: Bool, _ times: Int) {
    var line = cursor.line
    surface.withTerminal { terminal in
      for _ in 0..<times {
        guard let next = terminal.prompt(from: line, isForward: isForward) else { break }
        line = next
      }
    }
    if line != cursor.line { put(TextPlace(line: line, column: 0)) }
  }

  private func repeatCharacter(isReversed: Bool) {
    guard let last = lastCharacter else { return }
    move(
      .character(last.scalar, isForward: last.isForward != isReversed, isBeside: last.isBeside),
      times: 1
    )
  }

  // MARK: Drawing

  /// What is drawn over the pane's text.
  func marks(_ look: Appearance) -> CopyMarks {
    CopyMarks(
      cursor: origin == .keys ? cursor : nil,
      selection: selection,
      showsNumbers: showsNumbers,
      look: look
    )
  }

  /// The row of the cursor and the rows that there are, from 1, for the title of the pane.
  var position: String {
    let cursor = cursor
    let (row, count) = surface.withTerminal { terminal in
      (
        terminal.shownRow(of: cursor).map { $0 + terminal.scrollbackRows + 1 },
        terminal.scrollbackRows + terminal.size.rows
      )
    }
    return "\(row.map(String.init) ?? "–")/\(count)"
  }

  static let hints = [
    KeyHint("v", "select"), KeyHint("V", "lines"), KeyHint("ctrl+v", "rectangle"),
    KeyHint("y", "copy"), KeyHint("/", "find"), KeyHint("q", "leave"),
  ]
}
