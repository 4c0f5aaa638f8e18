import Testing

@testable import TermindScreen

/// A writer and the terminal that gets its bytes.
struct FrameHarness {
  var writer: FrameWriter
  var terminal: ReplayTerminal
  private(set) var lastFrame: [UInt8] = []

  init(
    rows: Int,
    columns: Int,
    capabilities: ScreenCapabilities = .full,
    traits: ReplayTerminal.Traits? = nil
  ) {
    writer = FrameWriter(capabilities: capabilities)
    let usual = ReplayTerminal.Traits(backColorErase: capabilities.backColorErase)
    terminal = ReplayTerminal(rows: rows, columns: columns, traits: traits ?? usual)
  }

  /// Draws a canvas and returns the number of bytes it took.
  @discardableResult
  mutating func show(_ canvas: Canvas) -> Int {
    lastFrame = writer.frame(canvas)
    terminal.feed(lastFrame)
    return lastFrame.count
  }

  var lastText: String { String(decoding: lastFrame, as: UTF8.self) }

  /// The first difference between the terminal and a canvas, in words; `nil` when there is none.
  func difference(from canvas: Canvas) -> String? {
    if let unknown = terminal.unknown.first { return "not understood: \(unknown)" }
    if terminal.isSynchronized { return "the synchronized update was not ended" }
    for row in 0..<canvas.rows {
      for column in 0..<canvas.columns {
        guard let wanted = canvas.cell(row: row, column: column) else { return "no cell" }
        let found = terminal.cell(row, column)
        if found.text != wanted.text || found.width != wanted.width {
          return "row \(row) column \(column): \(found.text.debugDescription) not "
            + "\(wanted.text.debugDescription)\n\(terminal.text(row: row))|\n\(canvas.text(row: row))|"
        }
        if let wrong = Self.difference(found.style, wanted.style, isBlank: wanted.text == " ") {
          return "row \(row) column \(column) \(wanted.text): \(wrong)"
        }
      }
    }
    return cursorDifference(canvas.cursor)
  }

  private func cursorDifference(_ cursor: CanvasCursor?) -> String? {
    guard let cursor else { return terminal.isCursorVisible ? "the cursor shows" : nil }
    if !terminal.isCursorVisible { return "the cursor is hidden" }
    let isThere = terminal.row == cursor.row && terminal.column == cursor.column
    return isThere ? nil : "the cursor is at \(terminal.row), \(terminal.column)"
  }

  /// How two styles differ; on a blank only what can be seen counts.
  static func difference(
    _ found: ScreenStyle,
    _ wanted: ScreenStyle,
    isBlank: Bool
  ) -> String? {
    var found = found
    var wanted = wanted
    let visible: ScreenAttributes = [.inverse, .strikethrough, .overline]
    if wanted.underline == .none { wanted.underlineColor = .standard }
    if found.underline == .none { found.underlineColor = .standard }
    let hidesForeground =
      isBlank && wanted.underline == .none && wanted.attributes.isDisjoint(with: visible)
      && wanted.link == nil
    if hidesForeground {
      found.foreground = wanted.foreground
      found.attributes.subtract(ScreenAttributes(rawValue: 0xFF).subtracting(visible))
      wanted.attributes.subtract(ScreenAttributes(rawValue: 0xFF).subtracting(visible))
    }
    return found == wanted ? nil : "\(found) not \(wanted)"
  }
}

extension ScreenCapabilities {
  /// A terminal that can do everything.
  static var full: ScreenCapabilities {
    var capabilities = bare
    capabilities.colorDepth = .trueColor
    capabilities.synchronizedOutput = true
    capabilities.underlineStyles = true
    capabilities.hyperlinks = true
    capabilities.cursorShapes = true
    capabilities.backColorErase = true
    capabilities.repeats = true
    capabilities.erasesCharacters = true
    capabilities.scrollRegions = true
    capabilities.leftRightMargins = true
    return capabilities
  }

  /// A UTF-8 terminal that can do nothing but address the cursor and show 24-bit colours.
  static var bare: ScreenCapabilities {
    var terminfo = TerminfoDescription(name: "test")
    terminfo.scrollRegions = false
    return ScreenCapabilities(
      terminfo: terminfo,
      environment: ["LANG": "en_US.UTF-8", "COLORTERM": "truecolor"]
    )
  }
}

/// Numbers that are the same in every run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
