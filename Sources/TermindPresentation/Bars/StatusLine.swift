public import TermindDomain
public import TermindScreen

/// A short message that comes and goes.
public struct Notice: Hashable, Sendable {
  /// What it is about.
  public enum Kind: Hashable, Sendable {
    /// Something was done.
    case done
    /// Something to know.
    case info
    /// Something did not work.
    case problem
  }

  /// What it is about.
  public var kind: Kind
  /// The message.
  public var text: String

  /// Makes a message.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// The most rows that a message takes.
  private static let maximumRows = 6

  /// The message in rows, for a status line of so many columns that it has for itself.
  public func lines(columns: Int) -> [String] {
    Array(TextLine.wrapped(text, max(columns - 3, 1)).prefix(Self.maximumRows))
  }

  var sign: String {
    switch kind {
    case .done: "✓"
    case .info: "▸"
    case .problem: "!"
    }
  }

  var ink: Ink {
    switch kind {
    case .done: .success
    case .info: .accent
    case .problem: .danger
    }
  }
}

/// The lowest row of a window: where one is, what is going on, and what to press.
public struct StatusLine: Hashable, Sendable {
  /// The workspace or destination in front.
  public var place: String
  /// The focused pane.
  public var pane: String
  /// Whether every key goes to the program.
  public var isLocked: Bool
  /// How many panes receive what is typed; 0 when there is no broadcast.
  public var broadcastCount: Int
  /// How far the focused pane is scrolled back; 0 when it is live.
  public var scrolledBack: Int
  /// Files that were picked up; empty when there are none.
  public var held = ""
  /// What can be done with them here.
  public var heldHints: [KeyHint] = []
  /// The keys of an open sequence.
  public var pending: String
  /// What to press; when a sequence is open these are its choices.
  public var hints: [KeyHint]
  /// The leader, which stands before the hints.
  public var leader: String
  /// A message instead of the hints.
  public var notice: Notice?

  /// Makes a line.
  public init(
    place: String,
    pane: String = "",
    isLocked: Bool = false,
    broadcastCount: Int = 0,
    scrolledBack: Int = 0,
    pending: String = "",
    hints: [KeyHint] = [],
    leader: String = "",
    notice: Notice? = nil
  ) {
    self.place = place
    self.pane = pane
    self.isLocked = isLocked
    self.broadcastCount = broadcastCount
    self.scrolledBack = scrolledBack
    self.pending = pending
    self.hints = hints
    self.leader = leader
    self.notice = notice
  }

  /// The hints of the keys that people need first, as a keymap binds them.
  ///
  /// - Parameters:
  ///   - keymap: The keymap in force.
  ///   - isLocked: Whether every key goes to the program: then only the one that ends this helps.
  /// - Returns: The hints; those behind the leader are without it.
  public static func hints(of keymap: Keymap, isLocked: Bool = false) -> [KeyHint] {
    if isLocked { return keymap.keysText(for: .lockMode).map { [KeyHint($0, "unlock")] } ?? [] }
    let wanted: [(Action, String)] = [
      (.quickOpen, "quick open"), (.newSplit(.right), "right"), (.newSplit(.down), "down"),
      (.closePane, "close"), (.find, "find"), (.zoom, "zoom"), (.newWorkspace, "new"),
      (.showKeys, "keys"),
    ]
    let hasLeader = !leader(of: keymap).isEmpty
    return wanted.compactMap { action, label in
      guard let binding = binding(of: action, in: keymap),
        !hasLeader || isBehindLeader(binding, keymap)
      else { return nil }
      let keys = binding.keys.dropFirst(hasLeader ? 1 : 0)
      return KeyHint(keys.map(\.description).joined(separator: " "), label)
    }
  }

  /// The leader, where the keys of the hints stand behind it.
  public static func leader(of keymap: Keymap) -> String {
    guard let leader = keymap.leader, let first = binding(of: .quickOpen, in: keymap),
      isBehindLeader(first, keymap)
    else { return "" }
    return leader.description
  }

  private static func binding(of action: Action, in keymap: Keymap) -> KeyBinding? {
    let all = keymap.bindings(of: action)
    // What is behind the leader arrives in every terminal.
    return all.first { isBehindLeader($0, keymap) } ?? all.first
  }

  private static func isBehindLeader(_ binding: KeyBinding, _ keymap: Keymap) -> Bool {
    binding.keys.count > 1 && binding.keys.first == keymap.leader
  }

  /// Draws the line.
  public func draw(on canvas: inout Canvas, in line: CellRectangle, _ look: Appearance) {
    let plain = look.style(.text, on: .bar)
    canvas.clear(line.line(0), plain)
    var column = line.column
    func put(_ spans: [TextSpan]) {
      column += canvas.put(spans, row: line.row, column: column, limit: line.endColumn - column)
    }
    put([
      TextSpan(" \(TextLine.clipped(place, 24)) ", look.style(.text, on: .selection, bold: true))
    ])
    for chip in chips {
      put([
        TextSpan(" ", plain), TextSpan(chip.text, look.style(chip.ink, on: .bar, bold: true)),
      ])
    }
    if !pane.isEmpty {
      put([TextSpan(" " + TextLine.clipped(pane, line.columns / 3), plain)])
    }
    put([TextSpan(" ", plain)])
    if let notice {
      let wanted = TextLine.columns(notice.text) + 2
      guard line.endColumn - column >= wanted else {
        // A message that nobody could read is of no use: where one is gives way to it.
        return draw(notice, on: &canvas, in: line, look)
      }
      put([
        TextSpan(notice.sign + " ", look.style(notice.ink, on: .bar, bold: true)),
        TextSpan(notice.text, look.style(notice.kind == .problem ? .danger : .text, on: .bar)),
      ])
      return
    }
    if !held.isEmpty, pending.isEmpty {
      put([
        TextSpan("✋ ", look.style(.warning, on: .bar)),
        TextSpan(held, look.style(.text, on: .bar)), TextSpan("  ", plain),
      ])
      put(KeyHint.spans(heldHints, on: .bar, limit: line.endColumn - column - 1, look))
      return
    }
    let start = pending.isEmpty ? leader : pending
    if !start.isEmpty, line.endColumn - column > TextLine.columns(start) + 4 {
      put([
        TextSpan("▸ ", look.style(.dim, on: .bar)),
        TextSpan(start, look.style(pending.isEmpty ? .text : .accent, on: .bar)),
        TextSpan(pending.isEmpty ? ": " : " … ", look.style(.dim, on: .bar)),
      ])
    }
    put(KeyHint.spans(hints, on: .bar, limit: line.endColumn - column - 1, look))
  }

  /// Draws a message over the whole line, and over the rows above it when it is long.
  private func draw(
    _ notice: Notice,
    on canvas: inout Canvas,
    in line: CellRectangle,
    _ look: Appearance
  ) {
    let rows = notice.lines(columns: line.columns)
    let count = min(rows.count, line.row + 1)
    let ink = look.style(notice.kind == .problem ? .danger : .text, on: .bar)
    for index in 0..<count {
      // What finds no row stands behind the last one, as far as there is room.
      let text = index + 1 < count ? rows[index] : rows[index...].joined(separator: " ")
      let row = line.row - (count - 1 - index)
      let place = CellRectangle(row: row, column: line.column, rows: 1, columns: line.columns)
      canvas.clear(place, look.style(.text, on: .bar))
      canvas.put(
        [
          TextSpan(
            index == 0 ? " \(notice.sign) " : "   ",
            look.style(notice.ink, on: .bar, bold: true)
          ),
          TextSpan(text, ink),
        ],
        row: row,
        column: line.column,
        limit: line.columns
      )
    }
  }

  private var chips: [(text: String, ink: Ink)] {
    var chips: [(String, Ink)] = []
    if isLocked { chips.append(("LOCKED", .warning)) }
    if broadcastCount > 0 { chips.append(("⚡ broadcast to \(broadcastCount)", .warning)) }
    if scrolledBack > 0 { chips.append(("↑ \(scrolledBack)", .accent)) }
    return chips
  }
}
