public import TermindDomain
public import TermindScreen

/// The first part of a file, to be read: as text, or as bytes when it is none.
public struct FilePager: Sendable {
  /// The most bytes of a file that are shown.
  public static let limit = 4_194_304
  /// A longer line is broken, so that no line costs more than this to draw.
  static let longestLine = 4_096
  private static let tab = 8

  /// What stands in the lowest line.
  public let title: String
  /// The bytes that are there.
  public let bytes: [UInt8]
  /// The size of the whole file, when it is more than what is there.
  public let cutFrom: UInt64?
  /// Whether the bytes are shown as numbers.
  public private(set) var isHexadecimal: Bool
  /// The first line that is shown.
  public private(set) var top = 0
  /// How far the lines are moved to the left.
  public private(set) var column = 0
  /// What is searched for, in the lower case.
  public private(set) var search: [UInt8] = []
  private var lines: [Range<Int>]
  private var page = 1
  private var rowBytes = 16
  private var found: Int?

  /// Shows bytes.
  public init(title: String, bytes: [UInt8], cutFrom: UInt64? = nil) {
    self.title = title
    self.bytes = bytes
    self.cutFrom = cutFrom
    isHexadecimal = bytes.prefix(8_192).contains(0)
    lines = Self.lines(of: bytes)
  }

  /// Shows lines of text, such as what could not be done.
  public init(title: String, lines: [String]) {
    self.init(title: title, bytes: Array(lines.joined(separator: "\n").utf8))
    isHexadecimal = false
  }

  private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for place in bytes.indices {
      if bytes[place] == 0x0A {
        lines.append(start..<place)
        start = place + 1
      } else if place - start >= longestLine, bytes[place] & 0xC0 != 0x80 {
        lines.append(start..<place)
        start = place
      }
    }
    if start < bytes.count { lines.append(start..<bytes.count) }
    return lines
  }

  private var lineCount: Int {
    isHexadecimal ? (bytes.count + rowBytes - 1) / rowBytes : lines.count
  }

  // MARK: Moving

  /// Scrolls by lines.
  public mutating func scroll(by step: Int) {
    top = max(min(top + step, lineCount - page), 0)
  }

  /// Takes a key that moves or changes how it is shown.
  ///
  /// - Returns: Whether the key means something here.
  public mutating func handle(_ key: KeyEvent) -> Bool {
    let chords = KeyIdentity.chords(of: key).map(\.description)
    for chord in chords {
      switch chord {
      case "j", "down", "enter": scroll(by: 1)
      case "k", "up": scroll(by: -1)
      case "space", "page_down", "ctrl+f": scroll(by: page)
      case "b", "page_up", "ctrl+b": scroll(by: -page)
      case "d", "ctrl+d": scroll(by: max(page / 2, 1))
      case "u", "ctrl+u": scroll(by: -max(page / 2, 1))
      case "g", "home": scroll(by: -top)
      case "G", "end": scroll(by: lineCount)
      case "l", "right": column = min(column + 8, Self.longestLine)
      case "h", "left": column = max(column - 8, 0)
      case "0": column = 0
      case "x": toggleHexadecimal()
      case "n": findNext(1)
      case "N": findNext(-1)
      default: continue
      }
      return true
    }
    return false
  }

  /// Shows bytes as numbers, or as text; the same place stays in sight.
  private mutating func toggleHexadecimal() {
    let place =
      isHexadecimal ? top * rowBytes : lines.indices.contains(top) ? lines[top].lowerBound : 0
    isHexadecimal.toggle()
    top = line(of: place)
    column = 0
    found = nil
  }

  private func line(of place: Int) -> Int {
    if isHexadecimal { return place / rowBytes }
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].upperBound < place { low = middle + 1 } else { high = middle }
    }
    return min(low, max(lines.count - 1, 0))
  }

  // MARK: Searching

  /// Searches for a text in either case, from the first line in sight on.
  ///
  /// - Returns: Whether it is there.
  public mutating func find(_ text: String) -> Bool {
    search = Array(text.utf8).map(Self.lower)
    found = nil
    guard !search.isEmpty else { return true }
    let start =
      isHexadecimal ? top * rowBytes : lines.indices.contains(top) ? lines[top].lowerBound : 0
    found = next(from: start, 1) ?? next(from: 0, 1)
    show()
    return found != nil
  }

  private mutating func findNext(_ step: Int) {
    guard !search.isEmpty else { return }
    let start = found.map { $0 + step } ?? (isHexadecimal ? top * rowBytes : 0)
    found = next(from: start, step) ?? next(from: step > 0 ? 0 : bytes.count - 1, step)
    show()
  }

  private mutating func show() {
    guard let found else { return }
    let line = line(of: found)
    if line < top || line >= top + page { top = max(min(line - page / 3, lineCount - page), 0) }
  }

  private func next(from start: Int, _ step: Int) -> Int? {
    guard let first = search.first, bytes.count >= search.count else { return nil }
    var place = min(start, bytes.count - search.count)
    if step > 0, start > bytes.count - search.count { return nil }
    while bytes.indices.contains(place), place + search.count <= bytes.count {
      if Self.lower(bytes[place]) == first, matches(at: place) { return place }
      place += step
    }
    return nil
  }

  private func matches(at place: Int) -> Bool {
    for offset in search.indices where Self.lower(bytes[place + offset]) != search[offset] {
      return false
    }
    return true
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  // MARK: Drawing

  /// Draws the pager.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - area: The cells of the pane.
  ///   - input: The text to search for, while it is typed.
  ///   - look: The looks.
  public mutating func draw(
    on canvas: inout Canvas,
    in area: CellRectangle,
    input: FilesScreen.Input? = nil,
    _ look: Appearance
  ) {
    canvas.clear(area, look.style(.text, on: .pane))
    page = max(area.rows - 1, 1)
    rowBytes = area.columns >= 77 ? 16 : 8
    top = max(min(top, lineCount - page), 0)
    for offset in 0..<page where top + offset < lineCount {
      let line = area.line(offset)
      if isHexadecimal {
        drawBytes(top + offset, on: &canvas, in: line, look)
      } else {
        drawText(lines[top + offset], on: &canvas, in: line, look)
      }
    }
    if lineCount == 0 {
      canvas.put(
        "Empty file",
        row: area.row,
        column: area.column + 1,
        limit: area.columns - 1,
        style: look.style(.dim, on: .pane)
      )
    }
    guard area.rows > 1 else { return }
    var screen = FilesScreen { _ in "" }
    screen.isFocused = true
    screen.input = input
    screen.drawPagerFooter(footer, on: &canvas, in: area.line(area.rows - 1), look)
  }

  private var footer: (left: String, right: String) {
    let last = min(top + page, lineCount)
    let percent = lineCount == 0 ? 100 : last * 100 / lineCount
    let cut = cutFrom.map {
      " · the first \(FileText.size(UInt64(bytes.count))) of \(FileText.size($0))"
    }
    return (
      "\(title) · \(percent)%\(cut ?? "")", "q close · / find · x \(isHexadecimal ? "text" : "hex")"
    )
  }

  private func drawText(
    _ range: Range<Int>,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    let isFound = found.map { range.contains($0) } ?? false
    let ground: Ground = isFound ? .selection : .pane
    if isFound { canvas.clear(line, look.style(.text, on: ground)) }
    var text = bytes[range]
    if text.last == 0x0D { text = text.dropLast() }
    // Tabs become blanks; everything else that is no text is drawn as a stand-in.
    var flat: [UInt8] = []
    var columns = 0
    for byte in text {
      if byte == 0x09 {
        let blanks = Self.tab - columns % Self.tab
        flat += repeatElement(0x20, count: blanks)
        columns += blanks
      } else {
        flat.append(byte)
        if byte & 0xC0 != 0x80 { columns += 1 }
      }
    }
    let spans = FileLine.spans(
      flat,
      from: column,
      columns: line.columns,
      look.style(.text, on: ground),
      look.style(.warning, on: ground)
    )
    canvas.put(spans, row: line.row, column: line.column, limit: line.columns)
  }

  private func drawBytes(
    _ row: Int,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    let start = row * rowBytes
    let part = bytes[start..<min(start + rowBytes, bytes.count)]
    let isFound = found.map { start..<(start + rowBytes) ~= $0 } ?? false
    let ground: Ground = isFound ? .selection : .pane
    if isFound { canvas.clear(line, look.style(.text, on: ground)) }
    var numbers = ""
    var letters = ""
    for (place, byte) in part.enumerated() {
      if place == 8 { numbers += " " }
      numbers += Self.hexadecimal(Int(byte), 2) + " "
      letters += 0x20..<0x7F ~= byte ? String(UnicodeScalar(byte)) : "·"
    }
    let width = rowBytes * 3 + (rowBytes > 8 ? 1 : 0)
    numbers += String(repeating: " ", count: max(width - numbers.count, 0))
    canvas.put(
      [
        TextSpan(Self.hexadecimal(start, 8) + "  ", look.style(.dim, on: ground)),
        TextSpan(numbers + " ", look.style(.text, on: ground)),
        TextSpan(letters, look.style(.accent, on: ground)),
      ],
      row: line.row,
      column: line.column,
      limit: line.columns
    )
  }

  private static func hexadecimal(_ number: Int, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }
}
