/// Guesses what a program on a slow line will echo, so that it can be shown before it comes.
///
/// A guess is shown only where echoing is known: at a prompt that the shell marked and where only letters were typed since,
/// or after a guess of the same line came true. So nothing is shown while a password is typed, in a program on the alternate screen, or beside text that would
/// move. The first guess that proves wrong ends guessing until the next prompt. Letters and Backspace are guessed, as far
/// back as what was typed here itself: the cursor is never guessed left of the place where that began, so never in a prompt.
public struct EchoPredictor: Sendable {
  /// When guesses are shown.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case off
    /// Once echoes were seen to take longer than 60 ms.
    case auto
    /// Always.
    case on
  }

  /// What is guessed of a row.
  public struct Guess: Hashable, Sendable {
    /// A character that is to stand somewhere soon.
    public struct Cell: Hashable, Sendable {
      /// The column.
      public let column: Int
      /// The character; nil for one that is to be gone.
      public let scalar: UInt32?
    }

    /// The row of the screen.
    public let row: Int
    /// What differs there, left to right.
    public let cells: [Cell]
    /// Where the cursor is to stand.
    public let cursorColumn: Int
  }

  /// A key whose echo has not come yet.
  private struct Key {
    /// The letter; nil for Backspace.
    let scalar: UInt32?
    let typed: ContinuousClock.Instant
  }

  /// From which latency on a line counts as slow.
  static let slow = Duration.milliseconds(60)
  private static let mostPending = 128
  private static let firstPatience = Duration.seconds(5)

  private let mode: Mode
  private var pending: [Key] = []
  /// What was typed in this line and came true, from `start` on.
  private var echoed: [UInt32] = []
  /// Where the first letter of the line was typed.
  private var start = TextPlace(line: 0, column: 0)
  /// How long an echo takes, smoothed; nil before there was one.
  private(set) var latency: Duration?
  /// Whether a guess of this line came true.
  private var isConfirmed = false
  /// Whether a guess was wrong since the last prompt.
  private var isRefused = false
  /// The marked place where the command line begins; another one is another prompt.
  private var prompt: TextPlace?
  /// The prompt at which another key than a letter was typed: whatever follows may be a program's line, also below a mark.
  private var spentPrompt: TextPlace?
  /// Echoes of keys that nothing is guessed about are on the way until then.
  private var quietUntil: ContinuousClock.Instant?

  /// Begins to guess.
  public init(mode: Mode) { self.mode = mode }

  // MARK: What happens

  /// Keys were typed.
  ///
  /// - Parameters:
  ///   - bytes: What the program was sent for them.
  ///   - terminal: The screen as it is now.
  ///   - now: The time.
  public mutating func typed(
    _ bytes: [UInt8],
    on terminal: Terminal,
    at now: ContinuousClock.Instant
  ) {
    guard mode != .off else { return }
    expire(at: now)
    lookAtPrompt(terminal)
    guard let key = Self.key(bytes, at: now), !isQuiet(now), !isRefused,
      pending.count < Self.mostPending, isAtEnd(of: terminal), takes(key, on: terminal)
    else {
      // Nobody knows where the cursor is until the echoes of everything so far are there.
      forget()
      isConfirmed = false
      spentPrompt = prompt
      let patience = min((latency ?? .milliseconds(200)) * 2, .seconds(2))
      quietUntil = now + max(patience, .milliseconds(100))
      return
    }
  }

  /// Adds a key to those whose echo is awaited; false where its echo cannot be told.
  private mutating func takes(_ key: Key, on terminal: Terminal) -> Bool {
    let text = after(pending.count)
    let column = start.column + text.count
    guard key.scalar == nil else {
      // What a character at the edge does is not guessed.
      guard column < terminal.size.columns - 1 else { return false }
      pending.append(key)
      return true
    }
    // At the beginning of a marked command line there is nothing to take back, and a shell does nothing.
    guard !text.isEmpty else { return start == prompt }
    pending.append(key)
    return true
  }

  /// The program has printed.
  public mutating func printed(on terminal: Terminal, at now: ContinuousClock.Instant) {
    guard !pending.isEmpty else { return }
    lookAtPrompt(terminal)
    guard !pending.isEmpty else { return }
    let cursor = terminal.cursor.position
    guard !terminal.modes.isAlternateScreen,
      terminal.screenLine + UInt64(cursor.row) == start.line
    else { return refuse() }
    let row = terminal.scalars(row: cursor.row)
    // The fewest keys after which the row would look as it does.
    guard
      let count = (0...pending.count).first(where: { count in
        let text = after(count)
        return start.column + text.count == cursor.column && stands(text, in: row)
      })
    else { return refuse() }
    guard count > 0 else { return }
    echoed = after(count)
    let took = pending[count - 1].typed.duration(to: now)
    latency = latency.map { ($0 * 3 + took) / 4 } ?? took
    isConfirmed = true
    pending.removeFirst(count)
  }

  /// Gives up guesses that did not come true in time; whether there were some.
  @discardableResult
  public mutating func expire(at now: ContinuousClock.Instant) -> Bool {
    guard let first = pending.first, first.typed.duration(to: now) > patience else { return false }
    // A letter and its Backspace leave nothing; their echoes may have come as one.
    guard after(pending.count) != echoed else {
      pending = []
      return false
    }
    refuse()
    return true
  }

  /// How long a guess is kept that does not come true.
  public var patience: Duration {
    latency.map { min($0 * 2 + .milliseconds(250), Self.firstPatience) } ?? Self.firstPatience
  }

  private mutating func refuse() {
    forget()
    isConfirmed = false
    isRefused = true
  }

  private mutating func forget() {
    pending = []
    echoed = []
  }

  /// A new prompt begins everything anew.
  private mutating func lookAtPrompt(_ terminal: Terminal) {
    let now = terminal.commandLineStart
    guard now != prompt else { return }
    prompt = now
    isRefused = false
    isConfirmed = false
    forget()
  }

  private mutating func isQuiet(_ now: ContinuousClock.Instant) -> Bool {
    guard let end = quietUntil, now < end else {
      // Whoever types on after a line without marks may be believed again.
      if quietUntil != nil, prompt == nil { isRefused = false }
      quietUntil = nil
      return false
    }
    return true
  }

  // MARK: What is shown

  /// What is guessed and may be shown; nil where nothing is.
  public func guess(on terminal: Terminal) -> Guess? {
    guard !pending.isEmpty, start.line >= terminal.screenLine else { return nil }
    let row = Int(start.line - terminal.screenLine)
    guard row < terminal.size.rows else { return nil }
    // From here on the row is not what it was.
    let kept = (0...pending.count).lazy.map { after($0).count }.min() ?? 0
    guard isShown(terminal, start.column + kept) else { return nil }
    let text = after(pending.count)
    let letters = text.indices.dropFirst(kept).map { place in
      Guess.Cell(column: start.column + place, scalar: text[place])
    }
    let gone = (text.count..<max(echoed.count, text.count)).map { place in
      Guess.Cell(column: start.column + place, scalar: nil)
    }
    return Guess(row: row, cells: letters + gone, cursorColumn: start.column + text.count)
  }

  private func isShown(_ terminal: Terminal, _ column: Int) -> Bool {
    guard !terminal.modes.isAlternateScreen else { return false }
    switch mode {
    case .off: return false
    case .auto: if (latency ?? .zero) <= Self.slow { return false }
    case .on: break
    }
    let isAtPrompt =
      prompt.map { $0 != spentPrompt && TextPlace(line: start.line, column: column) >= $0 } ?? false
    return isConfirmed || isAtPrompt
  }

  // MARK: Where

  /// What stands from `start` on once so many of the pending keys are echoed.
  private func after(_ count: Int) -> [UInt32] {
    var text = echoed
    for key in pending.prefix(count) {
      if let scalar = key.scalar { text.append(scalar) } else { text.removeLast() }
    }
    return text
  }

  /// Whether the row holds a text from `start` on.
  private func stands(_ text: [UInt32], in row: [UInt32]) -> Bool {
    text.indices.allSatisfy { place in
      let column = start.column + place
      let scalar = column < row.count ? row[column] : 0
      return scalar == text[place] || scalar == 0 && text[place] == 0x20
    }
  }

  /// Whether the cursor stands behind everything of its row, where typing adds to it; a line begins there if none has.
  private mutating func isAtEnd(of terminal: Terminal) -> Bool {
    let cursor = terminal.cursor
    guard !terminal.modes.isAlternateScreen, cursor.isVisible else { return false }
    let row = terminal.scalars(row: cursor.position.row)
    guard row[min(cursor.position.column, row.count)...].allSatisfy({ $0 == 0 || $0 == 0x20 })
    else { return false }
    guard pending.isEmpty else { return true }
    let here = TextPlace(
      line: terminal.screenLine + UInt64(cursor.position.row),
      column: cursor.position.column
    )
    let isSameLine =
      here.line == start.line && here.column == start.column + echoed.count
      && stands(echoed, in: row)
    if !isSameLine || echoed.isEmpty {
      start = here
      echoed = []
    }
    return true
  }

  /// The key that bytes are: one printable character of one column, or Backspace; nil for everything else.
  private static func key(_ bytes: [UInt8], at now: ContinuousClock.Instant) -> Key? {
    if bytes == [0x7F] { return Key(scalar: nil, typed: now) }
    let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars
    guard let scalars, scalars.count == 1, let scalar = scalars.first?.value else { return nil }
    switch scalar {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x391...0x3C9, 0x400...0x45F:
      return Key(scalar: scalar, typed: now)
    default: return nil
    }
  }
}

extension Terminal {
  /// Where the command line begins that is being typed at a prompt of the shell; nil elsewhere.
  public var commandLineStart: TextPlace? {
    state.isMainScreen ? state.commands.typed : nil
  }

  /// The first scalar of each used column of a row of the screen, 0 for blanks.
  func scalars(row: Int) -> [UInt32] {
    var scalars: [UInt32] = []
    visitRow(row) { cell in
      while scalars.count < cell.column { scalars.append(0) }
      scalars.append(cell.isCluster ? .max : cell.scalar)
      if cell.width == 2 { scalars.append(.max) }
    }
    return scalars
  }
}
