@testable import TermindScreen

/// A small terminal of its own kind: what it shows after a frame is compared with the canvas.
struct ReplayTerminal {
  struct Cell: Equatable {
    var text = " "
    var width = 1
    var style = ScreenStyle.plain
  }

  /// How a terminal may differ from what we think.
  struct Traits {
    var backColorErase = true
    /// Columns of a cluster, for terminals that think otherwise than we do.
    var width: (Character) -> Int = { CellWidth.columns(of: $0) }
    /// Whether marks and joined emoji stay one cluster.
    var joinsClusters = true
    /// Whether an alef directly behind a lam shares its cell, as in terminals that shape Arabic.
    var joinsLamAlef = false
  }

  let rows: Int
  let columns: Int
  let traits: Traits
  private(set) var cells: [Cell]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var isCursorVisible = true
  private(set) var cursorForm = 0
  private(set) var isSynchronized = false
  /// Sequences that this terminal does not know: there must be none.
  private(set) var unknown: [String] = []
  private var pen = ScreenStyle.plain
  private var autowrap = false
  private var top = 0
  private var bottom: Int
  private var left = 0
  private var right: Int
  private var hasSideMargins = false
  /// The cell that a mark would join.
  private var joinable: Int?
  private var lastText = " "

  init(rows: Int, columns: Int, traits: Traits = Traits()) {
    self.rows = rows
    self.columns = columns
    self.traits = traits
    cells = Array(repeating: Cell(), count: rows * columns)
    bottom = rows - 1
    right = columns - 1
  }

  func cell(_ row: Int, _ column: Int) -> Cell { cells[row * columns + column] }

  func text(row: Int) -> String {
    cells[(row * columns)..<((row + 1) * columns)].map(\.text).joined()
  }

  mutating func feed(_ bytes: [UInt8]) {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x1B: escape(&scalars)
      case 0x0D: jump(row, 0)
      case 0x08: jump(row, max(column - 1, 0))
      case 0..<0x20, 0x7F..<0xA0: unknown.append("control \(scalar.value)")
      default: print(scalar)
      }
    }
  }

  private mutating func jump(_ row: Int, _ column: Int) {
    self.row = min(max(row, 0), rows - 1)
    self.column = min(max(column, 0), columns - 1)
    joinable = nil
  }

  private mutating func print(_ scalar: Unicode.Scalar) {
    if traits.joinsClusters, let place = joinable {
      let joined = cells[place].text + String(Character(scalar))
      if joined.count == 1, let cluster = joined.first {
        let width = traits.width(cluster)
        column = place % columns
        return put(cluster, width: max(width, 1))
      }
    }
    if traits.joinsLamAlef, scalar.value == 0x627, let place = joinable,
      cells[place].text == "\u{644}"
    {
      return
    }
    let width = traits.width(Character(scalar))
    // A mark that nothing holds is a fault of ours, unless this terminal does not join at all.
    if width == 0 {
      if traits.joinsClusters { unknown.append("mark alone \(scalar.value)") }
      return
    }
    put(Character(scalar), width: width)
  }

  private mutating func put(_ cluster: Character, width: Int) {
    let width = max(width, 1)
    let start = min(column, columns - width)
    for offset in 0..<width { clear(at: row * columns + start + offset) }
    let place = row * columns + start
    cells[place] = Cell(text: String(cluster), width: width, style: pen)
    if width == 2 { cells[place + 1] = Cell(text: "", width: 0, style: pen) }
    joinable = place
    lastText = String(cluster)
    column = min(start + width, columns - 1)
  }

  /// Takes one cell out, and the other half with it.
  private mutating func clear(at place: Int) {
    if cells[place].width == 0, place % columns > 0 { cells[place - 1].makeBlank() }
    if cells[place].width == 2 { cells[place + 1].makeBlank() }
    cells[place].makeBlank()
  }

  private mutating func erase(_ range: Range<Int>) {
    var blank = Cell()
    if traits.backColorErase { blank.style.background = pen.background }
    for place in range {
      clear(at: place)
      cells[place] = blank
    }
  }

  private mutating func escape(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    guard let kind = scalars.popFirst() else { return unknown.append("ESC at the end") }
    switch kind {
    case "[": control(&scalars)
    case "]":
      var text = ""
      while let next = scalars.popFirst(), next.value != 0x1B { text.unicodeScalars.append(next) }
      _ = scalars.popFirst()
      link(text)
    default: unknown.append("ESC \(kind)")
    }
  }

  private mutating func link(_ text: String) {
    let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "8" else { return unknown.append("OSC \(text)") }
    pen.link = parts[2].isEmpty ? nil : String(parts[2])
  }

  private mutating func control(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    var text = ""
    while let next = scalars.popFirst() {
      text.unicodeScalars.append(next)
      if next.value >= 0x40 { break }
    }
    let numbers = text.dropLast().split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) }
    let first = numbers.first ?? nil
    let second = numbers.count > 1 ? numbers[1] : nil
    let count = max(first ?? 1, 1)
    joinable = nil
    switch text.last {
    case "H": jump(count - 1, max(second ?? 1, 1) - 1)
    case "A": jump(row - count, column)
    case "B": jump(row + count, column)
    case "C": jump(row, column + count)
    case "D": jump(row, column - count)
    case "G": jump(row, count - 1)
    case "K": erase((row * columns + column)..<((row + 1) * columns))
    case "X":
      erase((row * columns + column)..<min(row * columns + column + count, (row + 1) * columns))
    case "J" where text == "2J": erase(0..<(rows * columns))
    case "b": for _ in 0..<count { put(lastText.first ?? " ", width: 1) }
    case "m": select(String(text.dropLast()))
    case "r":
      top = count - 1
      bottom = min(second ?? rows, rows) - 1
      jump(0, 0)
    case "s" where hasSideMargins:
      left = count - 1
      right = min(second ?? columns, columns) - 1
      jump(0, 0)
    case "S": scroll(by: count)
    case "T": scroll(by: -count)
    case "q" where text.hasSuffix(" q"): cursorForm = Int(text.dropLast(2)) ?? 0
    case "h", "l": mode(text)
    default: unknown.append("CSI \(text)")
    }
  }

  private mutating func mode(_ text: String) {
    let isOn = text.hasSuffix("h")
    switch text.dropLast() {
    case "?25": isCursorVisible = isOn
    case "?69":
      hasSideMargins = isOn
      left = 0
      right = columns - 1
    case "?2026": isSynchronized = isOn
    default: unknown.append("mode \(text)")
    }
  }

  private mutating func scroll(by count: Int) {
    for column in left...right {
      let before = (top...bottom).map { cells[$0 * columns + column] }
      for row in top...bottom {
        let from = row - top + count
        var cell = Cell()
        if traits.backColorErase { cell.style.background = pen.background }
        if before.indices.contains(from) { cell = before[from] }
        cells[row * columns + column] = cell
      }
    }
  }
}

extension ReplayTerminal.Cell {
  fileprivate mutating func makeBlank() {
    text = " "
    width = 1
  }
}

extension ReplayTerminal {
  private mutating func select(_ text: String) {
    var groups = text.split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 } }[...]
    while let group = groups.popFirst() {
      let number = group.first ?? 0
      switch number {
      case 0:
        let link = pen.link
        pen = .plain
        pen.link = link
      case 4 where group.count > 1:
        pen.underline = ScreenUnderline(rawValue: UInt8(group[1])) ?? .none
      case 4: pen.underline = .single
      case 24: pen.underline = .none
      case 22: pen.attributes.subtract([.bold, .faint])
      case 38, 48:
        let color: ScreenColor
        if groups.popFirst() == [5] {
          color = .indexed(UInt8(groups.popFirst()?.first ?? 0))
        } else {
          let parts = (0..<3).map { _ in UInt8(groups.popFirst()?.first ?? 0) }
          color = .rgb(parts[0], parts[1], parts[2])
        }
        if number == 38 { pen.foreground = color } else { pen.background = color }
      case 58:
        pen.underlineColor =
          group[1] == 5
          ? .indexed(UInt8(group[2])) : .rgb(UInt8(group[3]), UInt8(group[4]), UInt8(group[5]))
      case 59: pen.underlineColor = .standard
      case 30...37: pen.foreground = .indexed(UInt8(number - 30))
      case 90...97: pen.foreground = .indexed(UInt8(number - 82))
      case 39: pen.foreground = .standard
      case 40...47: pen.background = .indexed(UInt8(number - 40))
      case 100...107: pen.background = .indexed(UInt8(number - 92))
      case 49: pen.background = .standard
      default:
        if let attribute = Self.attributes[number] {
          pen.attributes.insert(attribute)
        } else if let attribute = Self.attributes[number == 55 ? 53 : number - 20] {
          pen.attributes.remove(attribute)
        } else {
          unknown.append("SGR \(number)")
        }
      }
    }
  }

  private static let attributes: [Int: ScreenAttributes] = [
    1: .bold, 2: .faint, 3: .italic, 5: .blink, 7: .inverse, 8: .hidden, 9: .strikethrough,
    53: .overline,
  ]
}
